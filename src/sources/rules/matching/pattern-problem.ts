import { MAX_PATTERN } from "./linear-regex.ts";

/** JavaScript's messages about invalid expressions, in plain words. */
const INVALID: readonly (readonly [RegExp, string])[] = [
  [/Unterminated group/, "has an open ("],
  [/Unmatched '\)'/, "has a ) without a ("],
  [/Range out of order/, "has a range in [] that begins after its end"],
  [/character class/, "has an open ["],
  [/Nothing to repeat/, "has a *, + or ? after nothing"],
  [/\\ at end/, "ends with a \\"],
  [/numbers out of order/, "has {} with a larger number before a smaller one"],
];

/** Why an expression is not searchable, worded to follow "the pattern". */
export function patternProblem(source: string): string {
  if (source.trim() === "") return "is empty";
  if (source.length > MAX_PATTERN) return `has more than ${MAX_PATTERN} characters`;
  try {
    new RegExp(source.replace(/^\(\?i\)/, "")); // only compiled, never executed: takes no time
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(error.message.lastIndexOf(": ")) : "";
    const known = INVALID.find(([said]) => said.test(message));
    return known?.[1] ?? "is not a regular expression";
  }
  if (/\(\?<?[=!]/.test(source)) return "has a lookahead or lookbehind: (?=, (?!, (?<= or (?<!";
  if (/\\[1-9]|\\k</.test(source)) return "has a back-reference, such as \\1";
  return "is too large, or has something that checks cannot search for";
}
