import type { HookCaller } from "../port/hook-host.ts";
import { text } from "../shared/fields.ts";
import { reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";

const PATH = ["file_path", "path"];

/**
 * Cursor, the editor and the command line. It runs the hooks in Claude Code's settings and uses their answers; it does
 * not run hooks that call a tool. https://cursor.com/docs/reference/third-party-hooks
 */
export const cursor: HookCaller = {
  name: "cursor",
  label: "Cursor",
  runsHooksOf: ["claude-code"],
  // Only the payload counts: a Claude Code that was started in Cursor's terminal inherits Cursor's variables.
  sent: (payload) => text(payload, "cursor_version") !== undefined,
  events: {
    SessionStart: { kind: "start", otherwise: "start" },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "guard" },
    PostToolUse: { kind: "tool" },
    PreCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    Stop: { kind: "idle" },
    SessionEnd: { kind: "end" },
  },
  opening: "SessionStart",
  room: { most: 9_500, unit: "characters", parts: 20 },
  projectVariable: "CURSOR_PROJECT_DIR",
  fields: {
    session: "conversation_id",
    folders: "workspace_roots",
    model: "model",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    occurrence: "generation_id",
  },
  reply: {
    context: "nested",
    verdict: "nested",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    showsLines: false,
  },
  tools: hostTools({
    Read: reads(PATH),
    Write: writes(PATH, ["content", "contents"]),
    Edit: replaces(PATH, { old: "old_string", new: "new_string" }),
    Shell: runs("command"),
  }),
};
