import { ContinuoError } from "../base/errors.ts";

/** Turns texts into vectors whose angles say how near their meanings are. */
export interface Embedder {
  /** The model: vectors can be compared only with those of the same one. */
  readonly id: string;
  /** undefined until the first answer, when only the model itself knows. */
  readonly dimensions: number | undefined;
  /** One vector of length 1 for each text, in their order. */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

/** Some models embed a question otherwise than what answers it. */
export type TextKind = "query" | "document";

/** What a model gave, of length 1. Anything that cannot be compared is refused here, so that none is ever stored. */
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
