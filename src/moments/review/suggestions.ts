import { loadSourceSettings } from "../../store/config.ts";
import { homeAt } from "../../store/home.ts";
import type { SourceModule } from "../ports/source.ts";
import type { Suggestion, SuggestionAnswer, SuggestionOptions, Suggestions } from "../ports/suggestions.ts";

/** The suggestions of all enabled sources, as one. */
export async function openSuggestions(
  modules: readonly SourceModule[],
  options: SuggestionOptions,
): Promise<Suggestions> {
  const { config } = homeAt(options.home);
  const enabled = modules.filter(
    ({ suggestions, source }) =>
      suggestions !== undefined &&
      loadSourceSettings(config, source.name, source.settings, options.env).enabled !== false,
  );
  const opened = await Promise.all(
    enabled.map(async ({ suggestions }) => (await suggestions?.())?.(options)),
  );
  return joinSuggestions(opened.filter((one) => one !== undefined));
}

/** A source's answer about a suggestion that was decided elsewhere, or if there is nothing to undo. */
export const NOT_PENDING = "This suggestion is no longer pending.";
export const NOTHING_DECIDED = "Nothing to undo.";

export const ONLY_QUESTIONS: SuggestionAnswer = {
  done: false,
  message: "mute is only for suggestions about a rule that agents keep breaking. Use accept or reject.",
};

const GONE: SuggestionAnswer = { done: false, message: NOT_PENDING };
const NOTHING: SuggestionAnswer = { done: false, message: NOTHING_DECIDED };

/** Oldest first, but held-back ones last. Ids and batches are unique across all sources. */
export function joinSuggestions(all: readonly Suggestions[]): Suggestions {
  const holderOf = (id: string) => all.find((source) => source.list().some((one) => one.id === id));
  const inOrder = (a: Suggestion, b: Suggestion) =>
    Number(a.similarTo !== undefined) - Number(b.similarTo !== undefined) || (a.at || 0) - (b.at || 0);
  const past = () =>
    all.flatMap((one) => one.past()).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return {
    list: () => {
      const [first = [], ...others] = all.map((one) => one.list());
      // A single source knows its own order best.
      return others.every((list) => list.length === 0) ? first : [first, ...others].flat().sort(inOrder);
    },
    accept: async (id, choice) => (await holderOf(id)?.accept(id, choice)) ?? GONE,
    reject: async (id) => (await holderOf(id)?.reject(id)) ?? GONE,
    mute: async (id) => {
      const holder = holderOf(id);
      return holder === undefined ? GONE : ((await holder.mute?.(id)) ?? ONLY_QUESTIONS);
    },
    async withdraw(batch = past()[0]?.batch) {
      if (batch === undefined) return NOTHING;
      for (const one of all) {
        const answer = await one.withdraw(batch);
        if (answer.done || answer.message !== NOTHING_DECIDED) return answer;
      }
      return NOTHING;
    },
    past,
    look: async (one) => (await holderOf(one.id)?.look?.(one)) ?? one,
  };
}

/** How many a notice counts: without held-back ones. */
export function countOf(suggestions: Suggestions): number {
  return suggestions.list().filter((one) => one.similarTo === undefined).length;
}
