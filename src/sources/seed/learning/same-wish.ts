import { namesIn, numbersIn } from "./wish-names.ts";
import { type WishWord, wishWords } from "./wish-words.ts";

/**
 * Whether two wishes are one in other words. By meaning alone they cannot be told apart: "use pnpm" and "use yarn" are as
 * near to each other as two wordings of one wish. So the meaning must be near and nothing may speak against it. When in
 * doubt they are different: a wish that is asked about twice costs less than one that is never heard.
 */

/** The vector of a text, of length 1; undefined if nothing in it is known. */
export type Embed = (text: string) => Float32Array | undefined;

/** A wish, read once for many comparisons. */
export interface Wish {
  readonly words: readonly WishWord[];
  readonly names: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** Of all its words, and of those that say what it is about. */
  readonly whole: Float32Array | undefined;
  readonly topic: Float32Array | undefined;
}

export function readWish(text: string, embed: Embed): Wish {
  const words = wishWords(text);
  const topic = words.filter((one) => one.isContent).map((one) => one.word);
  return {
    words,
    names: namesIn(text),
    numbers: numbersIn(text),
    whole: embed(text),
    topic: embed(topic.join(" ")),
  };
}

export const NEAR = 0.7;
/** From this share of common words on, two texts are one sentence with something replaced. */
const SAME_SENTENCE = 0.5;

export function isSameWish(a: Wish, b: Wish, near = NEAR): boolean {
  return nearness(a, b) >= near && differenceOf(a, b) === undefined;
}

/** From -1 to 1. */
export function nearness(a: Wish, b: Wish): number {
  return (cosine(a.whole, b.whole) + cosine(a.topic, b.topic)) / 2;
}

/** What makes two wishes different, however near they are. */
export function differenceOf(
  a: Wish,
  b: Wish,
): "names" | "numbers" | "polarity" | "opposites" | "replaced" | undefined {
  if (differ(a.names, b.names)) return "names";
  if (differ(a.numbers, b.numbers)) return "numbers";
  if (isOppositeSign(a, b)) return "polarity";
  if (hasOpposites(a, b)) return "opposites";
  return isReplaced(a, b) ? "replaced" : undefined;
}

/** Each has something that the other lacks. If only one has more, it may be the same wish in more words. */
function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((one) => !b.has(one)) && [...b].some((one) => !a.has(one));
}

/** More words that one wants and the other does not than words that neither wants. */
function isOppositeSign(a: Wish, b: Wish): boolean {
  const signs = new Map(b.words.filter((one) => one.isContent).map((one) => [one.stem, one.sign]));
  let against = 0;
  let both = 0;
  for (const { stem, sign, isContent } of a.words) {
    const other = isContent ? signs.get(stem) : undefined;
    if (other === undefined) continue;
    if (sign * other === -1) against++;
    else if (sign === -1 && other === -1) both++;
  }
  return against > both;
}

/** Pairs, each as two words. */
const OPPOSITES: readonly (readonly [string, string])[] = `
  start stop, add remove, add delete, create delete, keep remove, keep delete, before after, first last, short long, short detailed,
  brief long, brief detailed, small large, small big, more less, more fewer, most least, above below, upper lower, uppercase lowercase,
  top bottom, left right, inside outside, enable disable, allow forbid, allow disallow, include exclude, show hide, open close, on off,
  public private, local global, internal external, manual automatic, manually automatically, single multiple, one several, one many,
  singular plural, parallel sequential, everything nothing, always never, early late, newest oldest, latest oldest, light dark,
  ascending descending, past present, accept reject, merge split, optional required`
  .split(",")
  .map((pair) => pair.trim().split(" "))
  .map(([one = "", other = ""]) => [one, other] as const);

/** One says "short" where the other says "long", and both want it, or both do not. */
function hasOpposites(a: Wish, b: Wish): boolean {
  const signOf = ({ words }: Wish, word: string) => words.find((one) => one.word === word)?.sign;
  return OPPOSITES.some(([one, other]) =>
    [
      [signOf(a, one), signOf(b, other)],
      [signOf(a, other), signOf(b, one)],
    ].some(([left, right]) => left !== undefined && left === right),
  );
}

/** The same sentence with other content in one place: "don't create new docs", "don't create new tests". */
function isReplaced(a: Wish, b: Wish): boolean {
  const common = commonPlaces(a.words, b.words);
  if (common.length < SAME_SENTENCE * Math.max(a.words.length, b.words.length)) return false;
  const inA = new Set(a.words.map((one) => one.stem));
  const inB = new Set(b.words.map((one) => one.stem));
  const isNew = (words: readonly WishWord[], others: ReadonlySet<string>) =>
    words.some((one) => one.isContent && !others.has(one.stem));
  let [fromA, fromB] = [0, 0];
  for (const [toA, toB] of [...common, [a.words.length, b.words.length] as const]) {
    if (isNew(a.words.slice(fromA, toA), inB) && isNew(b.words.slice(fromB, toB), inA)) return true;
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  return false;
}

/** The places of a longest common subsequence. */
function commonPlaces(
  a: readonly WishWord[],
  b: readonly WishWord[],
): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i]?.stem === b[j]?.stem ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const places: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i]?.stem === b[j]?.stem) places.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return places;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
