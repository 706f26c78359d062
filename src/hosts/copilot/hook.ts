import type { HookHost } from "../port/hook-host.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";
import { answerIn, eventsFile, isJustResumed, shownInEvents } from "./events-file.ts";
import { isHeld } from "./held.ts";
import { tools } from "./tools.ts";

export const copilot: HookHost = {
  name: "copilot",
  label: "Copilot CLI",
  // Not `sessionStart`: Copilot does not store its context, puts it before the whole history, and it is gone after a
  // resume at which Continuo fails. A prompt's context is part of the history.
  events: {
    userPromptSubmitted: { kind: "prompt" },
    preToolUse: { kind: "guard" },
    // Only the first 10,240 characters of all hooks together reach the model; Copilot drops the rest silently.
    postToolUse: { kind: "tool", room: { most: 9_500, unit: "characters", parts: 20 } },
    // Nothing that is printed here reaches the summariser.
    preCompact: { kind: "compacting", endsEpoch: true, answer: "none" },
    agentStop: { kind: "idle" },
    subagentStart: { kind: "childStart" },
  },
  opening: "userPromptSubmitted",
  // With a prompt 60,000 characters reach the model, but only those of the last hook.
  room: { most: 55_000, unit: "characters", parts: 20 },
  // `subagentStart` names the parent as its session, the child's own events name the child.
  fields: {
    session: "sessionId",
    child: "agentId",
    parent: "parentAgentId",
    agent: "agentType",
    transcript: "transcriptPath",
    tool: "toolName",
    toolInput: "toolArgs",
    toolResponse: "toolResult",
    refused: "stop_hook_active",
  },
  // Copilot respects only keys at the top.
  reply: {
    context: "top",
    verdict: "top",
    decision: "permissionDecision",
    reason: "permissionDecisionReason",
    canAsk: true,
    showsLines: false, // no hook of Copilot's can show its user a text: it reads `systemMessage` and drops it
  },
  tools,
  promptForm: { mentionsIn },
  transcriptOf: eventsFile,
  answerIn,
  shows: shownInEvents,
  // A program built on Copilot's SDK answers for its sessions and their children.
  isServedElsewhere: ({ env, at }, { id, parent }) =>
    isHeld(env, id, at) || (parent !== undefined && isHeld(env, parent, at)),
  fromTranscript: (_call, { name, transcript }) =>
    name === "prompt" ? { afterResume: isJustResumed(transcript) } : {},
};
