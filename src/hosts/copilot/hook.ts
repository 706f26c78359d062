import type { Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { Session, ToolMoment } from "../../moments/types.ts";
import type { HookCall, HookHost } from "../port/hook-host.ts";
import type { Meaning } from "../port/meaning.ts";
import {
  type Common,
  moment,
  optional,
  type Payload,
  record,
  sessionId,
  text,
  toolMoment,
  unknownEvent,
} from "../shared/fields.ts";
import { WAIT_MS } from "../shared/time-limits.ts";
import { eventsFile, isJustResumed } from "./events-file.ts";
import { isHeld } from "./held.ts";
import { filesOf } from "./tools.ts";

/**
 * Events that we register for, in the order of a session's life. Not `sessionStart`: its context is kept nowhere, stands
 * before the whole history, and is gone after a resume at which we fail. The prompt's is part of the history.
 */
export const EVENTS = [
  "userPromptSubmitted",
  "preToolUse",
  "postToolUse",
  "preCompact",
  "agentStop",
  "subagentStart",
] as const;

export const EVENT_WAIT_MS: Readonly<Record<(typeof EVENTS)[number], number>> = {
  userPromptSubmitted: WAIT_MS.prompt,
  preToolUse: WAIT_MS.guard,
  postToolUse: WAIT_MS.tool,
  preCompact: WAIT_MS.compaction,
  agentStop: WAIT_MS.idle,
  subagentStart: WAIT_MS.start,
};

export const copilot: HookHost = {
  name: "copilot",
  events: EVENTS,
  waitMs: (event) => (EVENT_WAIT_MS as Readonly<Record<string, number>>)[event] ?? WAIT_MS.prompt,
  // After a tool call only the first 10,240 characters of all hooks together reach the model, without notice; with a
  // prompt 60,000 characters do, but only those of the last hook.
  room: (event) =>
    event === "postToolUse"
      ? { most: 9_500, unit: "characters", parts: 20 }
      : { most: 55_000, unit: "characters", parts: 20 },
  understand,
  reply,
  replyVerdict,
};

function understand(call: HookCall, payload: Payload): Meaning | undefined {
  const common = commonOf(call, payload);
  // The children's too: they are the program's.
  if (
    [common.session.id, common.session.parent].some((id) => id !== undefined && isHeld(call.env, id, call.at))
  )
    return undefined;
  switch (call.event) {
    case "subagentStart":
      return common.session.parent === undefined ? undefined : moment({ ...common, name: "start" });
    case "userPromptSubmitted":
      return moment({
        ...common,
        name: "prompt",
        prompt: text(payload, "prompt") ?? "",
        afterResume: isJustResumed(common.transcript),
      });
    case "preToolUse":
      return { kind: "guard", moment: tool(common, payload) };
    case "postToolUse":
      return moment(tool(common, payload));
    case "preCompact":
      return moment({
        ...common,
        name: "compacting",
        trigger: text(payload, "trigger") === "auto" ? "auto" : "manual",
        endsEpoch: true,
      });
    case "agentStop":
      return moment({ ...common, name: "idle" });
    default:
      throw unknownEvent(call.event, "Copilot CLI", EVENTS);
  }
}

function commonOf(call: HookCall, payload: Payload): Common {
  const id = sessionId(call, payload, "sessionId", "Copilot CLI", "copilot");
  const cwd = text(payload, "cwd") ?? call.cwd;
  return {
    session: sessionOf(id, payload),
    project: findProject(cwd),
    cwd,
    at: call.at,
    ...optional("agent", text(payload, "agentType")),
    ...optional("transcript", text(payload, "transcriptPath") ?? eventsFile(call.env, id)),
  };
}

/** `subagentStart` names the parent as its session, the child's own events name the child. */
function sessionOf(id: string, payload: Payload): Session {
  const child = text(payload, "agentId");
  if (child === undefined) return { host: "copilot", id };
  return { host: "copilot", id: child, parent: text(payload, "parentAgentId") ?? id };
}

function tool(common: Common, payload: Payload): ToolMoment {
  return toolMoment(common, text(payload, "toolName"), record(payload, "toolArgs"), filesOf);
}

/** Copilot heeds only keys at the top. */
function reply(event: string, text: string): string {
  // Nothing that preCompact prints reaches the summariser.
  if (event === "preCompact") return "";
  return JSON.stringify({ additionalContext: text });
}

function replyVerdict(event: string, verdict: Verdict): string {
  if (verdict.action === "warn") return reply(event, verdict.message);
  return JSON.stringify({ permissionDecision: verdict.action, permissionDecisionReason: verdict.message });
}
