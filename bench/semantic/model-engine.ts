import type { Embedder } from "../../src/models/embedder.ts";
import { rankAsked, type SearchMode } from "../../src/sources/notes/search/ranking.ts";
import { embedPending } from "../../src/sources/notes/vectors/embed-pending.ts";
import { semanticRanker } from "../../src/sources/notes/vectors/semantic-search.ts";
import { vectorPlugin } from "../../src/sources/notes/vectors/vector-store.ts";
import type { Engine } from "../retrieval/metrics.ts";
import { indexCorpus } from "../retrieval/ours.ts";

/** Continuo's ranking with a larger model instead of the table of meaning. */
export const withModel: (embedder: Embedder, mode: SearchMode) => Engine =
  (embedder, mode) => async (corpus) => {
    const { index, idOf, close } = indexCorpus(corpus, [vectorPlugin()]);
    await embedPending(index, embedder);
    const semantic = semanticRanker(index, embedder);
    return {
      rank: async (query) =>
        (await rankAsked(index, { query, mode }, 50, { semantic })).ranked.map(({ one }) => idOf(one.owner)),
      close,
    };
  };
