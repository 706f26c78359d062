import { typed } from "../../base/settings.ts";
import type { Completion, Offer, OfferContext } from "../../moments/ports/offer.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";

// Read when first used: a host loads us with every session, and few of them look back.
const answers = () => import("./offer-answers.ts");

/** Past sessions, for the person at the prompt. */
export const sessionsOffer: Offer = {
  source: "sessions",
  completers: [{ name: "sessions", trigger: "@", complete }],
  commands: [
    {
      name: "continuo-recall",
      description: "Past sessions of all agents that have something on QUERY",
      run: async (argument, context) => (await answers()).recall(argument, context),
    },
    {
      name: "continuo-ask",
      description: "SESSION QUESTION: what a past session has on a question",
      complete: async (argument, context) => (await answers()).names(argument, context),
      // A model may be asked, for as long as its settings allow; then there still are quotes.
      waitMs: 120_000,
      run: async (argument, context, changed) => (await answers()).ask(argument, context, changed),
    },
    {
      name: "continuo-handoff",
      description: "What a new session needs to go on with this one, or with SESSION",
      complete: async (argument, context) => (await answers()).names(argument, context),
      run: async (argument, context) => (await answers()).handOff(argument, context),
    },
    {
      name: "index-session",
      description: "Index this session now",
      afterRest: true,
      // A model may be asked up to three times.
      waitMs: 120_000,
      run: async (_argument, context, changed) => (await answers()).indexThis(context, changed),
    },
  ],
  status: async (context) =>
    (hasModelKeys(context) &&
      ((await import("./composed/asking-status.ts")).askingStatus(context) ||
        (await import("./describe/describing.ts")).describingStatus(context))) ||
    (await import("./indexing.ts")).indexingStatus(context.home),
  jobs: [
    {
      name: "index sessions",
      at: "idle",
      run: async (context, work) => {
        if (isIndexing(context)) await (await import("./indexing.ts")).indexAll(context, work);
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
          await (await import("./describe/describing.ts")).describeWhenDue(context, work);
      },
    },
    {
      name: "check models",
      at: "start",
      run: async (context) => {
        if (hasModelKeys(context)) await (await import("./describe/describing.ts")).checkModels(context);
      },
    },
  ],
};

/** Without any nothing below is even loaded. */
function hasModelKeys({ settings }: OfferContext): boolean {
  return typed(SESSIONS_SETTINGS, settings).modelKeys.length > 0;
}

/** A record is made of the index. */
function isIndexing({ settings }: OfferContext): boolean {
  return typed(SESSIONS_SETTINGS, settings).index;
}

async function complete(before: string, context: OfferContext): Promise<Completion | undefined> {
  const typed = /(?:^|[\s(])(@@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const items = await (await answers()).references(typed, context);
  return items.length === 0 ? undefined : { replaces: typed, items };
}
