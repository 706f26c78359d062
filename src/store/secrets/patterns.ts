import data from "./patterns.json" with { type: "json" };

/**
 * The patterns of secrets are data (patterns.json): each row is a line of text, parsed only when something is redacted.
 * The facts (prefixes, alphabets, lengths) are from providers' documentation and from the rule sets of gitleaks,
 * trufflehog and secretlint; docs/design/state.md lists them. A name in «» stands for the pattern with this name in
 * `parts`.
 */

/**
 * Tokens that can be recognised by their prefix: `kind alphabet least[-most] prefix...`. Lengths are lower bounds
 * rather than exact: formats grow, and a truncated token is still a token.
 *
 * Alphabets: `a` letters and digits, `w` `a` and `_-`, `d` `w` and `.`, `b` base64, `x` hexadecimal, `u` upper case and
 * digits.
 */
export const FORMATS: readonly string[] = data.formats;

/**
 * Tokens without a known prefix, each with a text that it always contains. A pattern is tried only if its text occurs.
 */
export const SHAPES = data.shapes.map((row) => {
  const [kind = "", has = "", pattern = ""] = row.split("\t");
  return { kind, has, pattern };
});

/** Passwords on command lines. `isPair`: the password comes after the first colon (or `%`). */
export const COMMANDS = data.commands.map((row) => {
  const [has = "", pattern = "", pair] = row.split("\t");
  return { has, pattern, isPair: pair === "pair" };
});

/** How a value is judged to be a secret: it is random, mixes kinds of characters, decodes to a secret, and so on. */
export type Judge = "random" | "sure" | "mixed" | "basic" | "encoded" | "phrase" | "key";

export interface Line {
  readonly has: string;
  readonly kind: string;
  readonly judge: Judge;
  readonly pattern: string;
}

/**
 * Lines with secrets: password hashes, files and outputs of programs, calls, and what people write to each other, also
 * with the word "password" in other languages.
 */
export const LINES = data.lines.map(lineOf);

/** The same in other scripts. Searched only in texts with such letters. */
export const IN_OTHER_SCRIPTS = lineOf(data.otherScripts);

function lineOf(row: string): Line {
  const [has = "", kind = "", judge = "", pattern = ""] = row.split("\t");
  return { has, kind, judge: judge as Judge, pattern };
}

const PARTS: Readonly<Record<string, string>> = data.parts;
const made = new Map<string, RegExp>();

/** Compiled when it is first needed. */
export function compiled(pattern: string): RegExp {
  const known = made.get(pattern);
  if (known !== undefined) return known;
  const whole = pattern.replace(/«(\w+)»/g, (_, name: string) => PARTS[name] ?? "");
  const regex = new RegExp(whole, whole.includes("\\p{") ? "gmu" : "gm");
  made.set(pattern, regex);
  return regex;
}
