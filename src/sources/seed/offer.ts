import { count } from "../../base/when.ts";
import type { Offer } from "../../moments/ports/offer.ts";
import type { PromptDefinition } from "../../moments/ports/prompt.ts";

// Loaded when it is first used: most sessions decide on nothing.
const review = () => import("./review-prompt.ts");

const DESCRIPTION = "Decide on what Continuo suggests to remember";

export const SEED_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "review",
    description: DESCRIPTION,
    arguments: [],
    render: async (_args, call) => (await review()).reviewPrompt(call),
    answer: async (typed, call) => (await review()).reviewCommand(typed, call),
  },
];

/** A person decides at their own pace. */
const REVIEW_MS = 30 * 60_000;

export const seedOffer: Offer = {
  source: "seed",
  commands: [
    {
      name: "continuo-review",
      description: DESCRIPTION,
      waitMs: REVIEW_MS,
      run: async (argument, context, changed) => {
        try {
          return await (await review()).reviewCommand(argument, context);
        } finally {
          changed?.();
        }
      },
    },
  ],
  status: async (context) => {
    const pending = await (await review()).pendingCount(context);
    return pending === 0 ? "" : count(pending, "suggestion");
  },
};
