import { stem } from "../../../search/stem.ts";
import { TOOL_NAMES } from "./extraction/language.ts";
import data from "./wish-words.json" with { type: "json" };

/** A word of a wish, and whether the wish is for it or against it. */
export interface WishWord {
  readonly word: string;
  readonly stem: string;
  /**
   * Whether it says something about the topic: not an article, a pronoun, a preposition, a negation, or a verb like
   * "use".
   */
  readonly isContent: boolean;
  /**
   * 1: wanted. -1: unwanted. 0: neither, because it says where or when something is unwanted ("no emoji in commits"),
   * or is wanted on a condition ("don't commit without asking").
   */
  readonly sign: 1 | -1 | 0;
  readonly isNegation: boolean;
  /** Whether it sets a limit: "under", "more". */
  readonly isLimit: boolean;
}

const words = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(" ").split(" "));
/** Pairs of words. */
export const pairs = (lines: readonly string[]) =>
  lines
    .join(", ")
    .split(", ")
    .map((pair) => pair.split(" ") as [string, string]);

const LIGHT = words(data.light);

/** Short forms that developers use for longer words. */
const LONG_FORMS: ReadonlyMap<string, string> = new Map(pairs(data.longForms));

/**
 * Words after which something is unwanted. Includes some of other languages, because a wish must never be mistaken for
 * its opposite.
 */
const NEGATIONS = words(data.negations);
/** The same, but only at the beginning of a clause: "never skip a test" is not against tests. */
const OPENING_NEGATIONS = words(data.openingNegations);
/** Words that make the whole clause unwanted, wherever they are in it. */
const AGAINST =
  /\b(?:forbidden|banned|prohibited|not allowed|off limits|hands off|(?:stay|keep) (?:away|clear)|keep .*\sout of|leave .*\s(?:alone|out|off))\b/;
/**
 * After one of these words follows what the wish prefers something else to. "I prefer tests to be short" is not such a
 * wish.
 */
const INSTEAD =
  /\b(?:instead of|rather than|(?<=\bprefer \S.*)(?:over|(?<!prefer (?:you |it )?)to(?! (?:be|have|do|use|stay|keep|run|write|see|get|go|work)\b)))\b/;

/** In "not longer than 100", the negation applies only to "longer". */
const LIMITS = words(data.limits);

/** A negation applies to a verb and its object: it ends at what says where, when or why. */
const ENDS_NEGATION = words(data.endsNegation);

/** The words of a wish. Accepts text in any script; only negations of a few languages are known. */
export function wishWords(text: string): WishWord[] {
  const clauses = text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/\b(any|every|all)( \S+)? but\b/g, "$1$2 except")
    .split(/[,;:!?()\u2013\u2014]\s*|\.\s+|\s-\s|\bbut\b/);
  return clauses.flatMap(clauseWords);
}

function clauseWords(clause: string): WishWord[] {
  const instead = INSTEAD.exec(clause);
  if (instead === null) return simpleClauseWords(clause);
  const before = simpleClauseWords(clause.slice(0, instead.index));
  const after = clauseWords(clause.slice(instead.index + instead[0].length));
  // "Don't use X instead of Y" is for Y.
  const sign = before.some((one) => one.isNegation) ? 1 : -1;
  // "Instead of npm" means the same as "not npm".
  return [
    ...before,
    ...after.map((one, at): WishWord => ({ ...one, sign, isNegation: one.isNegation || at === 0 })),
  ];
}

function simpleClauseWords(clause: string): WishWord[] {
  const found = splitWords(clause);
  const against = AGAINST.exec(clause)?.[0];
  const isNegatedTwice = splitWords(clause.replace(against ?? "", " ")).some((word) => NEGATIONS.has(word));
  const hasLimit = found.some((word) => LIMITS.has(word)) && numbersIn(clause).size > 0;
  // "Don't commit without asking" allows commits: what comes before "without" is neither wanted nor unwanted.
  const condition = found.indexOf("without");
  const isConditional = condition > 0 && found.slice(0, condition).some((word) => NEGATIONS.has(word));
  let isNegated = false;
  let hasObject = false;
  let isPlace = false;
  const signAt = (word: string, at: number): WishWord["sign"] => {
    if (against !== undefined) return isNegatedTwice ? 1 : -1;
    if (isPlace || (isConditional && at < condition)) return 0;
    if (!isNegated) return 1;
    return hasLimit && !LIMITS.has(word) ? 0 : -1;
  };
  return found.map((word, at): WishWord => {
    const isContent = !LIGHT.has(word);
    const opens = at === 0 && OPENING_NEGATIONS.has(word);
    const isNegation = NEGATIONS.has(word) || opens;
    if (isNegation) {
      isNegated = !(isConditional && at === condition);
      hasObject = false;
      isPlace = false;
    } else if (isNegated && hasObject && ENDS_NEGATION.has(word)) isPlace = true;
    else if (isNegated && isContent) hasObject = true;
    const sign = opens && against === undefined ? 1 : signAt(word, at);
    return { word, stem: stem(word), isContent, sign, isNegation, isLimit: LIMITS.has(word) };
  });
}

/** Keeps paths and options whole: `src/a` and `src/b` are different names, and `--no-verify` is not a negation. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}_+#@./\\-]+/gu)]
    .map(([word]) => word.replace(/^[./\\+#]+(?=[\p{L}\p{N}])|[./\\-]+$/gu, ""))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .flatMap((word) => (/[/\\.@]|^-/.test(word) ? [word] : word.split("-").filter((part) => part !== "")))
    .map((word) => LONG_FORMS.get(word) ?? word);
}

/** The names in a wish: tools, languages, files, identifiers. Wishes with different names are never the same. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, code = ""] of text.matchAll(/`([^`]+)`/g))
    for (const word of splitWords(code)) names.add(key(word));
  // The first word of a sentence always begins with a capital, so it does not count.
  const inside = text.replace(/(?:^|[.!?:]\s+)["'(`]*\p{Lu}\p{Ll}*(?![\p{L}\p{N}])/gu, " ");
  for (const word of splitWords(inside)) if (looksLikeName(word)) names.add(key(word));
  for (const tool of toolsIn(text)) names.add(tool);
  return names;
}

/** Those among the names that are known tools. */
export function toolsIn(text: string): Set<string> {
  return new Set(splitWords(text.toLowerCase()).flatMap((word) => (TOOL_NAMES.has(word) ? [key(word)] : [])));
}

function looksLikeName(word: string): boolean {
  if (/^I$/.test(word)) return false;
  return /[_/\\@.]|^-|^\p{Lu}|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(word);
}

function key(word: string): string {
  return stem(word.toLowerCase().replace(/\.(?:md|json|ya?ml|toml|txt)$/, ""));
}

/** The numbers in a wish, as digits. Wishes with different numbers are never the same. */

const NUMBER_WORDS = new Map([
  ...[...words(data.numbers)].map((word, at) => [word, String(at + 2)] as const),
  ...[...words(data.tens)].map((word, at) => [word, String(10 * (at + 2))] as const),
]);

/** "One" is not included, because it seldom counts anything. */
export function numbersIn(text: string): Set<string> {
  const numbers = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/\d+(?:\.\d+)*|\p{L}+/gu)) {
    const number = /^\d/.test(word) ? word : NUMBER_WORDS.get(word);
    if (number !== undefined) numbers.add(number);
  }
  return numbers;
}
