import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import { count } from "../../base/when.ts";
import {
  type Context,
  checkItems,
  checkSetName,
  countItems,
  isAppletParameter,
  itemsOf,
  MAX_IN_ALL,
  MAX_PER_SET,
  type MergeMode,
  mergeContextSet,
  type Place,
  refused,
  shorten,
  typoWarning,
  withSet,
} from "./sets.ts";

/** An unchecked request from a model, a page or a user. */
export interface ChangeRequest {
  readonly setName: unknown;
  readonly items?: unknown;
  /** `replace` (default), `merge` or `clear`. */
  readonly mode?: unknown;
}

export interface Change {
  readonly setName: string;
  readonly context: Context;
  readonly added: string[];
  /** All removed items, including evicted ones. */
  readonly removed: string[];
  /** Items that were dropped because the set is full, oldest first. */
  readonly evicted: string[];
  readonly warning?: string;
  /** The answer of the tool. */
  readonly text: string;
}

const MODES = ["replace", "merge", "clear"] as const;

/** Changes one set. Everything that changes sets uses it. */
export function changeContext(context: Context, request: ChangeRequest, place: Place): Change {
  const setName = checkSetName(request.setName);
  const mode = checkMode(request.mode);
  const given = mode === "clear" ? [] : checkItems(setName, request.items, place);
  const before = itemsOf(context, setName);
  const after = mode === "clear" ? [] : combine(setName, before, given, mode);
  const changed = withSet(context, setName, after);
  checkTotal(changed, context);
  const removed = before.filter((item) => !after.includes(item));
  const evicted = mode === "merge" ? evictedFrom(setName, before, after, given) : [];
  const warning = after.length === 0 ? undefined : typoWarning(setName);
  return {
    setName,
    context: changed,
    added: after.filter((item) => !before.includes(item)),
    removed,
    evicted,
    text: describe(setName, mode, after, evicted),
    warning,
  };
}

function checkMode(mode: unknown): (typeof MODES)[number] {
  if (mode === undefined) return "replace";
  const known = MODES.find((one) => one === mode);
  if (known !== undefined) return known;
  const near = typeof mode === "string" ? nearest(shorten(mode), MODES) : undefined;
  throw new ContinuoError("context-mode", `mode is ${JSON.stringify(shorten(String(mode)))}`, {
    hint: near === undefined ? `one of ${MODES.join(", ")}` : `did you mean "${near}"?`,
  });
}

/** Another program may have stored more than the limit. Then a change that reduces it is allowed. */
function checkTotal(changed: Context, before: Context): void {
  const total = countItems(changed);
  if (total <= MAX_IN_ALL || total < countItems(before)) return;
  throw new ContinuoError(
    "context-too-large",
    `Context too large (${total} items, max ${MAX_IN_ALL}). Remove some items first.`,
  );
}

function combine(setName: string, before: string[], given: string[], mode: MergeMode): string[] {
  if (setName !== "applet") return mergeContextSet(before, given, mode);
  return combineApplet(mode === "merge" ? before : [], given);
}

/** An applet is a slug and its parameters. Unlike in other sets, the position and the keys matter. */
function combineApplet(before: string[], given: string[]): string[] {
  const [first] = given;
  if (first === undefined) return before;
  const named = !isAppletParameter(first);
  const slug = named ? first : before[0];
  const parameters = named ? given.slice(1) : given;
  const odd = parameters.find((item) => !isAppletParameter(item));
  if (slug === undefined || odd !== undefined) {
    throw refused(
      slug === undefined
        ? "the applet's slug is missing"
        : `"${shorten(odd ?? "")}" comes after the applet's slug`,
      'give [slug, "key=value", …]: the slug first, then only parameters',
    );
  }
  // Another applet's parameters have no meaning for this one.
  const kept = slug === before[0] ? before.slice(1) : [];
  const byKey = new Map<string, string>();
  for (const parameter of [...kept, ...parameters]) {
    const key = keyOf(parameter);
    byKey.delete(key); // moves it to the end
    byKey.set(key, parameter);
  }
  return [slug, ...[...byKey.values()].slice(1 - MAX_PER_SET)];
}

function evictedFrom(setName: string, before: string[], after: string[], given: string[]): string[] {
  const gone = before.filter((item) => !after.includes(item));
  if (setName !== "applet") return gone;
  if (before[0] !== after[0]) return [];
  const keys = new Set(given.map(keyOf));
  return gone.filter((item) => !keys.has(keyOf(item)));
}

function keyOf(parameter: string): string {
  return parameter.slice(0, Math.max(0, parameter.indexOf("=")));
}

function describe(setName: string, mode: (typeof MODES)[number], after: string[], evicted: string[]): string {
  if (mode !== "merge" && after.length === 0) return `Cleared ${setName}`;
  const text = `${mode === "merge" ? "Merged" : "Set"} ${setName}: ${count(after.length, "item")}`;
  return evicted.length === 0 ? text : `${text} (it was full; no longer in it: ${evicted.join(", ")})`;
}
