import { type Corpus, entryAt, type Place } from "./corpus.ts";

/** How near every owner is to a query in meaning. */
export interface Nearness {
  /** By owner: the cosine of its nearest passage, NaN where it has none. */
  readonly cosines: Float32Array;
  /** The nearest passage of an owner. */
  bestOf(owner: number): Place | undefined;
}

/** `cosines`: of every passage, over all segments, NaN where there is no vector. */
export function nearnessOf(corpus: Corpus, cosines: Float32Array): Nearness {
  const { owners, lengths } = corpus;
  const best = new Float32Array(lengths.length).fill(Number.NaN);
  const places = new Int32Array(lengths.length).fill(-1);
  for (let place = 0; place < owners.length; place++) {
    const owner = owners[place] as number;
    const cosine = cosines[place] as number;
    if (owner === 0 || Number.isNaN(cosine) || (best[owner] as number) >= cosine) continue;
    best[owner] = cosine;
    places[owner] = place;
  }
  return { cosines: best, bestOf: (owner) => entryAt(corpus, places[owner] ?? -1) };
}
