import { ContinuoError } from "../../../base/errors.ts";
import type { Room } from "../../../compose/room.ts";
import type { HostEvent } from "../../../moments/host-event.ts";
import type { Verdict } from "../../../moments/ports/source.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { IdleMoment, PromptMoment, Session, ToolMoment } from "../../../moments/types.ts";
import type { EventKind, HookCall, HookCaller, HookEvent } from "../../port/hook-host.ts";
import { type Common, moment, type Payload, text, toolMoment } from "../fields.ts";
import { promptWithFiles } from "../mentions/mentioned-files.ts";
import { WAIT_MS } from "../time-limits.ts";
import { toolArguments } from "../tool-use/tool-arguments.ts";

/** A payload of one of the host's events, in the engine's terms; undefined when there is nothing to do. */
export function parseEvent(host: HookCaller, call: HookCall, payload: Payload): HostEvent | undefined {
  const event = eventOf(host, call.event);
  // Programs that run another host's hooks have not all of its events.
  if (event === undefined && call.entryOf !== undefined) return undefined;
  const common = commonOf(host, call, payload);
  if (host.isServedElsewhere?.(call, common.session)) return undefined;
  if (event !== undefined && host.answersHere?.(call, event.kind, common.session) === false) return undefined;
  if (event === undefined)
    throw new ContinuoError("unknown-event", `${host.label} has no event "${call.event}" that we know`, {
      hint: `known events: ${Object.keys(host.events).join(", ")}`,
    });
  switch (event.kind) {
    case "start":
      return started(host, event, common, text(payload, "source") ?? "");
    case "childStart":
      return common.session.parent === undefined ? undefined : moment({ ...common, name: "start" });
    case "prompt": {
      const typed = promptWithFiles(text(payload, "prompt") ?? "", host.promptForm, common);
      return moment(withTranscript(host, call, { ...common, name: "prompt", ...typed }));
    }
    case "guard":
      return { kind: "guard", moment: toolCall(host, common, payload) };
    case "tool":
      return moment(withTranscript(host, call, toolCall(host, common, payload)));
    case "compacting": {
      const trigger = text(payload, "trigger") === "auto" ? "auto" : "manual";
      const isBrief = event.isBriefIfManual === true && trigger === "manual";
      return moment({ ...common, name: "compacting", trigger, endsEpoch: event.endsEpoch, isBrief });
    }
    case "summary": {
      const summary = text(payload, "compact_summary") ?? "";
      return { kind: "summary", moment: { ...common, name: "compacted" }, summary };
    }
    case "idle":
      return moment({ ...stopped(host, common, payload), endFollows: saysEnd(host) });
    case "end":
      return moment({ ...common, name: "end", why: text(payload, "reason") ?? "other" });
  }
}

function started(host: HookCaller, event: HookEvent, common: Common, source: string): HostEvent | undefined {
  const { sources = {}, otherwise } = event;
  const name = Object.hasOwn(sources, source) ? sources[source] : otherwise;
  if (name === "resume") return moment({ ...common, name, kept: host.keepsContext });
  return name === undefined ? undefined : moment({ ...common, name });
}

function commonOf(host: HookCaller, call: HookCall, payload: Payload): Common {
  const { fields, projectVariable } = host;
  const id = text(payload, fields.session);
  if (id === undefined)
    throw new ContinuoError("payload-incomplete", `${call.event} came without a ${fields.session}`, {
      hint: `${host.label} calls this command; see docs/hosts/${host.name}.md`,
    });
  const folders = fields.folders === undefined ? [] : payload[fields.folders];
  const folder: unknown = Array.isArray(folders) ? folders[0] : undefined;
  const cwd = text(payload, "cwd") ?? (typeof folder === "string" && folder !== "" ? folder : call.cwd);
  const given = (field: string | undefined) => (field === undefined ? undefined : text(payload, field));
  const session = sessionOf(host, id, given(fields.child), given(fields.parent));
  const transcript = given(fields.transcript) ?? host.transcriptOf?.(call.env, id);
  // A child's payload may name the transcript of its parent.
  const isLookedAt = transcript !== undefined && session.parent === undefined;
  return {
    session,
    project: findProject((projectVariable !== undefined && call.env[projectVariable]) || cwd),
    cwd,
    at: call.at,
    model: given(fields.model),
    agent: given(fields.agent),
    transcript,
    shows: isLookedAt ? host.shows?.(transcript) : undefined,
  };
}

function sessionOf(
  { name: host, fields }: HookCaller,
  id: string,
  child: string | undefined,
  parent: string | undefined,
): Session {
  if (child === undefined) return { host, id };
  return fields.parent === undefined
    ? { host, id: `${id}_${child}`, parent: id }
    : { host, id: child, parent: parent ?? id };
}

function saysEnd({ events }: HookCaller): boolean {
  return Object.values(events).some(({ kind }) => kind === "end");
}

/** The MCP server gets every field as a string. */
function stopped({ fields, answerIn }: HookCaller, common: Common, payload: Payload): IdleMoment {
  const { transcript } = common;
  const answer =
    fields.answer === undefined ? transcript && answerIn?.(transcript) : text(payload, fields.answer);
  const refused = fields.refused === undefined ? "" : String(payload[fields.refused] ?? "");
  return {
    ...common,
    name: "idle",
    answer: answer || undefined,
    isAfterRefusal: refused === "" ? undefined : refused === "true",
  };
}

function toolCall({ fields, tools }: HookCaller, common: Common, payload: Payload): ToolMoment {
  const { tool, toolInput, toolResponse } = fields;
  const response = toolResponse === undefined ? undefined : payload[toolResponse];
  return toolMoment(common, text(payload, tool), toolArguments(payload[toolInput]), tools, response);
}

function withTranscript<M extends PromptMoment | ToolMoment>(host: HookCaller, call: HookCall, moment: M): M {
  return { ...moment, ...host.fromTranscript?.(call, moment) };
}

/** What to print so that the model, or the host's summariser, gets the text, and the user the lines. */
export function replyText(
  host: HookCaller,
  event: string,
  text: string,
  lines: readonly string[] = [],
): string {
  const { answer } = eventOf(host, event) ?? {};
  if (answer === "none") return "";
  if (answer === "text") return text;
  const shown = shownLines(host, lines);
  if (text === "") return shown === undefined ? "" : printed(host, shown);
  return replyJson(host, host.reply.context, event, { additionalContext: text }, shown);
}

function shownLines({ reply }: HookCaller, lines: readonly string[]): { systemMessage: string } | undefined {
  return reply.showsLines && lines.length > 0 ? { systemMessage: lines.join("\n") } : undefined;
}

/** What to print so that the host respects the verdict on a tool call, or on the agent's stop. */
export function replyVerdict(
  host: HookCaller,
  event: string,
  { action, message }: Verdict,
  lines: readonly string[] = [],
): string {
  const { verdict, decision, reason, canAsk } = host.reply;
  // All hosts use the same words here.
  if (eventOf(host, event)?.kind === "idle") {
    const refusal = { decision: "block", reason: message };
    const nested = { hookSpecificOutput: { hookEventName: event, ...refusal } };
    return printed(host, {
      ...shownLines(host, lines),
      ...refusal,
      ...(host.reply.nestsRefusal === true && nested),
    });
  }
  if (action === "ask" && !canAsk) {
    const denial = `${message} (ask the user before you do this)`;
    return replyJson(host, verdict, event, { [decision]: "deny", [reason]: denial });
  }
  // Without a terminal the host refuses by itself, and the model reads the question.
  const question = action === "ask" ? `${message} (needs the user's consent: ask the user first)` : message;
  return replyJson(host, verdict, event, { [decision]: action, [reason]: question });
}

function replyJson(
  host: HookCaller,
  place: "nested" | "top",
  event: string,
  answer: Readonly<Record<string, string>>,
  beside: Readonly<Record<string, string>> = {},
): string {
  return printed(host, {
    ...beside,
    ...(place === "top" ? answer : { hookSpecificOutput: { hookEventName: event, ...answer } }),
  });
}

function printed({ reply }: HookCaller, answer: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(answer);
  if (!reply.isAscii) return json;
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** How much of one answer to this event reaches the model. */
export function roomAt(host: HookCaller, event: string): Room {
  return eventOf(host, event)?.room ?? host.room;
}

const WAITS: Readonly<Record<EventKind, number>> = {
  start: WAIT_MS.start,
  childStart: WAIT_MS.start,
  prompt: WAIT_MS.prompt,
  guard: WAIT_MS.guard,
  tool: WAIT_MS.tool,
  compacting: WAIT_MS.compaction,
  summary: WAIT_MS.idle,
  idle: WAIT_MS.idle,
  end: WAIT_MS.end,
};

/** How long the host waits for an answer, in milliseconds, as installed unless the user's settings ask for more. */
export function waitMsAt(host: HookCaller, event: string): number {
  const kind = eventOf(host, event)?.kind;
  return kind === undefined ? WAIT_MS.prompt : WAITS[kind];
}

/** Event names come from the command line: `constructor` is none. */
export function eventOf({ events }: HookCaller, name: string): HookEvent | undefined {
  return Object.hasOwn(events, name) ? events[name] : undefined;
}

/** Whether the hook's process goes on when the host has what it waits for. */
export function goesOnAt(hook: HookCaller, event: string): "answering" | "silently" | undefined {
  const kind = eventOf(hook, event)?.kind;
  if (kind === "end") return "silently";
  return kind === "idle" ? "answering" : undefined;
}

/**
 * Hooks of Claude Code, which has a way of its own to call the server, start processes where they do not call it. A guard
 * is not asked of a server that may stand still. What goes on after its answer may outlive the server.
 */
export function mayAsk(hook: HookCaller, event: string): boolean {
  const isGuard = eventOf(hook, event)?.kind === "guard";
  return hook.name !== "claude-code" && !isGuard && goesOnAt(hook, event) === undefined;
}
