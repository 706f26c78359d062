import { join } from "node:path";
import { isRecord } from "../../base/json.ts";
import { userHome } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
import type { HookCaller, HostTools } from "../port/hook-host.ts";
import { text } from "../shared/fields.ts";
import { copilot } from "./hook.ts";
import { tools } from "./tools.ts";

/**
 * Copilot CLI and the GitHub Copilot app when they run hooks written for Claude Code: those in a repository's `.claude`
 * folder, in plugins, and in the app also the user's. Keys and tools then have other names; answers are the same.
 */
export const copilotInClaudesForm: HookCaller = {
  ...copilot,
  runsHooksOf: ["claude-code"],
  // VS Code sends a time too, and a path that is not Copilot's. Without a path, the variables decide: only VS Code's
  // own processes have them, because it removes them for programs in its terminal.
  sent(payload, env) {
    if (text(payload, "session_id") === undefined || text(payload, "timestamp") === undefined) return false;
    const transcript = text(payload, "transcript_path");
    if (transcript !== undefined) return /[\\/]session-state[\\/]/.test(transcript);
    const isVsCodes = "transcript_path" in payload || "tool_use_id" in payload;
    return !isVsCodes && env["VSCODE_PID"] === undefined && env["VSCODE_IPC_HOOK"] === undefined;
  },
  // Copilot's own hooks get more information, so they take precedence.
  answersHere: ({ env }, kind) => !ownHooks(env).some((event) => copilot.events[event]?.kind === kind),
  events: {
    UserPromptSubmit: copilot.events["userPromptSubmitted"] ?? { kind: "prompt" },
    PreToolUse: { kind: "guard" },
    PostToolUse: copilot.events["postToolUse"] ?? { kind: "tool" },
    PreCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    Stop: { kind: "idle" },
  },
  opening: "UserPromptSubmit",
  fields: {
    session: "session_id",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    toolResponse: "tool_result",
    refused: "stop_hook_active",
  },
  tools: underClaudesNames(tools),
};

function ownHooks(env: NodeJS.ProcessEnv): string[] {
  try {
    const file = join(env["COPILOT_HOME"] || join(userHome(env), ".copilot"), "hooks", "continuo.json");
    return [...readText(file, { maxBytes: 1024 * 1024 }).matchAll(/ hook copilot (\w+)/g)].map(
      ([, event = ""]) => event,
    );
  } catch {
    return []; // no such file
  }
}

const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ["Bash", "bash"],
  ["Read", "view"],
  ["Write", "create"],
  ["Edit", "edit"],
]);

function underClaudesNames(own: HostTools): HostTools {
  const nameOf = (name: string) => OWN_NAMES.get(name) ?? name;
  return {
    filesOf: (name, ...rest) => own.filesOf(nameOf(name), ...rest),
    editsOf: (name, ...rest) => own.editsOf(nameOf(name), ...rest),
    commandOf: (name, input) => own.commandOf(nameOf(name), input),
    hasFailed(name, response) {
      if (!isRecord(response)) return false;
      const { result_type: resultType, text_result_for_llm: textResultForLlm } = response;
      return own.hasFailed?.(nameOf(name), { resultType, textResultForLlm }) === true;
    },
  };
}
