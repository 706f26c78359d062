import type { Hono } from "hono";
import { ContinuoError, isContinuoError, isSystemError } from "../../../base/errors.ts";
import type { Suggestion as Pending, SuggestionAnswer } from "../../../moments/ports/suggestions.ts";
import { countOf, NOT_PENDING, NOTHING_DECIDED } from "../../../moments/review/suggestions.ts";
import type { Step } from "../../../sources/profile/file/sidecar.ts";
import { summariseStep } from "../../../sources/profile/learning/apply.ts";
import { rejectedWishes, shownLearnings } from "../../../sources/profile/learning/learnings.ts";
import { type Profile, readProfile } from "../../../sources/profile/learning/profile.ts";
import { placeFor } from "../../../sources/profile/learning/suggestions.ts";
import { allSuggestions } from "../../../sources/suggestions.ts";
import type {
  Decided,
  InboxCount,
  InboxList,
  LearningList,
  Suggestion,
  TombstoneList,
  Tried,
} from "../../api/suggestions.ts";
import { actNamed } from "../actions.ts";
import { readObject } from "../requests.ts";
import type { Area, Web } from "../web.ts";

/** The most rows in one answer. A longer list includes its total. */
const MAX_ROWS = 500;

export const inbox: Area = {
  name: "inbox",
  routes(app, web) {
    reading(app, web);
    deciding(app, web);
  },
};

function reading(app: Hono, web: Web): void {
  app.get("/api/inbox", async (c) => {
    const [{ suggestions }, { total: decided }] = [
      (await actNamed(web, "review list", { ...c.req.query(), untried: true }, "query")) as {
        suggestions: Pending[];
      },
      await actNamed(web, "review history", { limit: 1 }),
    ];
    const profile = profileOf(web);
    const { learned } = profile.config;
    const list: InboxList = {
      seed: { state: profile.state, path: profile.path },
      pending: suggestions.slice(0, MAX_ROWS).map(suggestionOf),
      counts: {
        pending: suggestions.length,
        heldBack: suggestions.filter(({ similarTo }) => similarTo !== undefined).length,
        decided: Number(decided),
        rejected: rejectedIn(profile).length,
        learned: Object.values(learned).reduce((sum, all) => sum + all.length, 0),
      },
    };
    return c.json(list);
  });
  app.get("/api/inbox/count", async (c) => {
    const { home, env } = web;
    const count: InboxCount = { pending: countOf(await allSuggestions({ home: home.root, env })) };
    return c.json(count);
  });
  app.get("/api/inbox/:id/tried", async (c) => {
    const only = { ids: [c.req.param("id")], exact: true };
    const { suggestions } = (await actNamed(web, "review list", only)) as { suggestions: Pending[] };
    const answer: Tried = { tried: suggestions[0]?.tried ?? [] };
    return c.json(answer);
  });
  app.get("/api/inbox/decisions", async (c) => {
    const given = Object.entries(c.req.query()).map(([name, text]) => [name, numberIn(text)]);
    return c.json(await actNamed(web, "review history", Object.fromEntries(given), "query"));
  });
  app.get("/api/tombstones", (c) => {
    const all = rejectedIn(profileOf(web));
    const list: TombstoneList = {
      tombstones: all.slice(0, MAX_ROWS).map(({ id, text, why, at }) => ({ id, text, why, at })),
      total: all.length,
    };
    return c.json(list);
  });
  app.get("/api/learnings", (c) => {
    const all = shownLearnings(profileOf(web));
    const list: LearningList = { learnings: all.slice(0, MAX_ROWS), total: all.length };
    return c.json(list);
  });
}

const numberIn = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

function profileOf({ home, env }: Pick<Web, "home" | "env">): Profile {
  return readProfile(placeFor(home.root, env));
}

function rejectedIn(profile: Profile) {
  return rejectedWishes({ config: profile.config, records: profile.records() });
}

/** A suggestion as the page shows it. Every text is one line without hidden characters. */
function suggestionOf({ host, session, file: _, at, ...one }: Pending): Suggestion {
  return {
    ...one,
    ...(session === undefined ? {} : { session: { id: session, host } }),
    at: Number.isNaN(at) ? null : at,
  };
}

function deciding(app: Hono, web: Web): void {
  const decide = (what: string, id: string, given: object = {}) =>
    writing(web, async () => {
      const { answers } = await actNamed(web, `review ${what}`, { ...given, ids: [id], exact: true });
      return answerOf((answers as SuggestionAnswer[])[0], web, id);
    });
  app.post("/api/inbox/undo", async (c) => {
    const given = await readObject(c);
    if (given["batch"] === undefined) throw invalid('field "batch" is missing', "batch");
    const { answers } = await writing(web, () => actNamed(web, "review undo", given));
    const [answer] = answers as SuggestionAnswer[];
    if (answer?.message === NOTHING_DECIDED)
      throw meanwhile("This decision was already undone.", "nothing was changed");
    return c.json(answerOf(answer, web, ""));
  });
  app.post("/api/inbox/:id/accept", async (c) => {
    const given = await readObject(c);
    for (const name of ["ids", "exact"])
      if (name in given) throw invalid(`unknown field "${name}"`, "text, scope");
    return c.json(await decide("accept", c.req.param("id"), given));
  });
  app.post("/api/inbox/:id/reject", async (c) => c.json(await decide("reject", c.req.param("id"))));
  app.post("/api/inbox/:id/mute", async (c) => c.json(await decide("mute", c.req.param("id"))));
  app.delete("/api/tombstones/:id", async (c) =>
    c.json(await change(web, "seed allow", c.req.param("id"), "This suggestion is no longer rejected.")),
  );
  app.delete("/api/learnings/:id", async (c) =>
    c.json(await change(web, "seed forget", c.req.param("id"), "This learning no longer exists.")),
  );
}

/** Explains why a seed cannot be written; nothing is lost. */
async function writing<T>({ home, env }: Web, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isContinuoError(error) || !isSystemError(error)) throw error;
    const { seed } = placeFor(home.root, env);
    throw new ContinuoError("seed-unwritable", `${seed} cannot be written (${error.code})`, {
      hint: "nothing was changed; make the file and its folder writable, then try again (continuo doctor)",
      cause: error,
    });
  }
}

/** For a decision on a suggestion that may have been decided in another window. */
function answerOf(answer: SuggestionAnswer | undefined, web: Web, id: string): Decided {
  if (answer?.done) return { message: answer.message, batch: answer.batch };
  // It stays pending: the user is told what has to be done first.
  if (answer !== undefined && answer.message !== NOT_PENDING)
    throw new ContinuoError("not-decided", answer.message);
  const fate = profileOf(web).config.state.proposals.find((one) => one.id === id)?.status;
  const happened = fate === "accepted" || fate === "rejected" ? `was ${fate}` : "is no longer pending";
  throw meanwhile(
    `This suggestion ${happened} in another window.`,
    "nothing was changed; to undo the other decision, see Decided",
  );
}

/** For a change that someone else may already have made. */
async function change(web: Web, action: string, id: string, gone: string): Promise<Decided> {
  try {
    const { steps, batch } = await writing(web, () => actNamed(web, action, { ids: [id], exact: true }));
    const message = (steps as Step[]).map(summariseStep).join(", ");
    return { message: message.charAt(0).toUpperCase() + message.slice(1), batch: batch as string };
  } catch (error) {
    if (!isContinuoError(error) || error.code !== "no-such-id") throw error;
    throw meanwhile(gone, "nothing was changed; the list was reloaded");
  }
}

function invalid(message: string, names: string): ContinuoError {
  return new ContinuoError("invalid-request", `body: ${message}`, { hint: `fields: ${names}` });
}

function meanwhile(message: string, hint: string): ContinuoError {
  return new ContinuoError("decided-meanwhile", message, { hint });
}
