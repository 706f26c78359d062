import { join } from "node:path";
import { userHome } from "../../store/home.ts";
import type { HookHost } from "../port/hook-host.ts";
import type { PromptForm } from "../port/prompt-form.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { shownInChat, willHold } from "./conversation.ts";
import { tools } from "./tools.ts";

/** When Gemini CLI calls the hook, it has already read the mentioned files and appended them after this line. */
const CONTENT = "\n--- Content from referenced files ---";

/** Without a limit, one long line of a file could take minutes. */
const HEADING = /^Content from @([^\r\n]{1,4096}):$/gm;

/** The most headings to look at: a file may contain any number of lines that look like one. */
const MAX_HEADINGS = 200;

/**
 * Gemini CLI puts a space before every mention and removes the backslashes from `@a\ path`, so that only the heading
 * shows where the path ends.
 */
export const promptForm: PromptForm = {
  typedIn: (prompt) => parts(prompt).typed,
  *mentionsIn(prompt) {
    const { typed, content } = parts(prompt);
    yield* mentionsIn(typed);
    let headings = 0;
    for (const [, path = ""] of content.matchAll(HEADING)) {
      if (!/\s/.test(path)) continue; // `mentionsIn` has already found it
      if (++headings > MAX_HEADINGS) return;
      if (typed.includes(`@${path}`)) yield [path];
    }
  },
};

export const gemini: HookHost = {
  name: "gemini",
  label: "Gemini CLI",
  // Not `PreCompress`: its output reaches no summariser, and it comes before every request.
  events: {
    // Gemini puts the answer before the prompt, and when a session is resumed it drops a prompt that begins with hook
    // context. So a session gets its first text with its first prompt.
    SessionStart: { kind: "start", sources: { resume: "resume" } },
    BeforeAgent: { kind: "prompt" },
    BeforeTool: { kind: "guard" },
    // 10,000 characters arrive whole; 60,000 lose their middle.
    AfterTool: { kind: "tool", room: { most: 9_500, unit: "characters", parts: 20 } },
    AfterAgent: { kind: "idle" },
    SessionEnd: { kind: "end" },
  },
  opening: "BeforeAgent",
  // With a prompt 300,000 characters arrive whole.
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
    canAsk: false, // on "ask" Gemini waits forever for a user, even without a terminal
    showsLines: true,
    isAscii: true, // Gemini decodes each chunk by itself, so a Cyrillic letter at a chunk's boundary would be broken
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

function parts(prompt: string): { typed: string; content: string } {
  const at = prompt.indexOf(CONTENT);
  return at === -1
    ? { typed: prompt, content: "" }
    : { typed: prompt.slice(0, at), content: prompt.slice(at + CONTENT.length) };
}
