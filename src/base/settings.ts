import { isRecord } from "./json.ts";
import { nearest } from "./text.ts";

/** Settings as data: one table says what a key may hold, and checking, defaults and help all come from it. */

export type Setting = {
  readonly help: string;
  /** Environment variable that wins over the file. */
  readonly env?: string;
} & (
  | { readonly kind: "whole"; readonly default: number; readonly min: number; readonly max: number }
  | { readonly kind: "switch"; readonly default: boolean }
  | { readonly kind: "choice"; readonly default: string; readonly choices: readonly string[] }
  | { readonly kind: "text"; readonly default: string }
  | { readonly kind: "texts"; readonly default: readonly string[] }
);

export type Schema = Readonly<Record<string, Setting>>;
export type Value = number | boolean | string | readonly string[];

/** What a setting holds, by its kind. */
type ValueOf<S extends Setting> = S extends { kind: "whole" }
  ? number
  : S extends { kind: "switch" }
    ? boolean
    : S extends { kind: "choice"; choices: readonly (infer Choice)[] }
      ? Choice
      : S extends { kind: "texts" }
        ? readonly string[]
        : string;

/** The type of the values, derived from the schema. Without a schema their types are unknown. */
export type Values<S extends Schema = Schema> = Schema extends S
  ? Readonly<Record<string, Value>>
  : { readonly [K in keyof S]: ValueOf<S[K]> };

/** Where a value comes from. */
export type Origin = "default" | "file" | "environment";

export interface Problem {
  readonly key: string;
  readonly message: string;
  readonly hint: string;
}

/** Reads one group of settings. A bad value gives the default and a problem; it never throws. */
export function readSettings<S extends Schema>(
  raw: unknown,
  schema: S,
  env: NodeJS.ProcessEnv,
  group = "",
): { values: Values<S>; origins: Readonly<Record<string, Origin>>; problems: Problem[] } {
  const problems: Problem[] = [];
  const given = isRecord(raw) ? raw : {};
  if (raw !== undefined && !isRecord(raw)) {
    problems.push({ key: group, message: `${group || "the file"} must be an object`, hint: "write { … }" });
  }
  for (const key of Object.keys(given)) {
    if (!(key in schema)) problems.push(unknownKey(group + key, key, Object.keys(schema)));
  }
  const values: Record<string, Value> = {};
  const origins: Record<string, Origin> = {};
  for (const [key, setting] of Object.entries(schema)) {
    const fromEnv = setting.env === undefined ? undefined : env[setting.env];
    const value = fromEnv === undefined || fromEnv === "" ? given[key] : fromText(fromEnv, setting);
    const name = fromEnv ? (setting.env as string) : group + key;
    values[key] = setting.default;
    origins[key] = "default";
    if (value === undefined) continue;
    if (accepts(setting, value)) {
      values[key] = value;
      origins[key] = fromEnv ? "environment" : "file";
    } else {
      problems.push({
        key: name,
        message: `${name} is ${JSON.stringify(value)}; ${setting.default} is used instead`,
        hint: `give ${wanted(setting)}`,
      });
    }
  }
  return { values: values as Values<S>, origins, problems };
}

/**
 * Gives values the types of their schema, for code that received them untyped, such as a source from the engine. A
 * missing value, or one of another type, becomes the default.
 */
export function typed<S extends Schema>(schema: S, values: Values): Values<S> {
  const entries = Object.entries(schema).map(([key, setting]) => {
    const value = values[key];
    return [key, value !== undefined && accepts(setting, value) ? value : setting.default];
  });
  return Object.fromEntries(entries) as Values<S>;
}

export function unknownKey(shown: string, key: string, known: readonly string[]): Problem {
  const near = nearest(key, known);
  return {
    key: shown,
    message: `unknown key "${shown}"`,
    hint: near === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${near}"?`,
  };
}

function accepts(setting: Setting, value: unknown): value is Value {
  if (setting.kind === "whole") {
    return Number.isInteger(value) && (value as number) >= setting.min && (value as number) <= setting.max;
  }
  if (setting.kind === "switch") return typeof value === "boolean";
  if (setting.kind === "text") return typeof value === "string";
  if (setting.kind === "texts") return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === "string" && setting.choices.includes(value);
}

function fromText(text: string, setting: Setting): unknown {
  if (setting.kind === "whole") return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (setting.kind === "switch")
    return text === "true" || text === "1" || (text === "false" || text === "0" ? false : text);
  if (setting.kind === "texts") return text.split(",").map((one) => one.trim());
  return text;
}

/** What a setting may hold, in words. */
export function wanted(setting: Setting): string {
  if (setting.kind === "whole") return `a whole number from ${setting.min} to ${setting.max}`;
  if (setting.kind === "switch") return "true or false";
  if (setting.kind === "text") return "text";
  if (setting.kind === "texts") return 'a list of strings: ["…", "…"]';
  return `one of ${setting.choices.join(", ")}`;
}
