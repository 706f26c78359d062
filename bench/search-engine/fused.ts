import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { passagesOf } from "../../src/search/passages.ts";
import { meaningOf } from "../../src/search/query/make-query.ts";
import { corpusOf } from "../../src/search/rank/corpus.ts";
import { fusionOf, type MeaningWeights } from "../../src/search/rank/fuse.ts";
import { type Nearness, nearnessOf } from "../../src/search/rank/nearness.ts";
import { TopRanked } from "../../src/search/rank/rank.ts";
import { RERANKED, rerank } from "../../src/search/rank/rerank.ts";
import { passageVectors } from "../../src/search/vectors/set.ts";
import type { Database } from "../../src/store/sqlite/types.ts";
import type { Document } from "../retrieval/data.ts";
import type { Engine } from "../retrieval/metrics.ts";
import { indexCorpus, meaning } from "../retrieval/ours.ts";
import { type Fts5Options, Fts5Words } from "./fts5-words.ts";

/** The same for both engines in every comparison. */
export interface Fusing {
  readonly nearness: MeaningWeights;
  readonly ngrams: number;
}

interface Found {
  readonly owner: number;
  readonly strength: number;
  /** Its best passage, counted over all; by words where it has words, else by meaning. */
  readonly place: number;
}

/** FTS5's words fused with the cosines of the same vectors by the same formula as in `search/rank`. */
export function rankFused(
  words: Fts5Words,
  db: Database,
  query: string,
  limit: number,
  { nearness: weights }: Fusing,
): Found[] {
  const { shares, places } = words.shares(query);
  const near = nearnessFor(db, query);
  const fuse = fusionOf(near?.cosines, weights);
  const top = new TopRanked<Found>(limit, false);
  const count = Math.max(shares.length, near?.cosines.length ?? 0);
  for (let owner = 1; owner < count; owner++) {
    const share = shares[owner] ?? 0;
    const cosine = near?.cosines[owner] ?? Number.NaN;
    if (share === 0 && !(cosine > fuse.nearFrom(false))) continue;
    const isByMeaning = share === 0 || fuse.isByMeaning(share, cosine);
    top.add({ owner, strength: fuse(share, cosine), place: isByMeaning ? -1 : (places[owner] ?? -1) });
  }
  return top.sorted();
}

function nearnessFor(db: Database, query: string): Nearness | undefined {
  const meant = meaningOf(query, meaning());
  if (meant === undefined) return undefined;
  const corpus = corpusOf(db, (note) => note);
  const cosines = new Float32Array(corpus.owners.length);
  const segments = corpus.segments.map(({ segment }) => segment);
  passageVectors(db).cosines(meant.vector, meant.version, segments, cosines);
  return nearnessOf(corpus, cosines);
}

/** FTS5 and the table of meaning, with the same reranking by n-grams as Continuo's search. */
export const fts5Fused: (options: Fts5Options, fusing: Fusing) => Engine = (options, fusing) => (corpus) => {
  const { index, notes, idOf, close } = indexCorpus(corpus);
  const folder = mkdtempSync(join(tmpdir(), "continuo-fts5-"));
  const words = new Fts5Words(join(folder, "fts5.db"), options);
  const documents = new Map(notes.map((note, at) => [note, corpus.documents[at]]));
  words.fill(
    [...documents].map(([owner, one]) => ({ owner, title: one?.title ?? "", text: one?.text ?? "" })),
  );
  const texts = [...documents.values()].flatMap((one) => (one === undefined ? [] : passagesWithTitle(one)));
  return {
    rank(query) {
      const found = rankFused(words, index.db, query, 50, fusing);
      const near = found.slice(0, RERANKED).some(({ place }) => place < 0)
        ? nearnessFor(index.db, query)
        : undefined;
      const textOf = ({ owner, place }: Found): string => {
        if (place >= 0) return texts[place] ?? "";
        const document = documents.get(owner);
        return (document && passagesWithTitle(document)[near?.bestOf(owner)?.passage ?? 0]) ?? "";
      };
      return rerank(query, found, textOf, fusing.ngrams).map(({ one }) => idOf(one.owner));
    },
    close() {
      words.close();
      rmSync(folder, { recursive: true, force: true });
      close();
    },
  };
};

const passagesWithTitle = ({ title = "", text }: Document): string[] =>
  passagesOf(text).map((passage) => `${title}\n${passage}`);
