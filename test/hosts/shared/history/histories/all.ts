import { claudeCodeHistory } from "./claude-code.ts";
import { codexHistory } from "./codex.ts";
import { copilotHistory } from "./copilot.ts";
import { geminiHistory } from "./gemini.ts";
import { opencodeHistory } from "./opencode.ts";
import { piHistory } from "./pi.ts";

/** In the order in which hosts are looked for. */
export const HISTORIES = [
  claudeCodeHistory,
  opencodeHistory,
  piHistory,
  codexHistory,
  copilotHistory,
  geminiHistory,
];
