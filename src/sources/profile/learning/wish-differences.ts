import data from "./wish-words.json" with { type: "json" };
import { pairs, type WishWord } from "./wish-words.ts";

/** What the words of two wishes say against their being the same. Needs no table of meaning. */

/** From this share of common words on, two texts are one sentence with something replaced. */
const SAME_SENTENCE = 0.5;

/**
 * Whether one is only for things and the other only against things, or one wants more that the other does not than both
 * reject.
 */
export function isOppositeSign(a: readonly WishWord[], b: readonly WishWord[]): boolean {
  if (onlySign(a) * onlySign(b) === -1) return true;
  const [signsA, signsB] = [signsOf(a), signsOf(b)];
  let against = 0;
  let both = 0;
  for (const [stem, sign] of signsA) {
    const other = signsB.get(stem) ?? 0;
    if (sign * other === -1) against++;
    else if (sign === -1 && other === -1) both++;
  }
  return against > both;
}

/** 1 if it is only for things, -1 if it is only against things, else 0. */
function onlySign(words: readonly WishWord[]): number {
  const signs = new Set(words.filter((one) => one.isContent).map((one) => one.sign));
  return signs.has(1) ? (signs.has(-1) ? 0 : 1) : signs.has(-1) ? -1 : 0;
}

/** 0 for a word that is wanted in one place and unwanted in another. */
function signsOf(words: readonly WishWord[]): Map<string, number> {
  const signs = new Map<string, number>();
  for (const { stem, sign, isContent, isLimit } of words) {
    if (!isContent && !isLimit) continue;
    const before = signs.get(stem) ?? sign;
    signs.set(stem, before * sign === -1 ? 0 : before === 0 ? sign : before);
  }
  return signs;
}

const OPPOSITES = pairs(data.opposites);

/** Whether one says "short" where the other says "long", and both want it, or both reject it. */
export function hasOpposites(a: readonly WishWord[], b: readonly WishWord[]): boolean {
  const signOf = (words: readonly WishWord[], word: string) => words.find((one) => one.word === word)?.sign;
  return OPPOSITES.some(([one, other]) =>
    [
      [signOf(a, one), signOf(b, other)],
      [signOf(a, other), signOf(b, one)],
    ].some(([left, right]) => left !== undefined && left === right),
  );
}

/** Whether something comes first in one and last in the other: "write tests before code", "write code before tests". */
export function isTurnedRound(a: readonly WishWord[], b: readonly WishWord[]): boolean {
  return ["before", "after"].some((turn) => {
    const [sidesA, sidesB] = [sidesOf(a, turn), sidesOf(b, turn)];
    return (
      sidesA.first.some((stem) => sidesB.last.includes(stem) && !sidesA.last.includes(stem)) &&
      sidesA.last.some((stem) => sidesB.first.includes(stem) && !sidesA.first.includes(stem))
    );
  });
}

function sidesOf(words: readonly WishWord[], turn: string) {
  const at = words.findIndex((one) => one.word === turn);
  const stems = (some: readonly WishWord[]) => some.filter((one) => one.isContent).map((one) => one.stem);
  return { first: stems(words.slice(0, Math.max(0, at))), last: stems(words.slice(at + 1)) };
}

/**
 * Whether they are the same sentence with other content in one place ("don't create new docs", "don't create new
 * tests") or with an additional negation, which also finds what the signs miss.
 */
export function isReplaced(a: readonly WishWord[], b: readonly WishWord[]): boolean {
  const common = commonPlaces(a, b);
  if (common.length < SAME_SENTENCE * Math.max(a.length, b.length)) return false;
  const negations = (words: readonly WishWord[]) => words.filter((one) => one.isNegation).length;
  if (negations(a) !== negations(b)) return true;
  const inA = new Set(a.map((one) => one.stem));
  const inB = new Set(b.map((one) => one.stem));
  const isNew = (words: readonly WishWord[], others: ReadonlySet<string>) =>
    words.some((one) => one.isContent && !others.has(one.stem));
  let [fromA, fromB] = [0, 0];
  for (const [toA, toB] of [...common, [a.length, b.length] as const]) {
    if (isNew(a.slice(fromA, toA), inB) && isNew(b.slice(fromB, toB), inA)) return true;
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  return false;
}

/** The positions of a longest common subsequence. */
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
