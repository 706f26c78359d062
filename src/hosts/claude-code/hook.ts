import { ContinuoError } from "../../moments/errors.ts";
import { findProject } from "../../moments/project.ts";
import type { Verdict } from "../../moments/source.ts";
import type { Moment, Session, ToolMoment } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import type { HookCall, HookHost } from "../hook-host.ts";
import type { Meaning } from "../meaning.ts";
import { filesOf } from "./tools.ts";

type Payload = Readonly<Record<string, unknown>>;

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

export const claudeCode: HookHost = {
  name: "claude-code",
  events: EVENTS,
  // Claude Code replaces an answer of more than 10,000 UTF-16 units by a preview; the rest is its own framing.
  maxChars: 9_000,
  understand,
  reply,
  replyVerdict,
};

function understand(call: HookCall, payload: Payload): Meaning | undefined {
  const common = commonOf(call, payload);
  switch (call.event) {
    case "SessionStart":
      return { kind: "moment", moment: { ...common, name: startKind(text(payload, "source")) } };
    case "SubagentStart":
      return common.session.parent === undefined
        ? undefined
        : { kind: "moment", moment: { ...common, name: "start" } };
    case "UserPromptSubmit":
      return { kind: "moment", moment: { ...common, name: "prompt", prompt: text(payload, "prompt") ?? "" } };
    case "PreToolUse":
      return { kind: "guard", moment: toolMoment(common, payload) };
    case "PostToolUse":
      return { kind: "moment", moment: toolMoment(common, payload) };
    case "PreCompact": {
      const trigger = text(payload, "trigger") === "auto" ? "auto" : "manual";
      return { kind: "moment", moment: { ...common, name: "compacting", trigger } };
    }
    case "PostCompact": // SessionStart(compact) came before and began the epoch
      return {
        kind: "summary",
        moment: { ...common, name: "compacted" },
        summary: text(payload, "compact_summary") ?? "",
      };
    case "Stop":
      return { kind: "moment", moment: { ...common, name: "idle" } };
    case "SessionEnd":
      return { kind: "moment", moment: { ...common, name: "end", why: text(payload, "reason") ?? "other" } };
    default:
      throw new ContinuoError("unknown-event", `Claude Code has no event "${call.event}" that we know`, {
        hint: `known events: ${EVENTS.join(", ")}`,
      });
  }
}

type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "agent" | "transcript">;

function commonOf(call: HookCall, payload: Payload): Common {
  const id = text(payload, "session_id");
  if (id === undefined) {
    throw new ContinuoError("payload-incomplete", `${call.event} came without a session_id`, {
      hint: "this command is meant to be called by Claude Code; see docs/hosts/claude-code.md",
    });
  }
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

function toolMoment(common: Common, payload: Payload): ToolMoment {
  const name = text(payload, "tool_name") ?? "";
  const input = record(payload, "tool_input");
  const files = filesOf(name, input, common.cwd, common.project.root);
  return { ...common, name: "tool", tool: { name, input, files } };
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}

function startKind(source: string | undefined): "start" | "resume" | "compacted" {
  if (source === "compact") return "compacted";
  return source === "resume" || source === "fork" ? "resume" : "start";
}

function reply(event: string, text: string): string {
  // PreCompact takes raw text: JSON would land literally in the summariser's instructions.
  if (event === "PreCompact") return text;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}

function replyVerdict(event: string, verdict: Verdict): string {
  if (verdict.action === "warn") return reply(event, verdict.message);
  const decision = { permissionDecision: verdict.action, permissionDecisionReason: verdict.message };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...decision } });
}

function text(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function record(payload: Payload, key: string): Record<string, unknown> {
  const value = payload[key];
  return isRecord(value) ? value : {};
}
