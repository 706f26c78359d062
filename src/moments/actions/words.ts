import { parseArgs } from "node:util";
import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { Action } from "../ports/action.ts";
import { checkInput, type Field, fieldsOf, meant } from "./input.ts";

/** Turns the words of a command line into an action's input, and refuses wrong ones. */

export type Values = Readonly<Record<string, unknown>>;

/** `setName` is typed as `--set-name`. */
export function optionOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `rules why RULE` */
export function usageOf(action: Pick<Action, "name" | "input">): string {
  return [action.name, argumentsOf(action)].join(" ").trimEnd();
}

/** `RULE [FILE ...]` */
export function argumentsOf(action: Pick<Action, "input">): string {
  return fieldsOf(action)
    .filter(({ typed }) => typed === "word" || typed === "rest")
    .map((field) => {
      const word = `${wordOf(field)}${field.kind === "texts" ? " ..." : ""}`;
      return field.isOptional || field.piped !== undefined ? `[${word}]` : word;
    })
    .join(" ");
}

export const wordOf = ({ name, value }: Pick<Field, "name" | "value">): string =>
  value ?? optionOf(name).toUpperCase();

/** Reads the text of a field that may be piped: the typed value, a file, or standard input. */
export type ReadPiped = (typed: string | undefined, most: number) => string | undefined;

/** The input from options and arguments that are already parsed. */
export function inputOf(
  action: Action,
  values: Values,
  positionals: readonly string[],
  piped: ReadPiped = (typed) => typed,
): object {
  const all = fieldsOf(action);
  const given: Record<string, unknown> = {};
  const left = [...positionals];
  // Standard input is not read for a command that will be refused anyway.
  const isMissing = ({ name, isOptional, piped: most }: Field) =>
    !isOptional && most === undefined && given[name] === undefined;
  for (const field of all) {
    const value = field.typed === "word" || field.typed === "rest" ? nextWord(field, left) : undefined;
    const typed = value ?? (field.typed === undefined ? values[optionOf(field.name)] : undefined);
    const isPiped = field.piped !== undefined && left.length === 0 && !all.some(isMissing);
    const found = isPiped ? piped(typed as string | undefined, field.piped ?? 0) : typed;
    // An empty option usually counts as absent, as in `--session "$SESSION"`.
    if (found !== undefined && (found !== "" || isPiped || field.canBeEmpty) && !isEmpty(found))
      given[field.name] = read(field, found);
  }
  const usage = `usage: continuo ${usageOf(action)}`;
  if (left.length > 0)
    throw new ContinuoError("usage", "too many arguments", {
      hint: `${usage}; put quotes around text with spaces`,
    });
  const checked = checkInput(action.input, given);
  if ("input" in checked) return checked.input;
  const { name } = checked.refused;
  const field = all.find((one) => one.name === name.split(".")[0]);
  if (field === undefined) throw new ContinuoError("usage", checked.refused.message, { hint: usage });
  if (checked.refused.why === "missing")
    throw new ContinuoError("usage", `${field.typed ? wordOf(field) : `--${optionOf(name)}`} is missing`, {
      hint: `${usage} (${field.about})`,
    });
  const shown = [given[field.name]].flat().join(" ").slice(0, 200);
  const near = field.choices && nearest(shown, field.choices);
  throw new ContinuoError(
    "usage",
    `invalid value for ${field.typed ? wordOf(field) : `--${optionOf(field.name)}`}: "${shown}"`,
    {
      hint: `expected ${field.expected}${near === undefined ? "" : `; did you mean ${near}?`}`,
    },
  );
}

/** The same for plain words, for a front end without its own parser. */
export function inputOfWords(action: Action, words: readonly string[]): object {
  const options = fieldsOf(action).flatMap(({ name, kind, typed }) =>
    typed === undefined ? [[optionOf(name), parserOf(kind)] as const] : [],
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: Object.fromEntries(options),
      allowPositionals: true,
      strict: true,
    });
    return inputOf(action, values, positionals);
  } catch (error) {
    if (error instanceof ContinuoError) throw error;
    const { message } = error as Error;
    throw new ContinuoError("usage", message.split(". ")[0] ?? "", { hint: `usage: ${usageOf(action)}` });
  }
}

/** How `parseArgs` should parse an option of this kind. */
export function parserOf(kind: Field["kind"]): {
  readonly type: "boolean" | "string";
  readonly multiple: boolean;
} {
  return { type: kind === "flag" ? "boolean" : "string", multiple: kind === "texts" };
}

function nextWord(field: Field, left: string[]): unknown {
  if (left.length === 0) return undefined;
  if (field.kind === "texts") return left.splice(0);
  return field.typed === "rest" ? left.splice(0).join(" ").trim() : left.shift();
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function read(field: Field, value: unknown): unknown {
  return field.hasCommas && Array.isArray(value) ? value.flatMap(listed) : meant(field, value);
}

const listed = (typed: string): string[] => typed.split(",").flatMap((one) => one.trim() || []);
