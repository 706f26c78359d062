import { ContinuoError } from "../../../base/errors.ts";
import { slugify, withoutRuleExtension } from "../../../base/slug.ts";
import { collapse } from "../../../base/text.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { titleFromText } from "../../../markdown/title-from-text.ts";
import { STOP_WORDS } from "../../../search/words.ts";
import { parseRule } from "../parsing/parse.ts";
import { splitCommas } from "../parsing/values.ts";

/** A longer rule would cost more in every session than it is worth; `rules check` warns about it too. */
const MAX_TOKENS = 2000;

/** The text of a rule as the user gave it, checked. */
export function ruleText(given: string): string {
  const text = given.toWellFormed().replace(/\r\n?/g, "\n").trim();
  if (text === "")
    throw new ContinuoError("usage", "the text of the rule is missing", {
      hint: 'for example: continuo rules add "Run the tests before you say done."',
    });
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text))
    throw new ContinuoError("rule-invalid", "the text contains control characters", {
      hint: "type it again without them",
    });
  const tokens = countTokens(text);
  if (tokens > MAX_TOKENS)
    throw new ContinuoError(
      "rule-too-long",
      `the rule has about ${tokens} tokens, and every session would pay for them; the limit is ${MAX_TOKENS}`,
      {
        hint: "keep what changes behaviour, split it with --globs, or keep the rest as a note: continuo note",
      },
    );
  return text;
}

/** Globs, given as one value with commas or as several values. */
export function globsFrom(given: readonly string[]): string[] {
  return given.flatMap(splitCommas);
}

/**
 * The content of a rule's file. Has frontmatter only if there is a condition. Throws if it would be parsed as something
 * else.
 */
export async function ruleFile(text: string, globs: readonly string[]): Promise<string> {
  const [only] = globs;
  const value = globs.length === 1 ? only : globs;
  const front = only === undefined ? "" : `---\nglobs: ${JSON.stringify(value)}\n---\n\n`;
  const file = `${front}${text}\n`;
  const read = await parseRule(file, { name: "new.md", dialect: "continuo" });
  if (read.kind === "refused" || read.rule.body !== text)
    throw new ContinuoError(
      "rule-invalid",
      read.kind === "refused" && only !== undefined && !text.startsWith("---")
        ? `the rule cannot be read: ${read.message}`
        : "the text begins with ---, which would be read as frontmatter",
      { hint: "pass only the text, and files with --globs; other conditions: see docs/rules.md" },
    );
  return file;
}

/** Whether two texts say the same to an agent. */
export function isSameText(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(text: string): string {
  return collapse(text)
    .toLowerCase()
    .replace(/[.!\s]+$/, "");
}

/** Long enough to recognise the rule in a list. */
const MAX_NAME = 40;

/**
 * A sentence too long for a name is cut to this many words, or to more if the name would end in the middle of a phrase.
 */
const USUAL_WORDS = 5;

/** After these words a reader expects more, as after stop words. */
const OPEN_WORDS = new Set(["always", "cannot", "dont", "must", "never", "unless", "use", "without"]);

/** The file's name without `.md`: readable, and valid on every system. */
export function nameFor(text: string): string {
  const slug = slugify(titleFromText(text));
  const characters = [...slug];
  if (characters.length <= MAX_NAME) return slug;
  const cut = characters.slice(0, MAX_NAME).join("");
  // The last word may be cut.
  const ends = [...cut.matchAll(/-/g), ...(characters[MAX_NAME] === "-" ? [{ index: cut.length }] : [])];
  const names = ends.map(({ index }) => cut.slice(0, index)).filter((name) => name.includes("-"));
  const whole = names.filter((name) => !isOpen(name.slice(name.lastIndexOf("-") + 1)));
  const usual = whole.filter((name) => name.split("-").length <= USUAL_WORDS);
  return usual.at(-1) ?? whole[0] ?? names.at(-1) ?? cut;
}

function isOpen(word: string): boolean {
  return STOP_WORDS.has(word) || OPEN_WORDS.has(word);
}

/** A name given by the user. */
export function givenName(given: string): string {
  const name = slugify(withoutRuleExtension(given.trim()));
  if (/[\p{L}\p{N}]/u.test(given) && [...name].length <= MAX_NAME) return name;
  throw new ContinuoError("usage", `invalid name "${given}"`, {
    hint: `use a few letters, digits and dashes, at most ${MAX_NAME} characters`,
  });
}

/** The name, with a number appended if it is taken. Ignores case, because on some systems it would be the same file. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const one = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(one.toLowerCase())) return one;
  }
}
