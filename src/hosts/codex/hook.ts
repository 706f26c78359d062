import type { Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { Session, ToolMoment } from "../../moments/types.ts";
import type { HookCall, HookHost } from "../port/hook-host.ts";
import type { Meaning } from "../port/meaning.ts";
import {
  type Common,
  contextReply,
  denial,
  moment,
  optional,
  type Payload,
  record,
  sessionId,
  text,
  toolMoment,
  unknownEvent,
} from "../shared/fields.ts";
import { WAIT_MS, wholeSeconds } from "../shared/time-limits.ts";
import { filesOf } from "./tools.ts";

/** Events that we register for, in the order of a session's life. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "Stop",
  "SessionEnd",
  "SubagentStart",
] as const;

/** Codex takes whole seconds only: with any other number it loads no hook of the file. */
export const EVENT_WAIT_MS: Readonly<Record<(typeof EVENTS)[number], number>> = {
  SessionStart: wholeSeconds(WAIT_MS.start),
  UserPromptSubmit: wholeSeconds(WAIT_MS.prompt),
  PreToolUse: wholeSeconds(WAIT_MS.guard),
  PostToolUse: wholeSeconds(WAIT_MS.tool),
  PreCompact: wholeSeconds(WAIT_MS.compaction),
  Stop: wholeSeconds(WAIT_MS.idle),
  SessionEnd: wholeSeconds(WAIT_MS.end),
  SubagentStart: wholeSeconds(WAIT_MS.start),
};

export const codex: HookHost = {
  name: "codex",
  events: EVENTS,
  waitMs: (event) => (EVENT_WAIT_MS as Readonly<Record<string, number>>)[event] ?? WAIT_MS.prompt,
  // Codex cuts the middle out of an answer of more than 10,000 bytes, but for the limit that our entries lift.
  room: () => ({ most: 60_000, unit: "bytes", parts: 20 }),
  understand,
  reply,
  replyVerdict,
};

function understand(call: HookCall, payload: Payload): Meaning | undefined {
  const common = commonOf(call, payload);
  switch (call.event) {
    case "SessionStart":
      return started(common, text(payload, "source"));
    case "SubagentStart":
      return common.session.parent === undefined ? undefined : moment({ ...common, name: "start" });
    case "UserPromptSubmit":
      return moment({ ...common, name: "prompt", prompt: text(payload, "prompt") ?? "" });
    case "PreToolUse":
      return { kind: "guard", moment: tool(common, payload) };
    case "PostToolUse":
      return moment(tool(common, payload));
    case "PreCompact":
      return moment({
        ...common,
        name: "compacting",
        trigger: text(payload, "trigger") === "auto" ? "auto" : "manual",
        // SessionStart follows; should it fail there is no later event from which that could be seen.
        endsEpoch: true,
      });
    case "Stop":
      return moment({ ...common, name: "idle" });
    case "SessionEnd":
      return moment({ ...common, name: "end", why: text(payload, "reason") ?? "other" });
    default:
      throw unknownEvent(call.event, "Codex", EVENTS);
  }
}

/**
 * Codex keeps hook context in its history and adds whatever it is told again, so a replayed snapshot would be there
 * twice.
 */
function started(common: Common, source: string | undefined): Meaning {
  if (source === "resume") return moment({ ...common, name: "resume", kept: true });
  return moment({ ...common, name: source === "compact" ? "compacted" : "start" });
}

function commonOf(call: HookCall, payload: Payload): Common {
  const id = sessionId(call, payload, "session_id", "Codex", "codex");
  const cwd = text(payload, "cwd") ?? call.cwd;
  const child = text(payload, "agent_id");
  const session: Session =
    child === undefined ? { host: "codex", id } : { host: "codex", id: `${id}_${child}`, parent: id };
  return {
    session,
    project: findProject(cwd),
    cwd,
    at: call.at,
    ...optional("model", text(payload, "model")),
    ...optional("agent", text(payload, "agent_type")),
    ...optional("transcript", text(payload, "transcript_path")),
  };
}

function tool(common: Common, payload: Payload): ToolMoment {
  return toolMoment(common, text(payload, "tool_name"), record(payload, "tool_input"), filesOf);
}

/** Any key that Codex does not know makes it count the hook as failed and drop the answer. */
function reply(event: string, text: string): string {
  // Nothing that PreCompact prints reaches the summariser.
  if (event === "PreCompact") return "";
  return contextReply(event, text);
}

function replyVerdict(event: string, verdict: Verdict): string {
  if (verdict.action === "warn") return reply(event, verdict.message);
  // Codex fails on "ask" and then runs the tool.
  const decision = { permissionDecision: "deny", permissionDecisionReason: denial(verdict) };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...decision } });
}
