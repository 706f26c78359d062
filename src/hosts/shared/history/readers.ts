import type {
  Discovery,
  HistoryHost,
  SessionFile,
  TranscriptReader,
} from "../../../moments/ports/history.ts";
import { claudeCodeReader } from "../../claude-code/history/reader.ts";
import { codexReader } from "../../codex/history/reader.ts";
import { copilotReader } from "../../copilot/history/reader.ts";
import { geminiReader } from "../../gemini/history/reader.ts";
import { opencodeReader } from "../../opencode/history/reader.ts";
import { piReader } from "../../pi/history/reader.ts";

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
