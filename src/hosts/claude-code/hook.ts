import type { Shows } from "../../moments/types.ts";
import type { HookHost } from "../port/hook-host.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { tools } from "./tools.ts";

export const claudeCode: HookHost = {
  name: "claude-code",
  label: "Claude Code",
  // The outputs of all entries of an event reach the model. Six carry about 57,000 characters, which matches
  // `rulesLimit`. Prompts have fewer entries, because each costs a shell and only the first prompt after long rules
  // needs them. PostToolUse has one for the same reason: a waiting part comes with the next call.
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
    // Claude Code appends the answer verbatim to the summariser's instructions, so JSON would appear there literally.
    // After `/compact` the next request contains it too, as output of that command.
    PreCompact: { kind: "compacting", answer: "text", isBriefIfManual: true },
    // SessionStart (compact) came before and has already begun the epoch.
    PostCompact: { kind: "summary" },
    Stop: { kind: "idle" },
    SessionEnd: { kind: "end" },
    SubagentStart: { kind: "childStart", entries: 6 },
  },
  opening: "SessionStart",
  reviewCommand: "/continuo:review",
  // If one output has more than 10,000 UTF-16 units, Claude Code shows only a preview.
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

/** Lines of the conversation begin with their parent's id. Lines with requests and states have none. */
const INPUT =
  /^\{"parentUuid":(?:null|"[^"]*"),.{0,200}?"isSidechain":false,.{0,200}?(?:"type":"user"|"type":"hook_additional_context"|"role":"user")/s;
const ANSWER = /^\{"parentUuid":(?:null|"[^"]*"),.{0,200}?"isSidechain":false,.{0,200}?"role":"assistant"/s;
/** Messages by the host itself, such as that a request failed. */
const SYNTHETIC = /^.{0,500}"<synthetic>"/s;

/** Inside a JSON string, quotes would be escaped, so this matches only the line's own fields. */
const TIME = /"uuid":"[0-9a-f-]{36}","timestamp":"([^"]+)"/;
const VERSION = /"sessionId":"[^"]*","version":"(\d+)\.(\d+)\.(\d+)/;

/** Since this version transcripts are known to contain what hooks added; 2.0.77 keeps nothing of it. */
const KEEPS_SINCE = [2, 1, 325] as const;

/**
 * Claude Code stores what hooks added for the model as attachments. Other attachments contain what a hook printed,
 * which is not what the model got.
 */
function shownInTranscript(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      if (!isKept(line)) return undefined;
      if (INPUT.test(line)) return "input";
      return ANSWER.test(line) && !SYNTHETIC.test(line) ? "answer" : undefined;
    },
    timeOf: (line) => Date.parse(TIME.exec(line)?.[1] ?? "") || undefined,
  });
}

function isKept(line: string): boolean {
  const version = VERSION.exec(line)?.slice(1).map(Number) ?? [];
  const at = KEEPS_SINCE.findIndex((least, i) => version[i] !== least);
  return at === -1 || (version[at] ?? 0) > (KEEPS_SINCE[at] ?? 0);
}
