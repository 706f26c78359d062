import { ContinuoError } from "../../moments/errors.ts";
import { findProject } from "../../moments/project.ts";
import type { Moment, Session } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import type { HookCall, HookHost } from "../hook-host.ts";

type Payload = Readonly<Record<string, unknown>>;

/** Events that we register for, in the order of a session's life. */
export const EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
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
  toMoment,
  reply,
};

function toMoment(call: HookCall, payload: Payload): Moment | undefined {
  const id = text(payload, "session_id");
  if (id === undefined) {
    throw new ContinuoError("payload-incomplete", `${call.event} came without a session_id`, {
      hint: "this command is meant to be called by Claude Code; see docs/hosts/claude-code.md",
    });
  }
  const cwd = text(payload, "cwd") ?? call.cwd;
  const agent = text(payload, "agent_id");
  const session: Session =
    agent === undefined
      ? { host: "claude-code", id }
      : { host: "claude-code", id: `${id}_${agent}`, parent: id };
  const model = text(payload, "model");
  const transcript = text(payload, "transcript_path");
  const common = {
    session,
    // The session's own project, also after the agent changed into another folder.
    project: findProject(call.env["CLAUDE_PROJECT_DIR"] || cwd),
    cwd,
    at: call.at,
    ...(model === undefined ? {} : { model }),
    ...(transcript === undefined ? {} : { transcript }),
  };
  switch (call.event) {
    case "SessionStart":
      return { ...common, name: startKind(text(payload, "source")) };
    case "SubagentStart":
      return agent === undefined ? undefined : { ...common, name: "start" };
    case "UserPromptSubmit":
      return { ...common, name: "prompt", prompt: text(payload, "prompt") ?? "" };
    case "PostToolUse":
      return {
        ...common,
        name: "tool",
        tool: { name: text(payload, "tool_name") ?? "", input: record(payload, "tool_input") },
      };
    case "PreCompact":
      return {
        ...common,
        name: "compacting",
        trigger: text(payload, "trigger") === "auto" ? "auto" : "manual",
      };
    case "PostCompact":
      return undefined; // SessionStart(compact) is where the new epoch begins; the summary is for the sessions source
    case "Stop":
      return { ...common, name: "idle" };
    case "SessionEnd":
      return { ...common, name: "end", why: text(payload, "reason") ?? "other" };
    default:
      throw new ContinuoError("unknown-event", `Claude Code has no event "${call.event}" that we know`, {
        hint: `known events: ${EVENTS.join(", ")}`,
      });
  }
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

function text(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function record(payload: Payload, key: string): Record<string, unknown> {
  const value = payload[key];
  return isRecord(value) ? value : {};
}
