import { join } from "node:path";
import type { Verdict } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { PromptMoment, ToolMoment } from "../../moments/types.ts";
import { userHome } from "../../store/home.ts";
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
import { WAIT_MS } from "../shared/time-limits.ts";
import { willHold } from "./conversation.ts";
import { filesOf } from "./tools.ts";

/**
 * Events that we register for, in the order of a session's life. Not `PreCompress`: it reaches no summariser and comes
 * before every request.
 */
export const EVENTS = [
  "SessionStart",
  "BeforeAgent",
  "BeforeTool",
  "AfterTool",
  "AfterAgent",
  "SessionEnd",
] as const;

export const EVENT_WAIT_MS: Readonly<Record<(typeof EVENTS)[number], number>> = {
  SessionStart: WAIT_MS.start,
  BeforeAgent: WAIT_MS.prompt,
  BeforeTool: WAIT_MS.guard,
  AfterTool: WAIT_MS.tool,
  AfterAgent: WAIT_MS.idle,
  SessionEnd: WAIT_MS.end,
};

export const gemini: HookHost = {
  name: "gemini",
  events: EVENTS,
  waitMs: (event) => (EVENT_WAIT_MS as Readonly<Record<string, number>>)[event] ?? WAIT_MS.prompt,
  // After a tool call 10,000 characters come through and 60,000 lose their middle; with a prompt 300,000 come through.
  room: (event) =>
    event === "AfterTool"
      ? { most: 9_500, unit: "characters", parts: 20 }
      : { most: 200_000, unit: "characters", parts: 20 },
  understand,
  reply: contextReply,
  replyVerdict,
};

function understand(call: HookCall, payload: Payload): Meaning | undefined {
  const common = commonOf(call, payload);
  switch (call.event) {
    // What it is told here is put before the prompt, and a prompt that begins with hook context is left out of the
    // history when the session is resumed.
    case "SessionStart":
      return text(payload, "source") === "resume"
        ? moment({ ...common, name: "resume", kept: true })
        : undefined;
    case "BeforeAgent":
      return moment(shown(call, { ...common, name: "prompt", prompt: text(payload, "prompt") ?? "" }));
    case "BeforeTool":
      return { kind: "guard", moment: tool(common, payload) };
    case "AfterTool":
      return moment(shown(call, tool(common, payload)));
    case "AfterAgent":
      return moment({ ...common, name: "idle" });
    case "SessionEnd":
      return moment({ ...common, name: "end", why: text(payload, "reason") ?? "other" });
    default:
      throw unknownEvent(call.event, "Gemini CLI", EVENTS);
  }
}

/** No event tells of a compression, but the transcript shows what is left of the conversation. */
function shown<M extends PromptMoment | ToolMoment>(call: HookCall, happened: M): M {
  const { transcript, project } = happened;
  if (transcript === undefined) return happened;
  const settings = [settingsFile(call.env), join(project.root, ".gemini", "settings.json")];
  const conversation = { transcript, settings, isMidTurn: happened.name === "tool" };
  return { ...happened, stillHolds: (text, since) => willHold(conversation, text, since) };
}

export function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(env["GEMINI_CLI_HOME"] || userHome(env), ".gemini", "settings.json");
}

function commonOf(call: HookCall, payload: Payload): Common {
  const id = sessionId(call, payload, "session_id", "Gemini CLI", "gemini");
  const cwd = text(payload, "cwd") ?? call.cwd;
  return {
    session: { host: "gemini", id },
    project: findProject(call.env["GEMINI_PROJECT_DIR"] || cwd),
    cwd,
    at: call.at,
    ...optional("transcript", text(payload, "transcript_path")),
  };
}

function tool(common: Common, payload: Payload): ToolMoment {
  return toolMoment(common, text(payload, "tool_name"), record(payload, "tool_input"), filesOf);
}

function replyVerdict(_event: string, verdict: Verdict): string {
  // Before a tool call there is no way to tell the model something without stopping it: a warning is the user's.
  if (verdict.action === "warn") return JSON.stringify({ systemMessage: verdict.message });
  // On "ask" Gemini waits for a user for ever, also where there is no terminal.
  return JSON.stringify({ decision: "deny", reason: denial(verdict) });
}
