import type { History, TranscriptReader } from "../moments/ports/history.ts";
import { claudeCodeReader } from "./claude-code/history/reader.ts";
import { codexReader } from "./codex/history/reader.ts";
import { copilotReader } from "./copilot/history/reader.ts";
import { geminiReader } from "./gemini/history/reader.ts";
import type { HostName } from "./names.ts";
import { opencodeReader } from "./opencode/history/reader.ts";
import { piReader } from "./pi/history/reader.ts";

export const READERS = {
  "claude-code": claudeCodeReader,
  opencode: opencodeReader,
  pi: piReader,
  copilot: copilotReader,
  codex: codexReader,
  gemini: geminiReader,
} satisfies Record<HostName, TranscriptReader>;

export const history: History = new Map(Object.entries(READERS));
