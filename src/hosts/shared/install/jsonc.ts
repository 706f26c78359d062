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
import { ContinuoError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";

/** Edits a settings file as text, so that its comments, order and indentation are preserved. */

/** The object in the file; an empty file is an empty object. `strict`: comments are refused, as the host refuses them. */
export function parseObject(text: string, strict = false): Record<string, unknown> {
  if (text.trim() === "") return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: !strict, disallowComments: strict });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw invalidSettings(`is not valid JSON: ${inWords(first.error)} in line ${line}`);
  }
  if (!isRecord(value)) throw invalidSettings("does not contain a JSON object");
  return value;
}

/** The parser's name of an error, such as `InvalidSymbol`, as words. */
function inWords(code: ParseError["error"]): string {
  const name = printParseErrorCode(code).replace(/^InvalidSymbol$/, "UnexpectedSymbol");
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

const UNNAMED = "the settings file";

/** `what` follows the file's name. */
export function invalidSettings(what: string): ContinuoError {
  return new ContinuoError("settings-invalid", `${UNNAMED} ${what}`, {
    hint: "fix the file first; nothing was changed",
  });
}

/** Puts the file's path into errors of code that sees only its text: a host may have several files. */
export function naming<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ContinuoError) || error.message.includes(file)) throw error;
    const { code, message, hint } = error;
    const named = message.startsWith(`${UNNAMED} `)
      ? file + message.slice(UNNAMED.length)
      : `${file}: ${message}`;
    throw new ContinuoError(code, named, { cause: error, ...(hint === undefined ? {} : { hint }) });
  }
}

/** Sets the value at a path; undefined removes it. */
export function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const base = text.trim() === "" ? "{}\n" : text;
  // The library reformats every line that it touches: of a file on one line, that would be everything.
  const isOneLine = base.trim() !== "{}" && !base.trim().includes("\n");
  const layout = isOneLine ? {} : { formattingOptions: formatting(base) };
  return applyEdits(base, modify(base, path, value, { ...layout, isArrayInsertion }));
}

/**
 * Removes one element from a list, with the comma before or after it; everything else stays, comments included. The
 * library's own removal of a last element works only if the closing bracket is on a line of its own.
 */
export function removeElement(text: string, path: JSONPath, index: number): string {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const elements = (tree && findNodeAtLocation(tree, path)?.children) ?? [];
  const gone = elements[index];
  if (gone === undefined) return text;
  const before = elements[index - 1];
  const end = gone.offset + gone.length;
  if (before === undefined) {
    const comma = commaAfter(text, end);
    const rest = comma === undefined ? text.slice(end) : text.slice(end, comma) + text.slice(comma + 1);
    return text.slice(0, gone.offset) + rest.trimStart();
  }
  const comma = commaAfter(text, before.offset + before.length) ?? gone.offset;
  const [gap, rest] = [text.slice(comma + 1, gone.offset), text.slice(end)];
  // What follows on the same line must not become part of a comment before the element.
  const isApart = !gap.includes("//") || /^[ \t]*\r?\n/.test(rest);
  return text.slice(0, comma) + (isApart ? gap.trimEnd() : gap) + rest;
}

// The library's name for it is a `const enum`, which does not exist at run time.
const COMMA = 5;

/** Where the comma is, if one comes next. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === COMMA ? scanner.getTokenOffset() : undefined;
}

function formatting(text: string): FormattingOptions {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
