import type { Embedder } from "../../../models/embedder.ts";
import type { MemoryIndex } from "../index/memory-index.ts";
import { paddedDimensions } from "../vectors/int8.ts";
import { createVectorSet, type Nearness } from "../vectors/vector-set.ts";
import { pendingCount, vectorModel } from "../vectors/vector-shelf.ts";

/** Finds by meaning. */
export interface SemanticArm {
  /** Rejects when the query cannot be embedded, for example because an endpoint is down. */
  nearest(query: string, signal?: AbortSignal): Promise<SemanticAnswer>;
}

export interface SemanticAnswer {
  readonly near: Nearness;
  /** Notes that have no vectors of this model yet. */
  readonly pending: number;
}

/** A prompt may be a whole log file; models read about so much. */
const MOST_CHARACTERS = 2000;

/** Loads a model with the first query: nothing for a hook. Vectors stay in memory as long as the arm is kept. */
export function semanticArm({ db }: MemoryIndex, embedder: Embedder): SemanticArm {
  const vectors = createVectorSet(db);
  return {
    async nearest(query, signal) {
      const [vector] = await embedder.embed(
        [query.slice(0, MOST_CHARACTERS).toWellFormed()],
        "query",
        signal,
      );
      if (vector === undefined) throw new Error("an embedder gave no vector and did not say so");
      const { model, dimensions } = vectorModel(db);
      const isOwn = model === embedder.id && dimensions === paddedDimensions(vector.length);
      const near = vectors.near(embedder.id, vector);
      return { near, pending: isOwn ? pendingCount(db) : allNotes() };
    },
  };

  function allNotes(): number {
    return db.get<{ n: number }>("SELECT count(*) AS n FROM note")?.n ?? 0;
  }
}
