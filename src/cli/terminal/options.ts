import { ContinuoError } from "../../base/errors.ts";
import { AGENT_NAMES } from "../../base/host-names.ts";
import { nearest } from "../../base/text.ts";
import { A_TIME, timeOf } from "../../search/timespan.ts";
import type { Input } from "../command.ts";

// Readers for options and arguments. Each refuses a wrong value and says what is expected.

export function textOption({ values }: Input, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The values of an option that may be repeated, as they were given. */
export function textsOption({ values }: Input, name: string): string[] {
  const value = values[name];
  const given = Array.isArray(value) ? value : [value];
  return given.flatMap((one) => (typeof one === "string" && one !== "" ? [one] : []));
}

export function wholeOption(input: Input, name: string, min: number, max: number): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw invalid(name, text, `a whole number from ${min} to ${max}`);
}

export function choiceOption<const C extends string>(
  input: Input,
  name: string,
  choices: readonly C[],
): C | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const found = choices.find((one) => one.toLowerCase() === text.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(text, choices);
  const suggestion = near === undefined ? "" : `; did you mean ${near}?`;
  throw invalid(name, text, `one of ${choices.join(", ")}${suggestion}`);
}

export function hostOption(input: Input): string | undefined {
  return choiceOption<string>(input, "host", AGENT_NAMES);
}

/** A day or time, or how long ago: `2026-11-01`, `7d`. */
export function timeOption(input: Input, name: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const time = timeOf(text, input.now());
  if (time !== undefined) return time;
  throw invalid(name, text, A_TIME);
}

function invalid(name: string, text: string, expected: string): ContinuoError {
  return new ContinuoError("usage", `invalid value for --${name}: "${text}"`, {
    hint: `expected ${expected}`,
  });
}

/** All arguments as one text: quotes around several words are optional. */
export function subject(input: Input, what: string, usage: string): string {
  const words = input.positionals.join(" ").trim();
  if (words !== "") return words;
  throw new ContinuoError("usage", `${what} is missing`, { hint: `usage: continuo ${usage}` });
}

/** Requires this many arguments; one more usually means that quotes were forgotten. */
export function exactly(input: Input, count: number, usage: string): readonly string[] {
  const { positionals } = input;
  if (positionals.length > count) throw tooManyArguments(usage);
  if (positionals.length === count && positionals.every((word) => word.trim() !== "")) return positionals;
  throw new ContinuoError("usage", "an argument is missing", { hint: `usage: continuo ${usage}` });
}

export function tooManyArguments(usage: string): ContinuoError {
  return new ContinuoError("usage", "too many arguments", {
    hint: `usage: continuo ${usage}; put quotes around text with spaces`,
  });
}
