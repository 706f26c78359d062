import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { ContinuoError } from "../../moments/errors.ts";
import { isRecord } from "../../store/settings.ts";

/** Edits to pi's settings as text, so that order and indentation of the user's file stay. */

/** Is this entry of "extensions" ours, of this or another version or place? */
export function isOurs(entry: unknown): entry is string {
  return typeof entry === "string" && /(^|[\\/])continuo-pi\.js$/.test(entry);
}

export function ourExtensions(text: string): string[] {
  return extensions(text).filter(isOurs);
}

export function addExtension(text: string, path: string): string {
  const ours = ourExtensions(text);
  if (ours.length === 1 && ours[0] === path) return text;
  return edit(text, [...extensions(text).filter((entry) => !isOurs(entry)), path]);
}

export function removeExtensions(text: string): string {
  if (ourExtensions(text).length === 0) return text;
  const left = extensions(text).filter((entry) => !isOurs(entry));
  return edit(text, left.length === 0 ? undefined : left);
}

function extensions(text: string): unknown[] {
  if (text.trim() === "") return [];
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw invalid(`${printParseErrorCode(first.error)} in line ${line}`);
  }
  if (!isRecord(value)) throw invalid("it does not hold an object");
  const list = value["extensions"] ?? [];
  if (!Array.isArray(list)) throw invalid('its "extensions" is not a list');
  return list;
}

function invalid(what: string): ContinuoError {
  return new ContinuoError("settings-invalid", `the settings file cannot be understood: ${what}`, {
    hint: "mend the file first; it was not touched",
  });
}

function edit(text: string, list: readonly unknown[] | undefined): string {
  const base = text.trim() === "" ? "{}\n" : text;
  const indent = /^([ \t]+)"/m.exec(base)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: base.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(base, modify(base, ["extensions"], list, { formattingOptions }));
}
