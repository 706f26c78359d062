import type { Room } from "../../compose/room.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { Session, ToolMoment } from "../../moments/types.ts";
import type { HookCall, HookHost } from "../port/hook-host.ts";
import type { Meaning } from "../port/meaning.ts";
import {
  type Common,
  contextReply,
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
import { filesOf } from "./tools.ts";

/** Events that we register for, in the order of a session's life. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "PostCompact",
  "Stop",
  "SessionEnd",
  "SubagentStart",
] as const;

/** Its answer is appended to the summariser's instructions as it is: JSON would be there literally. */
export const PLAIN_TEXT_EVENT = "PreCompact";

/** Claude Code replaces the context of one output by a preview when it has more than 10,000 UTF-16 units. */
const ROOM: Room = { most: 9_500, unit: "characters", parts: 20 };

/**
 * But the outputs of all entries of an event arrive. Six carry about 57,000 characters, which is what `rulesLimit` comes
 * to. Prompts have fewer, since each costs them a shell: only the first session with long rules needs them. PostToolUse
 * has one for the same reason: a part that waits comes with the next call.
 */
export const ENTRIES: Readonly<Record<string, number>> = {
  SessionStart: 6,
  UserPromptSubmit: 4,
  SubagentStart: 6,
};

export const EVENT_WAIT_MS: Readonly<Record<(typeof EVENTS)[number], number>> = {
  SessionStart: WAIT_MS.start,
  UserPromptSubmit: WAIT_MS.prompt,
  PreToolUse: WAIT_MS.guard,
  PostToolUse: WAIT_MS.tool,
  PreCompact: WAIT_MS.compaction,
  PostCompact: WAIT_MS.idle,
  Stop: WAIT_MS.idle,
  SessionEnd: WAIT_MS.end,
  SubagentStart: WAIT_MS.start,
};

export const claudeCode: HookHost = {
  name: "claude-code",
  events: EVENTS,
  waitMs: (event) => (EVENT_WAIT_MS as Readonly<Record<string, number>>)[event] ?? WAIT_MS.prompt,
  room: () => ROOM,
  entries: ENTRIES,
  understand,
  reply,
  replyVerdict,
};

function understand(call: HookCall, payload: Payload): Meaning | undefined {
  const common = commonOf(call, payload);
  switch (call.event) {
    case "SessionStart":
      return moment({ ...common, name: startKind(text(payload, "source")) });
    case "SubagentStart":
      return common.session.parent === undefined ? undefined : moment({ ...common, name: "start" });
    case "UserPromptSubmit":
      return moment({ ...common, name: "prompt", prompt: text(payload, "prompt") ?? "" });
    case "PreToolUse":
      return { kind: "guard", moment: tool(common, payload) };
    case "PostToolUse":
      return moment(tool(common, payload));
    case "PreCompact": {
      const trigger = text(payload, "trigger") === "auto" ? "auto" : "manual";
      return moment({ ...common, name: "compacting", trigger });
    }
    case "PostCompact": // SessionStart(compact) came before and began the epoch
      return {
        kind: "summary",
        moment: { ...common, name: "compacted" },
        summary: text(payload, "compact_summary") ?? "",
      };
    case "Stop":
      return moment({ ...common, name: "idle" });
    case "SessionEnd":
      return moment({ ...common, name: "end", why: text(payload, "reason") ?? "other" });
    default:
      throw unknownEvent(call.event, "Claude Code", EVENTS);
  }
}

function commonOf(call: HookCall, payload: Payload): Common {
  const id = sessionId(call, payload, "session_id", "Claude Code", "claude-code");
  const cwd = text(payload, "cwd") ?? call.cwd;
  const child = text(payload, "agent_id");
  const session: Session =
    child === undefined
      ? { host: "claude-code", id }
      : { host: "claude-code", id: `${id}_${child}`, parent: id };
  return {
    session,
    // The session's own project, also after the agent changed into another folder.
    project: findProject(call.env["CLAUDE_PROJECT_DIR"] || cwd),
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

function startKind(source: string | undefined): "start" | "resume" | "compacted" {
  if (source === "compact") return "compacted";
  return source === "resume" || source === "fork" ? "resume" : "start";
}

function reply(event: string, text: string): string {
  return event === PLAIN_TEXT_EVENT ? text : contextReply(event, text);
}

function replyVerdict(event: string, verdict: Verdict): string {
  if (verdict.action === "warn") return reply(event, verdict.message);
  const decision = { permissionDecision: verdict.action, permissionDecisionReason: verdict.message };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...decision } });
}
