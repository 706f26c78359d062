import type { ModelSettings } from "../../models/model-settings.ts";
import type { Completion, Offer, OfferContext } from "../../moments/offer-port.ts";

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
      run: async (argument, context) => (await answers()).ask(argument, context),
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
      run: async (_argument, context) => (await answers()).indexThis(context),
    },
  ],
  status: async ({ home }) => (await import("./indexing.ts")).indexingStatus(home),
  problems: modelProblems,
  jobs: [
    {
      name: "index sessions",
      at: "idle",
      run: async (context, work) => (await import("./indexing.ts")).indexAll(context, work),
    },
  ],
};

async function complete(before: string, context: OfferContext): Promise<Completion | undefined> {
  const typed = /(?:^|[\s(])(@@(?:"[^"]*|[^\s"]*))$/.exec(before)?.[1];
  if (typed === undefined) return undefined;
  const items = await (await answers()).references(typed, context);
  return items.length === 0 ? undefined : { replaces: typed, items };
}

/** Somebody who named models and gets none of them should not have to find out by what is missing. */
async function modelProblems({ settings, env, host }: OfferContext): Promise<string[]> {
  const wanted = settings as unknown as ModelSettings;
  if (wanted.modelKeys.length === 0) return [];
  const { chooseModel } = await import("../../models/choose-model.ts");
  const { model, problems } = await chooseModel(wanted, env, host?.models);
  return model === undefined ? [`none of modelKeys can be used here: ${problems.join("; ")}`] : [];
}
