import { parseBounded } from "../../base/json.ts";
import { isRecord } from "../../base/settings.ts";
import type { Context } from "./sets.ts";

/** What a session's metadata says, as far as we know its fields. Others own more fields in the same file. */
export interface SessionMeta {
  readonly name: string;
  readonly lastObservedAt?: string;
  readonly lastIdleAt?: string;
  readonly currentIntent?: string;
  readonly envHint?: string;
  /** It went idle and nobody has looked since. A stored verdict: the two times alone cannot tell. */
  readonly unobserved?: boolean;
  readonly context?: Context;
}

/** What to change: a field that is null goes, one that is absent stays. */
export type MetaPatch = { readonly [K in keyof SessionMeta]?: SessionMeta[K] | null };

/** What counts as the metadata of a session that has none. */
export const NO_META = { name: "" } as const;

/** A whole file as it was read: also what we do not know. */
export type RawMeta = Readonly<Record<string, unknown>>;

const TEXTS = ["lastObservedAt", "lastIdleAt", "currentIntent", "envHint"] as const;

/** The file's object, or undefined when it is none: then it must be kept for a person to look at. */
export function parseMeta(text: string): RawMeta | undefined {
  let value: unknown;
  try {
    value = parseBounded(text);
  } catch {
    return undefined; // the caller sets the file aside and says so
  }
  if (!isRecord(value)) return undefined;
  // A context that is no object cannot be changed without losing it.
  const context = value["context"];
  return context === undefined || context === null || isRecord(context) ? value : undefined;
}

/** The fields that we know and that are what they should be. */
export function metaOf(raw: RawMeta): SessionMeta {
  const meta: { -readonly [K in keyof SessionMeta]: SessionMeta[K] } = {
    name: typeof raw["name"] === "string" ? raw["name"] : "",
  };
  for (const field of TEXTS) {
    const value = raw[field];
    if (typeof value === "string") meta[field] = value;
  }
  if (typeof raw["unobserved"] === "boolean") meta.unobserved = raw["unobserved"];
  const sets = Object.entries(isRecord(raw["context"]) ? raw["context"] : {}).filter(
    (entry): entry is [string, string[]] => isSet(entry[1]) && entry[1].length > 0,
  );
  if (sets.length > 0) meta.context = Object.fromEntries(sets);
  return meta;
}

/** The file after a change. Everything not named stays, in its place, also what we cannot read. */
export function patchMeta(raw: RawMeta | undefined, patch: MetaPatch): RawMeta {
  const after: Record<string, unknown> = { ...(raw ?? NO_META) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === undefined || field === "context") continue;
    if (value === null) delete after[field];
    else after[field] = value;
  }
  if (!Object.hasOwn(after, "name")) after["name"] = ""; // every other program expects one
  if (patch.context === undefined) return after;
  const context = patchContext(isRecord(after["context"]) ? after["context"] : {}, patch.context ?? {});
  if (Object.keys(context).length === 0) delete after["context"];
  else after["context"] = context;
  return after;
}

function patchContext(raw: Readonly<Record<string, unknown>>, wanted: Context): Record<string, unknown> {
  // Sets that we cannot read were never shown to whoever wants this change, so they did not ask to remove them.
  const kept = Object.entries(raw).filter(([name, value]) => Object.hasOwn(wanted, name) || !isSet(value));
  const changed = Object.fromEntries([...kept, ...Object.entries(wanted)]);
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => !isSet(value) || value.length > 0));
}

function isSet(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
