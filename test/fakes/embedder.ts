import { type Embedder, unitVectors } from "../../src/models/embedder.ts";

/** Words that mean the same to this model. */
const MEANING: Readonly<Record<string, string>> = {
  automobile: "car",
  vehicle: "car",
  puppy: "dog",
  hound: "dog",
};

export interface FakeEmbedder extends Embedder {
  readonly asked: { readonly kind: string; readonly texts: readonly string[] }[];
}

/** Each word has its own fixed direction; a text is the sum of its words. */
export function fakeEmbedder(id = "fake", dimensions = 100): FakeEmbedder {
  const asked: { kind: string; texts: readonly string[] }[] = [];
  return {
    id,
    dimensions,
    asked,
    async embed(texts, kind) {
      asked.push({ kind, texts });
      return unitVectors(
        texts.map((text) => directionOf(text, dimensions, id)),
        texts.length,
        dimensions,
      );
    },
  };
}

function directionOf(text: string, dimensions: number, id: string): number[] {
  const sum = new Array<number>(dimensions).fill(0.001);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
    if (/^(the|and|all|old|new|day|under)$/.test(word)) continue;
    let state = 7;
    for (const char of `${id} ${MEANING[word] ?? word}`)
      state = (state * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
    for (let i = 0; i < dimensions; i++) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d + i * 2) >>> 0;
      sum[i] = (sum[i] ?? 0) + state / 2 ** 31 - 1;
    }
  }
  return sum;
}
