import type { HookHost } from "../port/hook-host.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { shownInTranscript } from "./shown.ts";
import { tools } from "./tools.ts";

export const claudeCode: HookHost = {
  name: "claude-code",
  label: "Claude Code",
  // The outputs of all entries of an event reach the model. Six carry about 57,000 characters, which is what
  // `rulesLimit` amounts to. Prompts have fewer, since every entry costs them a shell and only the first prompt after
  // long rules needs them. PostToolUse has one for the same reason: a part that waits comes with the next call.
  events: {
    SessionStart: {
      kind: "start",
      sources: { resume: "resume", fork: "resume", compact: "compacted" },
      otherwise: "start",
      entries: 6,
    },
    UserPromptSubmit: { kind: "prompt", entries: 4 },
    PreToolUse: { kind: "guard" },
    PostToolUse: { kind: "tool" },
    // Claude Code appends the answer to the summariser's instructions as it is; JSON would appear there literally. After
    // `/compact` the next request has it too, as output of that command.
    PreCompact: { kind: "compacting", answer: "text", isBriefIfManual: true },
    // SessionStart (compact) came before and began the epoch.
    PostCompact: { kind: "summary" },
    Stop: { kind: "idle" },
    SessionEnd: { kind: "end" },
    SubagentStart: { kind: "childStart", entries: 6 },
  },
  opening: "SessionStart",
  reviewCommand: "/continuo:review",
  // Claude Code shows only a preview of one output that has more than 10,000 UTF-16 units.
  room: { most: 9_500, unit: "characters", parts: 20 },
  projectVariable: "CLAUDE_PROJECT_DIR",
  fields: {
    session: "session_id",
    child: "agent_id",
    model: "model",
    agent: "agent_type",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    toolResponse: "tool_response",
    toolResponsePart: "type",
    answer: "last_assistant_message",
    refused: "stop_hook_active",
    occurrence: "prompt_id",
  },
  reply: {
    context: "nested",
    verdict: "nested",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    showsLines: true,
  },
  tools,
  promptForm: { mentionsIn },
  shows: shownInTranscript,
  past: async () => (await import("./past.ts")).readPast,
};
