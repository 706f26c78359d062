import { isContinuoError } from "../../../base/errors.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import { isEnglish } from "./extraction/other-languages.ts";
import { hasOpposites, isOppositeSign, isReplaced, isTurnedRound } from "./wish-differences.ts";
import { namesIn, numbersIn, toolsIn, type WishWord, wishWords } from "./wish-words.ts";

/**
 * Decides whether two wishes say the same in other words. Meaning alone cannot tell: "use pnpm" and "use yarn" are as
 * near to each other as two wordings of one wish. So the meaning must be near, and nothing may contradict it. In doubt
 * they are different, because being asked twice is a smaller cost than losing a wish.
 *
 * The numbers were chosen on the development half of `bench/tombstones`, with the package's table.
 */
export interface WishComparison {
  isSame(a: string, b: string): boolean;
  /** How near their meanings are, from -1 to 1. */
  nearness(a: string, b: string): number;
  /** Which of these is possibly, but not certainly, the same wish in other words; the nearest one. */
  nearest(text: string, among: readonly string[]): string | undefined;
  /** What makes them two wishes, however near they are. */
  differenceOf(a: string, b: string): Difference | undefined;
}

type Difference = "names" | "numbers" | "polarity" | "opposites" | "replaced" | "more";

/** The vector of a text, of length 1; undefined if none of its words is known. */
type Embed = (text: string) => Float32Array | undefined;

/** From here on, two wishes may be the same. */
const NEAR = 0.54;
/**
 * From here on, two wishes may be the same in very different words. The table knows English best: in other languages,
 * and especially in other scripts, unrelated texts are nearer to each other.
 */
const SIMILAR = { english: 0.25, latin: 0.35, other: 0.55 };
/** Below this, two texts are never the same, whatever their words. */
const FAR = 0.3;
/** From here on, two words are about the same thing. */
const RELATED = 0.35;
/** The largest share of a wish's meaning, from 0 to 1, that the other one may lack. */
const OWN = 0.15;

const MAX_CHARACTERS = 1000;

interface Wish {
  readonly words: readonly WishWord[];
  readonly content: readonly WishWord[];
  readonly names: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** The vectors of all its words, and of those that say what it is about. */
  readonly whole: Float32Array | undefined;
  readonly topic: Float32Array | undefined;
  /** How near another wish must be to count as similar. */
  readonly similar: number;
}

/** Each text and each word is processed once, however often it is compared. */
export function compareWishes(embed: Embed): WishComparison {
  const vectorOf = remember(embed);
  const topicOf = (words: readonly WishWord[]) => vectorOf(words.map((one) => one.word).join(" "));
  const read = remember((text: string): Wish => {
    const words = wishWords(text);
    const content = words.filter((one) => one.isContent);
    const [names, tools, numbers] = [namesIn(text), toolsIn(text), numbersIn(text)];
    const [whole, topic] = [vectorOf(text), topicOf(content)];
    return { words, content, names, tools, numbers, whole, topic, similar: similarFrom(text) };
  });

  function nearness(a: Wish, b: Wish): number {
    return (cosine(a.whole, b.whole) + cosine(a.topic, b.topic)) / 2;
  }

  /** How much the meaning of `a` changes without the words that are related to nothing in `b`. */
  function ownMeaning(a: Wish, b: Wish): number {
    const stems = new Set(b.content.map((one) => one.stem));
    const isRelated = ({ word, stem }: WishWord) =>
      stems.has(stem) || b.content.some((other) => cosine(vectorOf(word), vectorOf(other.word)) >= RELATED);
    return 1 - cosine(a.topic, topicOf(a.content.filter(isRelated)));
  }

  function differenceOf(a: Wish, b: Wish): Difference | undefined {
    if (differ(a.names, b.names)) return "names";
    if (differ(a.numbers, b.numbers)) return "numbers";
    if (isOppositeSign(a.words, b.words)) return "polarity";
    if (hasOpposites(a.words, b.words) || isTurnedRound(a.words, b.words)) return "opposites";
    if (isReplaced(a.words, b.words)) return "replaced";
    return Math.max(ownMeaning(a, b), ownMeaning(b, a)) >= OWN ? "more" : undefined;
  }

  /** Other tools, or the same sentence with another name or number: certainly two wishes. */
  function clearlyDiffer(a: Wish, b: Wish): boolean {
    if (differ(a.tools, b.tools)) return true;
    return (differ(a.names, b.names) || differ(a.numbers, b.numbers)) && isReplaced(a.words, b.words);
  }

  function similarity(a: Wish, b: Wish): number {
    const near = nearness(a, b);
    return near >= Math.max(a.similar, b.similar) && !clearlyDiffer(a, b) ? near : 0;
  }

  return {
    nearest(text, among) {
      if (!isShort(text)) return undefined;
      let best: { readonly text: string; readonly near: number } | undefined;
      for (const other of among) {
        const near = isShort(other) ? similarity(read(text), read(other)) : 0;
        if (near > (best?.near ?? 0)) best = { text: other, near };
      }
      return best?.text;
    },
    isSame(a, b) {
      if (!canRead(a) || !canRead(b)) return false;
      // Most pairs are about different things, so their words need not be compared.
      if (cosine(vectorOf(a), vectorOf(b)) < FAR) return false;
      return nearness(read(a), read(b)) >= NEAR && differenceOf(read(a), read(b)) === undefined;
    },
    nearness: (a, b) => (isShort(a) && isShort(b) ? nearness(read(a), read(b)) : 0),
    differenceOf: (a, b) => differenceOf(read(a), read(b)),
  };
}

/** The comparison without a table, in which no two wishes are near each other. */
const NOTHING_NEAR: WishMeaning = { isSame: () => false, nearness: () => 0, nearest: () => undefined };

export type WishMeaning = Pick<WishComparison, "isSame" | "nearness" | "nearest">;

/**
 * Compares by the table of meaning, which is opened at the first comparison. If it is missing or damaged, wishes are
 * compared only by their letters; opening the table has recorded the reason.
 */
export function wishMeaning(source: MeaningSource): WishMeaning {
  let comparison: WishMeaning | undefined;
  function opened(): WishMeaning {
    const meaning = source();
    return meaning === undefined ? NOTHING_NEAR : compareWishes((text) => meaning.embed(text));
  }
  function compare<T>(by: (one: WishMeaning) => T): T {
    comparison ??= opened();
    try {
      return by(comparison);
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      comparison = NOTHING_NEAR;
      return by(comparison);
    }
  }
  return {
    isSame: (a, b) => compare((one) => one.isSame(a, b)),
    nearness: (a, b) => compare((one) => one.nearness(a, b)),
    nearest: (text, among) => compare((one) => one.nearest(text, among)),
  };
}

/** A longer text is not a wish, and processing its words would take seconds. */
const isShort = (text: string): boolean => text.length <= MAX_CHARACTERS;

/** In other scripts a negation would not be noticed. */
function canRead(text: string): boolean {
  return isShort(text) && isLatin(text);
}

function isLatin(text: string): boolean {
  return !/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(text);
}

function similarFrom(text: string): number {
  if (!isLatin(text)) return SIMILAR.other;
  return isEnglish(text) ? SIMILAR.english : SIMILAR.latin;
}

/** Whether each has something that the other lacks. If only one has more, it may be the same wish in more words. */
function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((one) => !b.has(one)) && [...b].some((one) => !a.has(one));
}

function remember<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (text) => {
    const found = known.get(text) ?? { value: make(text) };
    known.set(text, found);
    return found.value;
  };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
