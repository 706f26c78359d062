import { ContinuoError } from "../base/errors.ts";

/** Turns texts into vectors. The smaller the angle between two vectors, the more similar the texts' meanings. */
export interface Embedder {
  /** The model. Only vectors of the same model can be compared. */
  readonly id: string;
  /** undefined until the first answer, unless known in advance. */
  readonly dimensions: number | undefined;
  /** One vector of length 1 for each text, in the same order. */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

/** Some models embed queries differently from documents. */
type TextKind = "query" | "document";

/**
 * Normalises a model's vectors to length 1. Throws for vectors that cannot be compared, so that none is ever stored.
 */
export function unitVectors(
  given: readonly (Float32Array | readonly number[])[],
  texts: number,
  dimensions: number | undefined,
): Float32Array[] {
  if (given.length !== texts) throw wrong(`${given.length} vectors for ${texts} texts`);
  const wanted = dimensions ?? given[0]?.length ?? 0;
  return given.map((vector) => {
    if (vector.length !== wanted || wanted === 0)
      throw wrong(`a vector of ${vector.length} dimensions instead of ${wanted}`);
    const unit = Float32Array.from(vector);
    const length = Math.hypot(...unit);
    if (!Number.isFinite(length) || length === 0) throw wrong("a vector without a direction");
    for (let i = 0; i < unit.length; i++) unit[i] = (unit[i] ?? 0) / length;
    return unit;
  });
}

function wrong(what: string): ContinuoError {
  return new ContinuoError("embedding-wrong", `the embedding model gave ${what}`, {
    hint: "check that the setting semanticModel names an embedding model, and always the same one",
  });
}
