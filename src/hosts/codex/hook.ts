import type { Shows } from "../../moments/types.ts";
import type { HookHost } from "../port/hook-host.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";
import { tools } from "./tools.ts";

export const codex: HookHost = {
  name: "codex",
  label: "Codex",
  events: {
    SessionStart: {
      kind: "start",
      sources: { resume: "resume", compact: "compacted" },
      otherwise: "start",
    },
    UserPromptSubmit: { kind: "prompt" },
    PreToolUse: { kind: "guard" },
    PostToolUse: { kind: "tool" },
    // SessionStart follows. If that fails, no later event reveals it. Output of this hook does not reach the
    // summariser.
    PreCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    Stop: { kind: "idle" },
    SessionEnd: { kind: "end" },
    SubagentStart: { kind: "childStart" },
  },
  opening: "SessionStart",
  // Codex cuts the middle out of an answer of more than 10,000 bytes, unless the entry lifts the limit, as Continuo's
  // do.
  room: { most: 60_000, unit: "bytes", parts: 20 },
  // Delivering a snapshot again would put it into the history twice.
  keepsContext: true,
  fields: {
    session: "session_id",
    child: "agent_id",
    model: "model",
    agent: "agent_type",
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
    answer: "last_assistant_message",
    refused: "stop_hook_active",
  },
  // If an answer has a key that Codex does not know, Codex counts the hook as failed and drops the answer.
  reply: {
    context: "nested",
    verdict: "nested",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: false, // on "ask" Codex fails, and then runs the tool
    showsLines: true,
  },
  tools,
  shows: shownInRollout,
};

/** Lines begin with their time, a number and their type; an item's type and role come before its content. */
const ITEM = /^\{"timestamp":"([^"]+)",(?:"ordinal":\d+,)?"type":"response_item","payload":\{(.{0,160})/s;
const ANY_TIME = /^\{"timestamp":"([^"]+)"/;

const INPUT = /"role":"user"|"type":"\w+_output"/;
const ANSWER = /"role":"assistant"|"type":"(?:reasoning|\w+_call)"/;

/** Codex stores what hooks added for the model in the rollout, as items of the conversation. */
export function shownInRollout(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      const [, , item] = ITEM.exec(line) ?? [];
      if (item === undefined) return undefined;
      if (INPUT.test(item)) return "input";
      return ANSWER.test(item) ? "answer" : "other";
    },
    timeOf: (line) => Date.parse(ANY_TIME.exec(line)?.[1] ?? "") || undefined,
  });
}
