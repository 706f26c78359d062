import { averageLength, type Bm25Weights, idf, lengthNorm, maxScore, termScore } from "../bm25.ts";

/** How many of the best are compared. The right one is seldom further down, and each text must be read. */
export const RERANKED = 20;
/** The same in a hook, which shows at most three. */
export const RERANKED_IN_HOOK = 8;

/**
 * The index has stems without word order. So the texts of the best hits are compared with the query by character
 * n-grams, and the most similar move up: the word itself beats another form of it, and a phrase beats its parts. The
 * others keep their order, so a longer list begins with the shorter one.
 */
export function rerank<T extends { readonly strength: number }>(
  query: string,
  ranked: readonly T[],
  textOf: (one: T) => string,
  share: number,
  most = RERANKED,
): { readonly one: T; readonly strength: number }[] {
  const near = ngramSimilarity(query, ranked.slice(0, most).map(textOf));
  return ranked
    .map((one, at) => ({ one, strength: one.strength + share * (near[at] ?? 0) }))
    .sort((a, b) => b.strength - a.strength);
}

/**
 * The probability that the first hit with this strength is the right one, if there is a right one. Means about the same
 * for every query. Fitted on the development questions (docs/design/meaning.md).
 */
export const likelihood = (strength: number): number => 1 / (1 + Math.exp(-7 * (strength - 0.57)));

/**
 * How similar texts are to a query by shared character 4-grams. The index finds words by their stems, so "deadcode"
 * does not match "deadlocked" or "dead code"; n-grams do. N-grams across a space match neighbouring words, even common
 * ones.
 */
const N = 4;
/** Lengths are counted in n-grams. */
const WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75, minLength: 60 };
/** In characters. A prompt may be a whole log file. */
const MAX_QUERY = 1_000;
const SPACE = 32;

/** For each text, 0 to 1. The idf of an n-gram is computed over these texts. */
export function ngramSimilarity(query: string, texts: readonly string[]): number[] {
  const places = new Map<number, number>();
  for (const ngram of ngramsOf(query.slice(0, MAX_QUERY)))
    if (!places.has(ngram)) places.set(ngram, places.size);
  const counted = texts.map((text) => countsIn(text, places));
  const has = new Uint32Array(places.size);
  let total = 0;
  for (const { times, length } of counted) {
    total += length;
    for (let at = 0; at < times.length; at++) if ((times[at] ?? 0) > 0) has[at] = (has[at] ?? 0) + 1;
  }
  const average = averageLength(total, texts.length, WEIGHTS);
  const idfs = Float64Array.from(has, (few) => idf(texts.length, few));
  const perfect = maxScore(
    idfs.reduce((sum, one) => sum + one, 0),
    WEIGHTS.k1,
  );
  return counted.map(({ times, length }) => {
    const norm = lengthNorm(WEIGHTS, length, average);
    let sum = 0;
    for (let at = 0; at < times.length; at++) {
      const count = times[at] ?? 0;
      if (count > 0) sum += termScore(idfs[at] ?? 0, count, norm, WEIGHTS.k1);
    }
    return perfect > 0 ? sum / perfect : 0;
  });
}

/** How often a text contains each n-gram of the query (by its index), and how many n-grams it has in total. */
function countsIn(text: string, places: ReadonlyMap<number, number>): { times: Uint32Array; length: number } {
  const times = new Uint32Array(places.size);
  const ngrams = ngramsOf(text);
  for (let at = 0; at < ngrams.length; at++) {
    const place = places.get(ngrams[at] as number);
    if (place !== undefined) times[place] = (times[place] as number) + 1;
  }
  return { times, length: ngrams.length };
}

/**
 * Everything between two words counts as one space, and so do the seams of a name (`userName`, `user_name`). Ignores
 * case.
 */
function ngramsOf(text: string): Int32Array {
  const lower = text.toLowerCase();
  // At most a space before each character, one at the beginning and one at the end.
  const ngrams = new Int32Array(2 * lower.length + 2);
  // The n-grams of the first characters are incomplete, and are left out at the end.
  let count = 0;
  let ngram = SPACE;
  let isSpace = true;
  let wasSmall = false;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const isSmall = (code > 96 && code < 123) || (code > 47 && code < 58);
    if (isSmall || code > 127) {
      // The lower-case text may be longer (`İ`): then seams are misplaced, but words are still right.
      const isSeam = isSmall && text.charCodeAt(at) !== code;
      if (isSeam && wasSmall) {
        ngram = (ngram << 8) | SPACE;
        ngrams[count++] = ngram;
      }
      // One byte per character: characters beyond Latin may collide, which makes the result only slightly less exact.
      ngram = (ngram << 8) | ((code ^ (code >> 8)) & 0xff);
      ngrams[count++] = ngram;
      wasSmall = !isSeam;
      isSpace = false;
    } else if (!isSpace) {
      ngram = (ngram << 8) | SPACE;
      ngrams[count++] = ngram;
      isSpace = true;
      wasSmall = false;
    }
  }
  if (!isSpace) ngrams[count++] = (ngram << 8) | SPACE;
  return ngrams.subarray(Math.min(count, N - 2), count);
}
