import { keyWords, overlap } from "../text.ts";
import { CATEGORIES, type Category, type Learning, type SeedConfig } from "../types.ts";
import { scopeOf } from "./scope.ts";
import { freshness } from "./stale.ts";

export interface Ranked {
  readonly category: Category;
  readonly learning: Learning;
  readonly score: number;
  readonly isHere: boolean;
  /** Words that it has in common with the prompt. */
  readonly shared: number;
  readonly namesProject: boolean;
}

export interface Question {
  readonly projectTag: string;
  readonly projectLabel: string;
  readonly prompt?: string;
  readonly now: number;
}

/**
 * Which learnings matter here, best first. Those of this project come before those that hold everywhere, then what has
 * words in common with the prompt or the project's name, then what was confirmed last. Only what a human confirmed
 * counts, and nothing that is about another project.
 */
export function rankLearnings(config: SeedConfig, question: Question): Ranked[] {
  const asked = keyWords(question.prompt ?? "");
  const named = keyWords(question.projectLabel);
  const ranked: Ranked[] = [];
  for (const category of CATEGORIES) {
    for (const learning of config.learned[category]) {
      const scope = scopeOf(learning, question.projectTag);
      if (!learning.confirmed || scope === "elsewhere") continue;
      const lower = learning.content.toLowerCase();
      const shared = overlap(asked, lower);
      const namesProject = overlap(named, lower) > 0;
      const isHere = scope === "here";
      const score =
        (isHere ? 4 : 0) + Math.min(shared, 4) + (namesProject ? 1 : 0) + freshness(learning, question.now);
      ranked.push({ category, learning, score, isHere, shared, namesProject });
    }
  }
  return ranked.sort((a, b) => b.score - a.score || (a.learning.id < b.learning.id ? -1 : 1));
}

/** A prompt must have this many words in common with a learning to bring it into a running session. */
const ENOUGH_WORDS = 2;

export function learningsFor(config: SeedConfig, question: Question & { readonly prompt: string }): Ranked[] {
  return rankLearnings(config, question).filter(({ shared }) => shared >= ENOUGH_WORDS);
}

export function because({ isHere, shared, namesProject }: Ranked): string {
  const reasons = [
    ...(isHere ? ["about this project"] : []),
    ...(shared > 0 ? [`shares ${shared} word${shared === 1 ? "" : "s"} with the prompt`] : []),
    ...(namesProject ? ["names the project"] : []),
  ];
  return reasons.length === 0 ? "confirmed lately" : reasons.join(", ");
}
