import type { TextMeaning } from "../../../src/search/vectors/embed-texts.ts";

/**
 * A small deterministic table of meaning: every word has a pseudo-random vector, which depends on the version. Counts how
 * many texts it embedded.
 */
export function wordMeaning(version = "words-1"): TextMeaning & { embedded: number } {
  return {
    version,
    embedded: 0,
    embed(text) {
      this.embedded++;
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return undefined;
      const sum = new Float32Array(256);
      for (const word of words) {
        let state = 2166136261;
        for (const character of version + word) state = Math.imul(state ^ character.charCodeAt(0), 16777619);
        for (let d = 0; d < 256; d++) {
          state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
          sum[d] = (sum[d] ?? 0) + (((state ^ (state >>> 13)) >>> 8) & 0xffff) / 0x8000 - 1;
        }
      }
      const length = Math.hypot(...sum);
      return sum.map((value) => value / length);
    },
  };
}
