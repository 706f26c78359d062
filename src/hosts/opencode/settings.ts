import {
  applyEdits,
  createScanner,
  type FormattingOptions,
  findNodeAtLocation,
  modify,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ContinuoError } from "../../moments/errors.ts";
import { isRecord } from "../../store/settings.ts";

/** Edits to the "plugin" list of OpenCode's settings as text, so that the user's comments and layout stay. */

/** The built plugin's file: a name of its own, by which an entry of any version, in any place, is known as ours. */
export const PLUGIN_FILE = "continuo-opencode.js";

/** The paths of our entries with their places in the list. */
export function findOurs(text: string): { path: string; index: number }[] {
  return pluginsIn(text).flatMap((entry, index) => {
    // An entry may be a pair of a plugin and its options.
    const path: unknown = Array.isArray(entry) ? entry[0] : entry;
    return typeof path === "string" && path.replaceAll("\\", "/").endsWith(`/${PLUGIN_FILE}`)
      ? [{ path, index }]
      : [];
  });
}

export function addPlugin(text: string, path: string): string {
  const ours = findOurs(text);
  if (ours.length === 1 && ours[0]?.path === path) return text;
  const cleaned = ours.length === 0 ? text : removePlugins(text, true);
  const base = cleaned.trim() === "" ? "{}\n" : cleaned;
  const count = pluginsIn(base).length;
  const options = { formattingOptions: formatting(base) };
  if (count === 0) return applyEdits(base, modify(base, ["plugin"], [path], options));
  return applyEdits(base, modify(base, ["plugin", count], path, { ...options, isArrayInsertion: true }));
}

/** `keepList`: an empty list stays, since something is about to be put into it. */
export function removePlugins(text: string, keepList = false): string {
  let result = text;
  // From the back, so that earlier places keep their numbers.
  for (const { index } of findOurs(text).reverse()) result = removeElement(result, index);
  if (result === text || keepList || pluginsIn(result).length > 0) return result;
  return applyEdits(result, modify(result, ["plugin"], undefined, { formattingOptions: formatting(result) }));
}

function pluginsIn(text: string): unknown[] {
  if (text.trim() === "") return [];
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  const first = errors[0];
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw invalid(`${printParseErrorCode(first.error)} in line ${line}`);
  }
  if (!isRecord(value)) throw invalid("it does not hold an object");
  const plugins = value["plugin"] ?? [];
  if (!Array.isArray(plugins)) throw invalid('its "plugin" is not a list');
  return plugins;
}

function invalid(what: string): ContinuoError {
  return new ContinuoError("settings-invalid", `the settings file cannot be understood: ${what}`, {
    hint: "mend the file first; it was not touched",
  });
}

/** Takes one element out with the comma that parts it from the one before or after; all else stays as it is. */
function removeElement(text: string, index: number): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const elements = (tree && findNodeAtLocation(tree, ["plugin"])?.children) ?? [];
  const gone = elements[index];
  if (gone === undefined) return text;
  const before = elements[index - 1];
  const end = gone.offset + gone.length;
  if (before === undefined) {
    const rest = elements.length > 1 ? text.slice(commaAfter(text, end) + 1) : text.slice(end);
    return text.slice(0, gone.offset) + rest.replace(/^\s*,?\s*/, "");
  }
  const comma = commaAfter(text, before.offset + before.length);
  const from = Math.max(text.slice(0, gone.offset).trimEnd().length, comma + 1);
  return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(end);
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

function formatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
