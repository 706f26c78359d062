import { ContinuoError } from "../../moments/errors.ts";
import type { Verdict } from "../../moments/source.ts";
import { isRecord } from "../../store/settings.ts";
import type { HookCall } from "../hook-host.ts";

/** Reading a hook's payload, of which any field may be missing or of another type in another version. */
export type Payload = Readonly<Record<string, unknown>>;

export function text(payload: Payload, key: string): string | undefined {
  const value = payload[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function record(payload: Payload, key: string): Record<string, unknown> {
  const value = payload[key];
  return isRecord(value) ? value : {};
}

/** The property, or none: an optional property must be absent, not undefined. */
export function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
}

export function sessionId(call: HookCall, payload: Payload, key: string, label: string, doc: string): string {
  const id = text(payload, key);
  if (id !== undefined) return id;
  throw new ContinuoError("payload-incomplete", `${call.event} came without a ${key}`, {
    hint: `this command is meant to be called by ${label}; see docs/hosts/${doc}.md`,
  });
}

export function unknownEvent(event: string, label: string, events: readonly string[]): ContinuoError {
  return new ContinuoError("unknown-event", `${label} has no event "${event}" that we know`, {
    hint: `known events: ${events.join(", ")}`,
  });
}

/** The reason of a denial. For hosts that cannot ask: the nearest thing is to deny and have the model ask. */
export function denial(verdict: Verdict): string {
  return verdict.action === "ask" ? `${verdict.message} (ask the user before you do this)` : verdict.message;
}
