import { claudeCodeReader } from "./claude-code/reader.ts";
import { codexReader } from "./codex/reader.ts";
import { copilotReader } from "./copilot/reader.ts";
import { geminiReader } from "./gemini/reader.ts";
import { opencodeReader } from "./opencode/reader.ts";
import { piReader } from "./pi/reader.ts";
import type { Discovery, HistoryHost, SessionFile, TranscriptReader } from "./reader.ts";

/** Every history that can be read. A new host is one line here. */
export const READERS: Readonly<Record<HistoryHost, TranscriptReader>> = {
  "claude-code": claudeCodeReader,
  opencode: opencodeReader,
  pi: piReader,
  copilot: copilotReader,
  codex: codexReader,
  gemini: geminiReader,
};

/** The sessions of all hosts that have a history on this machine. */
export function discoverSessions(env: NodeJS.ProcessEnv, options: Discovery = {}): SessionFile[] {
  return Object.values(READERS).flatMap((reader) => reader.discover(env, options));
}
