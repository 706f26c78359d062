import { averageLength, type Bm25Weights, idf, lengthNorm, maxScore, termScore } from "./bm25.ts";

/**
 * How near texts come to a query letter by letter: by the runs of four signs that both have. Words are found by their
 * stems, and say nothing when a text has "deadlocked" or "dead code" for the query's "deadcode"; runs of letters still
 * do. Those that reach over a space tell words that stand beside each other, common ones too.
 */
const RUN = 4;
/** Lengths are counted in n-grams. */
const WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75, minLength: 60 };
/** A prompt may be a whole log file. */
const MAX_QUERY = 1_000;
const SPACE = 32;

/** For each text, 0 to 1. How much a run counts depends on how few of these same texts have it. */
export function ngramSimilarity(query: string, texts: readonly string[]): number[] {
  const places = new Map<number, number>();
  eachRun(query.slice(0, MAX_QUERY), (run) => {
    if (!places.has(run)) places.set(run, places.size);
  });
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

/** How often a text has each of the query's runs, by the run's place there, and how many runs it has. */
function countsIn(text: string, places: ReadonlyMap<number, number>): { times: Uint32Array; length: number } {
  const times = new Uint32Array(places.size);
  let length = 0;
  eachRun(text, (run) => {
    length++;
    const place = places.get(run);
    if (place !== undefined) times[place] = (times[place] ?? 0) + 1;
  });
  return { times, length };
}

/** Signs between words count as one space; so do a name's seams (`userName`, `user_name`). Letters lose their case. */
function eachRun(text: string, see: (run: number) => void): void {
  let run = SPACE;
  let signs = 1;
  const put = (code: number): void => {
    // A byte each: letters past Latin may collide with others, which costs a little exactness and nothing else.
    run = (run << 8) | ((code ^ (code >> 8)) & 0xff);
    if (++signs >= RUN) see(run);
  };
  const lower = text.toLowerCase();
  let isSpace = true;
  let wasSmall = false;
  for (let at = 0; at < lower.length; at++) {
    const code = lower.charCodeAt(at);
    const isSmall = (code > 96 && code < 123) || (code > 47 && code < 58);
    if (isSmall || code > 127) {
      // Lower case may be longer than the text was (`İ`): then humps are misplaced, and words are not.
      const isHump = isSmall && text.charCodeAt(at) !== code;
      if (isHump && wasSmall) put(SPACE);
      put(code);
      wasSmall = !isHump;
      isSpace = false;
    } else if (!isSpace) {
      put(SPACE);
      isSpace = true;
      wasSmall = false;
    }
  }
  if (!isSpace) put(SPACE);
}
