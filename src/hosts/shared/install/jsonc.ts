import { type JSONPath, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { ContinuoError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { twinsAt } from "./json-text.ts";

/** Reads settings in JSON, with comments if the host allows them. */

/**
 * The object in the file; an empty file counts as an empty object. `strict`: comments are refused, as the host refuses
 * them.
 */
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

/** `what` is worded to follow the file's name. */
export function invalidSettings(what: string): ContinuoError {
  return new ContinuoError("settings-invalid", `${UNNAMED} ${what}`, {
    hint: "correct that file first; nothing was changed",
  });
}

/** Adds the file's path to errors of code that sees only its text, because a host may have several files. */
export function naming<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ContinuoError) || error.message.includes(file)) throw error;
    const { code, message, hint } = error;
    const named = message.startsWith(`${UNNAMED} `)
      ? file + message.slice(UNNAMED.length)
      : `${file}: ${message}`;
    throw new ContinuoError(code, named, { cause: error, hint });
  }
}

/** Of duplicate keys the host may read another one than is edited, so refuse them. `matters`: which keys are edited. */
export function refuseTwins(text: string, path: JSONPath, matters: (key: string) => boolean): void {
  const [twin] = text.trim() === "" ? [] : twinsAt(text, path).filter(matters);
  if (twin !== undefined)
    throw invalidSettings(`has ${JSON.stringify([...path, twin].join(".").slice(0, 100))} twice`);
}
