import { type Corpus, entryAt, type Place } from "./corpus.ts";

/** How near every owner is to a query in meaning. */
export interface Nearness {
  /** By owner: the cosine of its nearest passage, NaN where it has none. */
  readonly cosines: Float32Array;
  /** The nearest passage of an owner. */
  bestOf(owner: number): Place | undefined;
}

/** Below every cosine, also a rounded one. */
const LEAST = -2;

/** `cosines`: of every passage, over all segments, NaN where there is no vector. */
export function nearnessOf(corpus: Corpus, cosines: Float32Array): Nearness {
  const { owners, span } = corpus;
  const best = new Float32Array(span).fill(Number.NaN);
  const places = new Int32Array(span).fill(-1);
  for (let place = 0; place < owners.length; place++) {
    const owner = owners[place] as number;
    const cosine = cosines[place] as number;
    // False for NaN, on either side.
    if (owner === 0 || cosine <= (best[owner] as number) || !(cosine >= LEAST)) continue;
    best[owner] = cosine;
    places[owner] = place;
  }
  return { cosines: best, bestOf: (owner) => entryAt(corpus, places[owner] ?? -1) };
}
