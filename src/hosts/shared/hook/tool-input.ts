import { ContinuoError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { HOOK_TOOL } from "../../names.ts";
import type { EventKind, HookHost } from "../../port/hook-host.ts";
import { MAX_PAYLOAD_BYTES, type Payload } from "../fields.ts";
import { eventOf } from "./events.ts";

/**
 * For hooks that call a tool of the MCP server instead of starting a process. The host fills in a template: every field
 * arrives as a string, an object as JSON text, a missing field as "". The payload is rebuilt from that.
 */

/**
 * The fields that Continuo reads from an event's payload, besides those of every event. Events that are not listed need
 * a process.
 */
const FIELDS: Readonly<Partial<Record<EventKind, (host: HookHost) => readonly string[]>>> = {
  prompt: () => ["prompt"],
  guard: ({ fields }) => [fields.tool, fields.toolInput],
  tool: ({ fields: { tool, toolInput, toolResponse, toolResponsePart } }) => [
    tool,
    toolInput,
    ...(toolResponsePart === undefined ? [] : [`${toolResponse}.${toolResponsePart}`]),
  ],
  compacting: () => ["trigger"],
  summary: () => ["compact_summary"],
  idle: ({ fields }) => [fields.answer, fields.refused].filter((name) => name !== undefined),
};

/** The fields that a hook at this event passes; undefined if the server cannot answer it. */
function fieldsAt(host: HookHost, event: string): readonly string[] | undefined {
  const kind = eventOf(host, event)?.kind;
  const own = kind === undefined ? undefined : FIELDS[kind]?.(host);
  if (own === undefined) return undefined;
  const { session, child, parent, model, agent, transcript, occurrence } = host.fields;
  const common = [session, child, parent, model, agent, transcript, occurrence, "cwd"];
  return [...common.filter((name) => name !== undefined), ...own];
}

/** Whether the server can answer this event. */
export function isAnsweredByTool(host: HookHost, event: string): boolean {
  return fieldsAt(host, event) !== undefined;
}

/** The template that an installation writes for an event. */
export function toolInput(host: HookHost, event: string): Record<string, string> {
  return {
    event,
    ...Object.fromEntries((fieldsAt(host, event) ?? []).map((name) => [name, `\${${name}}`])),
  };
}

interface ToolCallOfHook {
  readonly event: string;
  /** Identifies the session; a subagent's has its own value. */
  readonly session: string;
  /** The payload as a process would receive it from the host, as far as Continuo reads it. Throws if it is invalid. */
  payload(): Payload;
}

/** Reads a call of the tool. An invalid call fails only in `payload`, so that it is recorded like any bad payload. */
export function readToolCall(host: HookHost, args: unknown): ToolCallOfHook {
  const given = isRecord(args) ? args : {};
  const event = given["event"];
  const names = typeof event === "string" ? fieldsAt(host, event) : undefined;
  if (typeof event !== "string" || names === undefined)
    return {
      event: "unknown",
      session: "",
      payload: () => refuse("names no event that it answers"),
    };
  const { session, child = "" } = host.fields;
  return {
    event,
    session: `${given[session]} ${given[child] ?? ""}`,
    payload: () => payloadOf(host, given, names),
  };
}

function payloadOf(
  { fields }: HookHost,
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Payload {
  const payload: Record<string, unknown> = {};
  let size = 0;
  for (const name of names) {
    const value = given[name] ?? "";
    if (typeof value !== "string") refuse(`has a ${name} that is not a string`);
    size += value.length;
    if (size > MAX_PAYLOAD_BYTES) refuse(`has more than ${MAX_PAYLOAD_BYTES} characters`);
    const [outer = name, inner] = name.split(".");
    if (value === "") continue;
    if (inner !== undefined) payload[outer] = { [inner]: value };
    else payload[name] = name === fields.toolInput ? objectIn(value) : value;
  }
  if (!SESSION.test(String(payload[fields.session] ?? ""))) refuse("names no session");
  return payload;
}

/** Hosts' ids are UUIDs or similar. The caller may be any program that speaks MCP. */
const SESSION = /^[\w.:-]{1,200}$/;

function objectIn(text: string): unknown {
  try {
    return parseBounded(text);
  } catch {
    return refuse("has an object that is not JSON, or too complex");
  }
}

function refuse(why: string): never {
  throw new ContinuoError("hook-call", `the call of the tool "${HOOK_TOOL}" ${why}`, {
    hint: "only hooks that continuo install wrote may call it",
  });
}
