import { isAbsolute, join, resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { MAX_PER_SET, shorten, typeName } from "./sets.ts";

/** What relative paths and `~` are relative to; where one is unknown, such paths are refused. */
export interface Place {
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
}

const MAX_ITEM_LENGTH = 4096;

/** Line breaks and control characters would let an item pose as other lines of the text that it is shown in. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const SLUG = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;
const MAX_SLUG = 64;
const PARAMETER = /^[^\s=]+=/;
const PROTOCOLS = ["http", "https", "ws", "wss", "grpc", "grpcs", "tcp", "udp"];

/** The items as they are stored, without duplicates; the first that its set cannot hold is refused. */
export function checkItems(setName: string, given: unknown, place: Place): string[] {
  if (!Array.isArray(given)) {
    throw refused(
      `items is of type ${typeName(given)}`,
      'give a list of strings, for example ["/path/spec.md"]',
    );
  }
  // Counted before anything is looked at: a caller may hand over millions.
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

/** Kept as it was written: a parser's form, with its added slash, would not be recognised by whoever gave it. */
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
