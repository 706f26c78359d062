import { describeError } from "../../../base/errors.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { nearest } from "../../../base/text.ts";
import { contractCode, tellContract } from "../../../sources/notes/files/failures.ts";

/** The parameters of a tool as data. Checks, types and the help of `learn` are derived from this table. */
type Param = { readonly help: string; readonly required?: true } & (
  | { readonly kind: "text" | "texts" | "flag" }
  | { readonly kind: "whole" | "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
);

export type Params = Readonly<Record<string, Param>>;

type ValueOf<P extends Param> = P extends { kind: "text" }
  ? string
  : P extends { kind: "texts" }
    ? readonly string[]
    : P extends { kind: "flag" }
      ? boolean
      : P extends { kind: "choice"; choices: readonly (infer C)[] }
        ? C
        : number;

/** Parameters without a value are absent. */
export type Given<S extends Params> = {
  readonly [K in keyof S as S[K] extends { required: true } ? K : never]: ValueOf<S[K]>;
} & {
  readonly [K in keyof S as S[K] extends { required: true } ? never : K]?: ValueOf<S[K]>;
};

/** Checks a payload. Names are case-insensitive; unknown names are returned, not refused. */
export function readGiven<S extends Params>(
  payload: Readonly<Record<string, unknown>>,
  params: S,
): { given: Given<S>; unknown: string[] } {
  const names = new Map(Object.keys(params).map((name) => [name.toLowerCase(), name]));
  const given: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(payload)) {
    const name = names.get(key.toLowerCase());
    const param = name === undefined ? undefined : params[name];
    if (name === undefined || param === undefined) unknown.push(key);
    else if (value !== null) given[name] = checked(name, param, value);
  }
  for (const [name, param] of Object.entries(params)) {
    if (param.required && given[name] === undefined) throw missing(name, param, unknown);
  }
  return { given: given as Given<S>, unknown };
}

function checked(name: string, param: Param, value: unknown): unknown {
  const read = readValue(param, value);
  if (read !== undefined) return read;
  const shown = JSON.stringify(value) ?? String(value);
  const short = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
  throw new CallError("INVALID_ARGUMENT", `invalid ${name}: ${short}; expected ${wanted(param)}`);
}

/** Shell scripts quote everything, so "5" is accepted as a number and "true" as a boolean. */
function readValue(param: Param, value: unknown): unknown {
  switch (param.kind) {
    case "text":
      return typeof value === "string" ? value : undefined;
    case "texts":
      if (typeof value === "string") return value.split(",").flatMap((one) => one.trim() || []);
      return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
    case "flag":
      return value === true || value === "true"
        ? true
        : value === false || value === "false"
          ? false
          : undefined;
    case "choice":
      return param.choices.find(
        (one) => typeof value === "string" && one.toLowerCase() === value.toLowerCase(),
      );
    default: {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !(number >= param.min && number <= param.max)) return undefined;
      return param.kind === "number" || Number.isInteger(number) ? number : undefined;
    }
  }
}

function missing(name: string, param: Param, unknown: readonly string[]): CallError {
  const near = nearest(name, unknown);
  const instead = near === undefined ? "" : ` instead of "${near}"`;
  return new CallError("INVALID_ARGUMENT", `${name} is missing; expected ${wanted(param)}${instead}`);
}

export function wanted(param: Param): string {
  switch (param.kind) {
    case "text":
      return "a string";
    case "texts":
      return "a list of strings";
    case "flag":
      return "true or false";
    case "choice":
      return `one of ${param.choices.join(", ")}`;
    default: {
      const what = param.kind === "whole" ? "a whole number" : "a number";
      return param.max === Number.MAX_SAFE_INTEGER
        ? `${what} from ${param.min}`
        : `${what} from ${param.min} to ${param.max}`;
    }
  }
}

const MAX_DEPTH = 32;
export const MAX_PAYLOAD = 32 * 1024 * 1024;

/** Parses the object in `--payload`. */
export function parsePayload(text: string): Record<string, unknown> {
  if (text.length > MAX_PAYLOAD)
    throw new CallError(
      "INVALID_PAYLOAD",
      `the payload has ${text.length} characters; ${MAX_PAYLOAD} are allowed`,
    );
  let payload: unknown;
  try {
    payload = parseBounded(text.replace(/^\ufeff/, "") || "{}");
  } catch (error) {
    throw new CallError(
      "INVALID_PAYLOAD",
      `the payload is not JSON (${(error as Error).message}); pass an object such as {"query":"x"}`,
    );
  }
  if (!isRecord(payload))
    throw new CallError("INVALID_PAYLOAD", 'the payload is not an object; pass one such as {"query":"x"}');
  if (isDeeper(payload, MAX_DEPTH))
    throw new CallError("INVALID_PAYLOAD", `the payload is nested deeper than ${MAX_DEPTH} levels`);
  return payload;
}

/** Iterative, so that a payload cannot exhaust the stack. */
function isDeeper(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let i = 0; i < depth && level.length > 0; i++) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return level.some((one) => typeof one === "object" && one !== null);
}

/** A wrong call of `--tool`, with the error codes of maenifold. */
export class CallError extends Error {
  readonly code: "UNKNOWN_TOOL" | "INVALID_PAYLOAD" | "INVALID_ARGUMENT";

  constructor(code: CallError["code"], message: string) {
    super(message);
    this.name = "CallError";
    this.code = code;
  }
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

const CODES: Readonly<Record<string, string>> = {
  usage: "INVALID_ARGUMENT",
  "invalid-argument": "INVALID_ARGUMENT",
  "timespan-invalid": "INVALID_ARGUMENT",
  "input-too-large": "VALIDATION_ERROR",
  "query-empty": "INVALID_ARGUMENT",
  "semantic-missing": "INVALID_ARGUMENT",
};

/** Any error in the form of maenifold's contract. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  const { code } = describeError(error);
  return { code: contractCode(error) ?? CODES[code] ?? "INTERNAL_ERROR", message: tellContract(error) };
}
