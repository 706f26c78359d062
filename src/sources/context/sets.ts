import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/settings.ts";
import { clip } from "../../base/text.ts";

/** Named sets of items that a session keeps, oldest item first. */
export type Context = Record<string, string[]>;

export type MergeMode = "replace" | "merge";

export const KNOWN_SETS = ["files", "applet", "endpoints", "ports"] as const;
export const MAX_PER_SET = 10;
export const MAX_IN_ALL = 50;

/** It begins with a letter, so that no name can be `__proto__` or look like a number, which JavaScript reorders. */
const SET_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** A full set forgets its oldest items: what was named last is what the session is about now. */
export function mergeContextSet(existing: string[], items: string[], mode: "replace" | "merge"): string[] {
  if (mode === "replace") return [...new Set(items)].slice(0, MAX_PER_SET);
  const merged = new Set<string>();
  for (const item of [...existing, ...items]) {
    merged.delete(item); // so that it is put at the end
    merged.add(item);
  }
  return [...merged].slice(-MAX_PER_SET);
}

/** The items of a set; names such as `constructor` must not find what every object inherits. */
export function itemsOf(context: Context, setName: string): string[] {
  return Object.hasOwn(context, setName) ? (context[setName] ?? []) : [];
}

export function countItems(context: Context): number {
  return Object.values(context).reduce((sum, items) => sum + items.length, 0);
}

/** The context with one set changed, in its place; an empty set is not kept. */
export function withSet(context: Context, setName: string, items: string[]): Context {
  const changed = { ...context, [setName]: items };
  if (items.length === 0) delete changed[setName];
  return changed;
}

export function checkSetName(name: unknown): string {
  if (typeof name === "string" && SET_NAME.test(name)) return name;
  const shown = typeof name === "string" ? JSON.stringify(shorten(name)) : `of type ${typeName(name)}`;
  throw new ContinuoError("context-set-name", `a set cannot have a name ${shown}`, {
    hint: `give ${KNOWN_SETS.join(", ")}, or a name of your own: a letter, then up to 63 letters, digits, "_", "-", "."`,
  });
}

/** Own names are allowed; one that is nearly a known name is probably a typo. */
export function typoWarning(setName: string): string | undefined {
  if (KNOWN_SETS.some((known) => known === setName)) return undefined;
  const near = nearest(setName, KNOWN_SETS);
  return near === undefined ? undefined : `"${setName}" is not a known set; did you mean "${near}"?`;
}

export function shorten(text: string): string {
  return clip(text, 80);
}

export function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
