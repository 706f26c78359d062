import type { HostName } from "../../names.ts";
import type { EventKind, HookCall, HookCaller } from "../../port/hook-host.ts";
import { inSnakeCase, type Payload, text } from "../fields.ts";
import { eventOf } from "./adapter.ts";

/** Who runs a hook, and what it said, in the words of its own table. */
export interface Called {
  readonly host: HookCaller;
  readonly call: HookCall;
  readonly payload: Payload;
}

/**
 * A hook is in the settings file of one host, but other programs read that file too. By the payload and the environment: the
 * file's own host unless they say otherwise.
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

/** A session is named in a way that the file's host never had. It gets what that host would. */
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

/** Its own name for an event, if it has another than the file. */
function nameIn(caller: HookCaller, event: string, kind: EventKind | undefined): string {
  if (eventOf(caller, event) !== undefined) return event;
  const same = Object.entries(caller.events).find(([, about]) => about.kind === kind);
  return same?.[0] ?? event;
}
