import { keyWords } from "../text.ts";
import { CATEGORIES, type Learning, type SeedConfig } from "../types.ts";

/** From this share of common words on, two texts may be about the same thing, and one may contradict the other. */
const ALIKE = 0.5;

/** The learning most like a text, if any is: a human then says whether the one replaces the other. */
export function similarLearning(config: SeedConfig, content: string): Learning | undefined {
  const words = keyWords(content);
  let best: { learning: Learning; share: number } | undefined;
  for (const category of CATEGORIES) {
    for (const learning of config.learned[category]) {
      const share = common(words, keyWords(learning.content));
      if (share >= ALIKE && share > (best?.share ?? 0)) best = { learning, share };
    }
  }
  return best?.learning;
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both++;
  return both / (a.size + b.size - both);
}
