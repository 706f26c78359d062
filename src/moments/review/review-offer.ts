import { count } from "../../base/when.ts";
import type { Offer } from "../ports/offer.ts";
import type { PromptDefinition } from "../ports/prompt.ts";
import type { SourceModule } from "../ports/source.ts";

// Loaded on first use: in most sessions nothing is decided.
const review = () => import("./review-prompt.ts");

const DESCRIPTION = "Decide on what Continuo suggests to remember and to check";

/** One review for the suggestions of all sources. */
export function reviewPrompts(modules: readonly SourceModule[]): PromptDefinition[] {
  return [
    {
      name: "review",
      description: DESCRIPTION,
      arguments: [],
      render: async (_args, call) => (await review()).reviewPrompt(modules, call),
      answer: async (typed, call) => (await review()).reviewCommand(modules, typed, call),
    },
  ];
}

/** The user decides at their own pace. */
const REVIEW_MS = 30 * 60_000;

export function reviewOffer(modules: readonly SourceModule[]): Offer {
  return {
    commands: [
      {
        name: "continuo-review",
        description: DESCRIPTION,
        waitMs: REVIEW_MS,
        run: async (argument, context, changed) => {
          try {
            return await (await review()).reviewCommand(modules, argument, context);
          } finally {
            changed?.();
          }
        },
      },
    ],
    status: async ({ home, env }) => {
      const { countOf, openSuggestions } = await import("./suggestions.ts");
      const pending = countOf(await openSuggestions(modules, { home: home.root, env }));
      return pending === 0 ? "" : count(pending, "suggestion");
    },
  };
}
