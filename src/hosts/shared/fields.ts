import { ContinuoError } from "../../base/errors.ts";
import { isRecord } from "../../base/settings.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import type { Moment, ToolMoment } from "../../moments/types.ts";
import type { FileAccess } from "../../moments/working-set.ts";
import type { HookCall } from "../port/hook-host.ts";
import type { Meaning } from "../port/meaning.ts";

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

/** What every moment of a hook has, whichever event it was. */
export type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "agent" | "transcript">;

export function moment(happened: Moment): Meaning {
  return { kind: "moment", moment: happened };
}

/** A tool call by the names that the host gives it; `filesOf` knows which of its tools name which files. */
export function toolMoment(
  common: Common,
  name: string | undefined,
  input: Record<string, unknown>,
  filesOf: (tool: string, input: Record<string, unknown>, cwd: string, root: string) => FileAccess[],
): ToolMoment {
  const files = filesOf(name ?? "", input, common.cwd, common.project.root);
  return { ...common, name: "tool", tool: { name: name ?? "", input, files } };
}

/** The answer's form that Claude Code began and others took over. */
export function contextReply(event: string, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
}
