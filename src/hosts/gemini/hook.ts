import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { HookHost } from "../port/hook-host.ts";
import { shownInChat, willHold } from "./conversation.ts";
import { promptForm } from "./prompt-form.ts";
import { tools } from "./tools.ts";

export const gemini: HookHost = {
  name: "gemini",
  label: "Gemini CLI",
  // Not `PreCompress`: it reaches no summariser and comes before every request.
  events: {
    // Gemini puts the answer before the prompt, and leaves a prompt that begins with hook context out of the history when
    // the session is resumed. So a session gets its first text with its first prompt.
    SessionStart: { kind: "start", sources: { resume: "resume" } },
    BeforeAgent: { kind: "prompt" },
    BeforeTool: { kind: "guard" },
    // 10,000 characters come through; 60,000 lose their middle.
    AfterTool: { kind: "tool", room: { most: 9_500, unit: "characters", parts: 20 } },
    AfterAgent: { kind: "idle" },
    SessionEnd: { kind: "end" },
  },
  opening: "BeforeAgent",
  // With a prompt 300,000 characters come through.
  room: { most: 200_000, unit: "characters", parts: 20 },
  keepsContext: true,
  projectVariable: "GEMINI_PROJECT_DIR",
  fields: {
    session: "session_id",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    toolResponse: "tool_response",
    answer: "prompt_response",
    refused: "stop_hook_active",
  },
  reply: {
    context: "nested",
    verdict: "top",
    decision: "decision",
    reason: "reason",
    canAsk: false, // on "ask" Gemini waits for a user for ever, also without a terminal
    showsLines: true,
    isAscii: true, // it decodes each piece that it reads by itself: a Cyrillic letter at the end of one would be broken
  },
  tools,
  promptForm,
  shows: shownInChat,
  // No event reports a compression, but the transcript shows what is left of the conversation.
  fromTranscript({ env }, { name, transcript, project }) {
    if (transcript === undefined) return {};
    const settings = [settingsFile(env), join(project.root, ".gemini", "settings.json")];
    const conversation = { transcript, settings, isMidTurn: name === "tool" };
    return { stillHolds: (text, since) => willHold(conversation, text, since) };
  },
};

export function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(env["GEMINI_CLI_HOME"] || userHome(env), ".gemini", "settings.json");
}
