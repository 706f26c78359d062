import {
  applyEdits,
  createScanner,
  type FormattingOptions,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ContinuoError } from "../../moments/errors.ts";
import { isRecord } from "../../store/settings.ts";
import { isOurs } from "./command.ts";

/** Edits to Claude Code's settings as text, so that comments, order and indentation of the user's file stay. */

export interface Entry {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

/** Where an entry of ours stands: hooks[event][group].hooks[index]. */
export interface Place {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  readonly command: string;
  readonly alone: boolean;
  /** It is exactly what an installation writes today. */
  readonly matches: (entry: Entry) => boolean;
}

export function parseSettings(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  const first = errors[0];
  if (first !== undefined || !isRecord(value)) {
    const line = text.slice(0, first?.offset ?? 0).split("\n").length;
    const what =
      first === undefined
        ? "it does not hold an object"
        : `${printParseErrorCode(first.error)} in line ${line}`;
    throw new ContinuoError("settings-invalid", `the settings file cannot be understood: ${what}`, {
      hint: "mend the file first; it was not touched",
    });
  }
  if (value["hooks"] !== undefined && !isRecord(value["hooks"])) {
    throw new ContinuoError("settings-invalid", 'the settings file has a "hooks" that is not an object', {
      hint: "mend the file first; it was not touched",
    });
  }
  for (const [event, groups] of Object.entries(isRecord(value["hooks"]) ? value["hooks"] : {})) {
    if (Array.isArray(groups)) continue;
    throw new ContinuoError("settings-invalid", `the settings file has hooks.${event} that is not a list`, {
      hint: "mend the file first; it was not touched",
    });
  }
  return value;
}

export function findOurs(text: string): Place[] {
  const hooks = parseSettings(text)["hooks"];
  const places: Place[] = [];
  for (const [event, groups] of Object.entries(isRecord(hooks) ? hooks : {})) {
    if (!Array.isArray(groups)) continue;
    groups.forEach((group: unknown, at) => {
      const inner = isRecord(group) && Array.isArray(group["hooks"]) ? (group["hooks"] as unknown[]) : [];
      inner.forEach((hook, index) => {
        if (!isRecord(hook) || !isOurs(hook["command"])) return;
        const matcher = isRecord(group) ? group["matcher"] : undefined;
        places.push({
          event,
          group: at,
          index,
          command: hook["command"],
          alone: inner.length === 1,
          matches: (entry) =>
            entry.event === event &&
            hook["command"] === entry.command &&
            hook["timeout"] === entry.timeout &&
            matcher === undefined,
        });
      });
    });
  }
  return places;
}

export function addEntries(text: string, entries: readonly Entry[]): string {
  const ours = findOurs(text);
  const current = entries.every((entry) => ours.some((place) => place.matches(entry)));
  if (current && ours.length === entries.length) return text;
  let result = removeOurs(text);
  for (const { event, command, timeout } of entries) {
    const group = {
      hooks: [{ type: "command", command, timeout }],
    };
    const hooks = parseSettings(result)["hooks"];
    const groups = isRecord(hooks) ? hooks[event] : undefined;
    if (Array.isArray(groups)) result = edit(result, ["hooks", event, groups.length], group, true);
    else result = edit(result, ["hooks", event], [group]);
  }
  return result;
}

export function removeOurs(text: string): string {
  let result = text;
  // From the back, so that earlier places keep their numbers.
  for (const place of findOurs(text).reverse()) {
    const groups = ["hooks", place.event];
    result = place.alone
      ? removeElement(result, groups, place.group)
      : removeElement(result, [...groups, place.group, "hooks"], place.index);
    const hooks = parseSettings(result)["hooks"];
    const left = isRecord(hooks) ? hooks[place.event] : undefined;
    if (Array.isArray(left) && left.length === 0) result = edit(result, ["hooks", place.event], undefined);
    const after = parseSettings(result)["hooks"];
    if (isRecord(after) && Object.keys(after).length === 0) result = edit(result, ["hooks"], undefined);
  }
  return result;
}

function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const base = text.trim() === "" ? "{}\n" : text;
  return applyEdits(
    base,
    modify(base, path, value, { formattingOptions: formatting(base), isArrayInsertion }),
  );
}

/**
 * Takes one element out of an array and leaves everything else, comments included. The library's own removal of a
 * last element takes it for granted that the closing bracket stands on a line of its own.
 */
function removeElement(text: string, path: JSONPath, index: number): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const elements = (tree && findNodeAtLocation(tree, path)?.children) ?? [];
  const gone = elements[index];
  if (gone === undefined) return text;
  const before = elements[index - 1];
  const after = elements[index + 1];
  const end = gone.offset + gone.length;
  if (before === undefined) return cut(text, gone.offset, after?.offset ?? end);
  const comma = commaAfter(text, before.offset + before.length);
  const leading = text.slice(0, gone.offset).trimEnd().length;
  return cut(cut(text, Math.max(leading, comma + 1), end), comma, comma + 1);
}

// The library's names for these are `const enum`s, which do not exist at run time.
const COMMA = 5;
const END = 17;

function commaAfter(text: string, from: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  while (scanner.scan() !== COMMA && scanner.getToken() !== END);
  return scanner.getTokenOffset();
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function formatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
