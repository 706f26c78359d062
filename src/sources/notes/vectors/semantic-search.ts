import type { Values } from "../../../base/settings.ts";
import { chooseEmbedder } from "../../../models/choose-embedder.ts";
import type { Embedder } from "../../../models/embedder.ts";
import { isModel, type SemanticSettings } from "../../../models/semantic-settings.ts";
import type { Home } from "../../../store/home.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { paddedDimensions } from "./chunk.ts";
import { type EmbedOptions, type EmbedResult, embedPending } from "./embed-pending.ts";
import { createVectorSet, type VectorScores } from "./vector-set.ts";
import { pendingCount, vectorModel } from "./vector-store.ts";

/** Search by meaning, with the model from the settings. */
export interface SemanticSearch {
  rankerFor(index: MemoryIndex): SemanticRanker;
  embed(index: MemoryIndex, options: EmbedOptions): Promise<EmbedResult>;
}

/** Loading a model takes a second, so a process that answers many queries loads it once. */
const embedders = new Map<string, Embedder>();

/**
 * Undefined if it is disabled. A model that is not installed or has wrong settings fails at the first query, not
 * earlier: a hybrid search then continues with words only.
 */
export function semanticSearch(
  settings: Values,
  home: Home,
  env: NodeJS.ProcessEnv,
): SemanticSearch | undefined {
  const wanted = settings as unknown as SemanticSettings;
  if (!isModel(wanted.semantic)) return undefined;
  const rankers = new Map<MemoryIndex, SemanticRanker>();
  return {
    rankerFor: (index) => ({
      async nearest(query, signal) {
        const ranker = rankers.get(index) ?? semanticRanker(index, embedderFor(wanted, home, env));
        rankers.set(index, ranker);
        return ranker.nearest(query, signal);
      },
    }),
    embed: async (index, options) => embedPending(index, embedderFor(wanted, home, env), options),
  };
}

function embedderFor(wanted: SemanticSettings, home: Home, env: NodeJS.ProcessEnv): Embedder {
  const { semantic, semanticUrl, semanticModel, semanticKeyEnv, semanticTimeoutMs } = wanted;
  const key = JSON.stringify([
    ...[home.root, semantic, semanticUrl, semanticModel],
    ...[semanticKeyEnv, semanticTimeoutMs],
  ]);
  const known = embedders.get(key) ?? chooseEmbedder(wanted, home, env);
  if (known === undefined) throw new Error("semantic search is turned off");
  embedders.set(key, known);
  return known;
}

/** Ranks the notes of one index by meaning. */
export interface SemanticRanker {
  /** Rejects if the query cannot be embedded, for example because an endpoint is down. */
  nearest(query: string, signal?: AbortSignal): Promise<SemanticResult>;
}

interface SemanticResult {
  readonly scores: VectorScores;
  /** Notes that have no vectors of this model yet. */
  readonly pending: number;
}

/** A prompt may be a whole log file; models read about this much. */
const MAX_CHARACTERS = 2000;

/**
 * Loads the model with the first query, which is too slow for hooks. Vectors stay in memory as long as the ranker
 * exists.
 */
export function semanticRanker({ db }: MemoryIndex, embedder: Embedder): SemanticRanker {
  const vectors = createVectorSet(db);
  return {
    async nearest(query, signal) {
      const [vector] = await embedder.embed([query.slice(0, MAX_CHARACTERS).toWellFormed()], "query", signal);
      if (vector === undefined) throw new Error("an embedder returned no vector and no error");
      const { model, dimensions } = vectorModel(db);
      const isSameModel = model === embedder.id && dimensions === paddedDimensions(vector.length);
      const scores = vectors.scores(embedder.id, vector);
      return { scores, pending: isSameModel ? pendingCount(db) : allNotes() };
    },
  };

  function allNotes(): number {
    return db.get<{ n: number }>("SELECT count(*) AS n FROM note")?.n ?? 0;
  }
}
