import { typed } from "../../../base/settings.ts";
import type { Completion, Offer, OfferContext } from "../../../moments/ports/offer.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";

// Loaded on first use: a host loads Continuo in every session, but few sessions use past ones.
const answers = () => import("./offer-answers.ts");

/** Past sessions for the user at the prompt. */
export const sessionsOffer: Offer = {
  source: "sessions",
  completers: [{ name: "sessions", trigger: "@", complete }],
  commands: [
    {
      name: "continuo-recall",
      description: "Past sessions of all agents that have something on QUERY",
      run: async (argument, context) => (await import("../answers/recall.ts")).recall(argument, context),
    },
    {
      name: "continuo-ask",
      description: "SESSION QUESTION: what a past session has on a question",
      complete: async (argument, context) => (await answers()).completeNames(argument, context),
      // A model may be asked, for as long as its settings allow; after that the answer consists of quotes.
      waitMs: 120_000,
      run: async (argument, context, changed) => (await answers()).ask(argument, context, changed),
    },
    {
      name: "continuo-handoff",
      description: "What a new session needs to go on with this one, or with SESSION",
      complete: async (argument, context) => (await answers()).completeNames(argument, context),
      run: async (argument, context) => (await answers()).handOff(argument, context),
    },
    {
      name: "index-session",
      description: "Index this session now",
      whenIdle: true,
      // A model may be asked up to three times.
      waitMs: 120_000,
      run: async (_argument, context, changed) => (await answers()).indexThis(context, changed),
    },
  ],
  status: async (context) =>
    (hasModelKeys(context) &&
      ((await import("../answers/asking-status.ts")).askingStatus(context) ||
        (await import("./describe-jobs.ts")).describingStatus(context))) ||
    (await import("./advance-index.ts")).indexingStatus(context.home),
  jobs: [
    {
      name: "index sessions",
      at: "idle",
      run: async (context, work) => {
        if (isIndexing(context)) await (await import("./advance-index.ts")).indexAll(context, work);
      },
    },
    {
      name: "describe session",
      at: "idle",
      run: async (context, work) => {
        if (
          hasModelKeys(context) &&
          isIndexing(context) &&
          typed(SESSIONS_SETTINGS, context.settings).modelRecords
        )
          await (await import("./describe-jobs.ts")).describeWhenDue(context, work);
      },
    },
    {
      name: "check models",
      at: "start",
      run: async (context) => {
        if (hasModelKeys(context)) await (await import("./describe-jobs.ts")).checkModels(context);
      },
    },
  ],
};

/** Without model keys, no code for models is loaded. */
function hasModelKeys({ settings }: OfferContext): boolean {
  return typed(SESSIONS_SETTINGS, settings).modelKeys.length > 0;
}

/** Records are made from the index. */
function isIndexing({ settings }: OfferContext): boolean {
  return typed(SESSIONS_SETTINGS, settings).index;
}

async function complete(before: string, context: OfferContext): Promise<Completion | undefined> {
  const typed = /(?:^|[\s(])(@@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const items = await (await answers()).completeReferences(typed, context);
  return items.length === 0 ? undefined : { replaces: typed, items };
}
