import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/settings.ts";
import { A_TIME, timeOf as parseTime } from "../../search/timespan.ts";
import type { Input } from "../command.ts";

/** Reads options and arguments, and refuses wrong ones with what would have been right. */

export function textOption({ values }: Input, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listOption({ values }: Input, name: string): string[] {
  const value = values[name];
  const list = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list
    .flatMap((one) => (typeof one === "string" ? one.split(",") : []))
    .flatMap((one) => one.trim() || []);
}

export function wholeOption(input: Input, name: string, least: number, most: number): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw wrong(name, text, `a whole number from ${least} to ${most}`);
}

export function shareOption(input: Input, name: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const share = Number(text);
  if (share >= 0 && share <= 1) return share;
  throw wrong(name, text, "a number from 0 to 1");
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
  throw wrong(
    name,
    text,
    `one of ${choices.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`,
  );
}

/** A day or time, or how long ago: `2026-11-01`, `7d`. */
export function timeOption(input: Input, name: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const time = parseTime(text, input.now());
  if (time !== undefined) return time;
  throw wrong(name, text, A_TIME);
}

/** The one word, or words, that a command is about. */
export function subject(input: Input, what: string, usage: string): string {
  const words = input.positionals.join(" ").trim();
  if (words !== "") return words;
  throw new ContinuoError("usage", `which ${what}?`, { hint: `usage: continuo ${usage}` });
}

/** Exactly so many words; one more is a sign that quotes were forgotten. */
export function exactly(input: Input, count: number, usage: string): readonly string[] {
  const { positionals } = input;
  if (positionals.length === count && positionals.every((word) => word.trim() !== "")) return positionals;
  const hint = `usage: continuo ${usage}${positionals.length > count ? "; put quotes around what has spaces" : ""}`;
  throw new ContinuoError(
    "usage",
    positionals.length > count ? "there are too many words" : "something is missing",
    { hint },
  );
}

function wrong(name: string, text: string, wanted: string): ContinuoError {
  return new ContinuoError("usage", `--${name} is "${text}"`, { hint: `give ${wanted}` });
}
