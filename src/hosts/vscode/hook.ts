import type { HookCaller } from "../port/hook-host.ts";
import { inSnakeCase, text } from "../shared/fields.ts";
import { inserts, patches, reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";
import { comesFirst } from "./first-entry.ts";

/**
 * VS Code's own agent. At each event it runs both the commands in Claude Code's settings and those in Copilot CLI's
 * hooks folder, and accepts one form of answer. https://code.visualstudio.com/docs/agent-customization/hooks
 */
export const vscode: HookCaller = {
  name: "vscode",
  label: "VS Code",
  runsHooksOf: ["claude-code", "copilot"],
  // The documentation shows `sessionId` and `hookEventName` beside keys in snake case, but only keys in snake case are
  // sent. Only VS Code and Copilot send a time; Copilot is checked first.
  sent: (payload) =>
    text(payload, "hookEventName") !== undefined ||
    (text(payload, "session_id") !== undefined && text(payload, "timestamp") !== undefined),
  inOneForm: inSnakeCase,
  // Either file may be disabled in VS Code's settings, so neither file shows which of the two is run.
  answersHere: comesFirst,
  events: {
    // Sent with the first prompt. There is no event for a resume.
    SessionStart: { kind: "start", otherwise: "start" },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "guard" },
    PostToolUse: { kind: "tool" },
    // The answer is not read, and no event follows the compaction.
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
  // An answer with another event's name is dropped.
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
