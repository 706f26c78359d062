import { isAbsolute, join, resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { clip, nearest } from "../../base/text.ts";
import type { Context } from "../../moments/state/session-meta.ts";

export type { Context };

export type MergeMode = "replace" | "merge";

export const KNOWN_SETS = ["files", "applet", "endpoints", "ports"] as const;
export const MAX_PER_SET = 10;
export const MAX_IN_ALL = 50;

/** Begins with a letter, so that no name is `__proto__`, or a number, which JavaScript would reorder. */
const SET_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** A full set drops its oldest items, because the newest ones show what the session is about now. */
export function mergeContextSet(existing: string[], items: string[], mode: "replace" | "merge"): string[] {
  if (mode === "replace") return [...new Set(items)].slice(0, MAX_PER_SET);
  const merged = new Set<string>();
  for (const item of [...existing, ...items]) {
    merged.delete(item); // moves it to the end
    merged.add(item);
  }
  return [...merged].slice(-MAX_PER_SET);
}

/** The items of a set. A name such as `constructor` must not find an inherited property. */
export function itemsOf(context: Context, setName: string): string[] {
  return Object.hasOwn(context, setName) ? (context[setName] ?? []) : [];
}

export function countItems(context: Context): number {
  return Object.values(context).reduce((sum, items) => sum + items.length, 0);
}

/** The context with one set changed, in the same position. An empty set is removed. */
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

/** Custom names are allowed; one that is similar to a known name is probably a typo. */
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

/** The bases of relative paths and `~`. If one is unknown, such paths are refused. */
export interface Place {
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

const MAX_ITEM_LENGTH = 4096;

/** With line breaks or control characters, an item could imitate other lines of the surrounding text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const SLUG = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;
const MAX_SLUG = 64;
const PARAMETER = /^[^\s=]+=/;
const PROTOCOLS = ["http", "https", "ws", "wss", "grpc", "grpcs", "tcp", "udp"];

/** The items as stored, without duplicates. Throws at the first item that the set does not accept. */
export function checkItems(setName: string, given: unknown, place: Place): string[] {
  if (!Array.isArray(given)) {
    throw refused(
      `items is of type ${typeName(given)}`,
      'give a list of strings, for example ["/path/spec.md"]',
    );
  }
  // Counted before any item is checked, because a caller may pass millions.
  const distinct = new Set<unknown>(given);
  if (distinct.size > MAX_PER_SET) {
    throw new ContinuoError(
      "context-too-many",
      `${distinct.size} items for ${setName}, max ${MAX_PER_SET} in a set`,
      {
        hint: `give the ${MAX_PER_SET} that matter most, or spread them over several sets`,
      },
    );
  }
  const items = [...distinct].map((item) => checkItem(setName, item, place));
  return [...new Set(items)];
}

function checkItem(setName: string, item: unknown, place: Place): string {
  if (typeof item !== "string")
    throw refused(`an item of ${setName} is of type ${typeName(item)}`, "give strings");
  if (item.length > MAX_ITEM_LENGTH) {
    throw refused(
      `an item of ${setName} has ${item.length} characters`,
      `give up to ${MAX_ITEM_LENGTH} characters; keep long texts in a file and name it in files`,
    );
  }
  if (item.trim() === "") throw refused(`an item of ${setName} is empty`, "give some text");
  if (CONTROL.test(item) || !item.isWellFormed()) {
    throw refused(
      `an item of ${setName} holds a control character: ${show(item)}`,
      "give one line of plain text",
    );
  }
  if (setName === "files") return checkPath(item, place);
  if (setName === "endpoints") return checkEndpoint(item);
  if (setName === "ports") return checkPort(item);
  if (setName === "applet") return checkAppletPart(item);
  return item;
}

function checkPath(item: string, { cwd, home }: Place): string {
  const accepted = "give an absolute path such as /home/you/project/spec.md";
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(item)) {
    throw refused(`${show(item)} is a URL, not a path`, `${accepted}; URLs go into endpoints`);
  }
  if (item === "~" || item.startsWith("~/")) {
    if (home === undefined) throw refused(`no home folder is known for ${show(item)}`, accepted);
    return join(home, item.slice(1));
  }
  if (!isAbsolute(item) && cwd === undefined) throw refused(`${show(item)} is a relative path`, accepted);
  return resolve(cwd ?? "/", item);
}

/** Stored as written: the parsed form, with an added slash, would look different to the user who entered it. */
function checkEndpoint(item: string): string {
  const text = item.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const accepted = `give a full URL such as http://localhost:3000/api (${PROTOCOLS.join(", ")})`;
  if (url === undefined || url.hostname === "" || !PROTOCOLS.includes(url.protocol.slice(0, -1))) {
    throw refused(`${show(item)} is not a URL that endpoints can hold`, accepted);
  }
  if (url.password !== "") {
    throw refused("an item of endpoints holds a password", "give the URL without user and password");
  }
  return text;
}

function checkPort(item: string): string {
  const port = /^\s*\d{1,5}\s*$/.test(item) ? Number(item) : 0;
  if (port >= 1 && port <= 65535) return String(port);
  throw refused(
    `${show(item)} is not a port`,
    'give a whole number from 1 to 65535 as a string, such as "3000"',
  );
}

function checkAppletPart(item: string): string {
  if (isAppletParameter(item)) return item;
  if (SLUG.test(item) && item.length <= MAX_SLUG) return item;
  throw refused(
    `${show(item)} is neither an applet's slug nor a parameter`,
    `give [slug, "key=value", …]; a slug has 2 to ${MAX_SLUG} small letters, digits and inner dashes`,
  );
}

export function isAppletParameter(item: string): boolean {
  return PARAMETER.test(item);
}

export function refused(message: string, hint: string): ContinuoError {
  return new ContinuoError("context-item", message, { hint });
}

function show(item: string): string {
  return JSON.stringify(shorten(item));
}
