import type { HookCaller } from "../port/hook-host.ts";
import { inSnakeCase, text } from "../shared/fields.ts";
import { inserts, patches, reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";
import { comesFirst } from "./first-entry.ts";

/**
 * VS Code's own agent. It runs the commands in Claude Code's settings and in Copilot CLI's hooks folder, both at one event, and
 * takes one form of answer. https://code.visualstudio.com/docs/agent-customization/hooks
 */
export const vscode: HookCaller = {
  name: "vscode",
  label: "VS Code",
  runsHooksOf: ["claude-code", "copilot"],
  // Documented are `sessionId` and `hookEventName` beside keys in snake case, sent are keys in snake case. Only it and
  // Copilot send a time; Copilot is asked first.
  sent: (payload) =>
    text(payload, "hookEventName") !== undefined ||
    (text(payload, "session_id") !== undefined && text(payload, "timestamp") !== undefined),
  inOneForm: inSnakeCase,
  // A file may be switched off in VS Code's settings, so no file can tell which of the two is run.
  answersHere: comesFirst,
  events: {
    // With the first prompt. A resume is not told.
    SessionStart: { kind: "start", otherwise: "start" },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "guard" },
    PostToolUse: { kind: "tool" },
    // Its answer is not read, and nothing is told after a compaction.
    PreCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    Stop: { kind: "idle" },
    SubagentStart: { kind: "childStart" },
  },
  opening: "SessionStart",
  room: { most: 9_500, unit: "characters", parts: 20 },
  fields: {
    session: "session_id",
    child: "agent_id",
    agent: "agent_type",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    refused: "stop_hook_active",
  },
  // An answer that names another event is dropped.
  reply: {
    context: "nested",
    verdict: "nested",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    nestsRefusal: true,
    showsLines: false, // a `systemMessage` is shown as a warning
  },
  tools: hostTools({
    read_file: reads("filePath"),
    create_file: writes("filePath", "content", true),
    replace_string_in_file: replaces("filePath", { old: "oldString", new: "newString" }),
    insert_edit_into_file: inserts("filePath", "code"),
    apply_patch: patches("input"),
    run_in_terminal: runs("command"),
  }),
};
