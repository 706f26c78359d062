import { type Corpus, entryAt, type Place } from "./corpus.ts";

/** How near every owner is to a query in meaning. */
export interface Nearness {
  /** For each owner, the cosine of its nearest passage; NaN if it has none. */
  readonly cosines: Float32Array;
  /** The nearest passage of an owner. */
  bestOf(owner: number): Place | undefined;
}

/** Below every cosine, even with rounding errors. */
const LEAST = -2;

/** `cosines`: for each passage over all segments; NaN if there is no vector. */
export function nearnessOf(corpus: Corpus, cosines: Float32Array): Nearness {
  const { owners, span } = corpus;
  const best = new Float32Array(span).fill(Number.NaN);
  const places = new Int32Array(span).fill(-1);
  for (let place = 0; place < owners.length; place++) {
    const owner = owners[place] as number;
    const cosine = cosines[place] as number;
    // NaN on either side gives false.
    if (owner === 0 || cosine <= (best[owner] as number) || !(cosine >= LEAST)) continue;
    best[owner] = cosine;
    places[owner] = place;
  }
  return { cosines: best, bestOf: (owner) => entryAt(corpus, places[owner] ?? -1) };
}
