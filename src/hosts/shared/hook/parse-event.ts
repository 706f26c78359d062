import { ContinuoError } from "../../../base/errors.ts";
import type { HostName } from "../../../base/host-names.ts";
import type { HostEvent } from "../../../moments/host-event.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { IdleMoment, PromptMoment, Session, ToolMoment } from "../../../moments/types.ts";
import type { EventKind, HookCall, HookCaller, HookEvent } from "../../port/hook-host.ts";
import { type Common, inSnakeCase, moment, type Payload, text, toolMoment } from "../fields.ts";
import { promptWithFiles } from "../mentions/mentioned-files.ts";
import { toolArguments } from "../tool-use/tool-arguments.ts";
import { eventOf } from "./events.ts";

/** The program that runs a hook, and its payload in the fields of its own table. */
interface Called {
  readonly host: HookCaller;
  readonly call: HookCall;
  readonly payload: Payload;
}

/**
 * Which program runs the hook. A hook is in the settings file of one host, but other programs read that file too. It is
 * that host unless the payload or the environment says otherwise.
 */
export function callerOf(
  entry: HookCaller,
  hosts: readonly HookCaller[],
  call: HookCall,
  payload: Payload,
): Called {
  const name = entry.name as HostName;
  const known = hosts.find(
    (host) => host.runsHooksOf?.includes(name) === true && host.sent?.(payload, call.env) === true,
  );
  const caller = known ?? unknownCaller(entry, payload);
  if (caller === undefined) return { host: entry, call, payload };
  const event = nameIn(caller, call.event, eventOf(entry, call.event)?.kind);
  return {
    host: caller,
    call: { ...call, event, entryOf: name },
    payload: caller.inOneForm?.(payload) ?? payload,
  };
}

/**
 * An unknown program: its payload names the session in a way that the file's host never did. It is treated like that
 * host.
 */
function unknownCaller(entry: HookCaller, payload: Payload): HookCaller | undefined {
  if (text(payload, entry.fields.session) !== undefined) return undefined;
  const session = SESSIONS.find((key) => text(inSnakeCase(payload), key) !== undefined);
  if (session === undefined) return undefined;
  const { fields: own } = entry;
  const fields = {
    ...own,
    session,
    transcript: "transcript_path",
    tool: "tool_name",
    toolInput: "tool_input",
  };
  return { ...entry, name: "unknown", fields, inOneForm: inSnakeCase };
}

const SESSIONS = ["session_id", "conversation_id"];

/** The caller's own name for an event, if it differs from the file's. */
function nameIn(caller: HookCaller, event: string, kind: EventKind | undefined): string {
  if (eventOf(caller, event) !== undefined) return event;
  const same = Object.entries(caller.events).find(([, about]) => about.kind === kind);
  return same?.[0] ?? event;
}

/** One of the host's events in the engine's terms; undefined if there is nothing to do. */
export function parseEvent(host: HookCaller, call: HookCall, payload: Payload): HostEvent | undefined {
  const event = eventOf(host, call.event);
  // Programs that run another host's hooks may lack some of its events.
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
  // A child's payload may name its parent's transcript.
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

/** The MCP server receives every field as a string. */
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
