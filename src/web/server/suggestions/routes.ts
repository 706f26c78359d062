import type { Hono } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import type { SuggestionAnswer, Suggestions } from "../../../moments/ports/suggestions.ts";
import { countOf, NOTHING_DECIDED } from "../../../moments/review/suggestions.ts";
import {
  rejectedWishes,
  removeLearning,
  revokeRejection,
  shownLearnings,
} from "../../../sources/profile/learning/learnings.ts";
import { readProfile } from "../../../sources/profile/learning/profile.ts";
import { readWaiting } from "../../../sources/rules/drafts/waiting.ts";
import { allSuggestions } from "../../../sources/suggestions.ts";
import type { InboxCount, InboxList, LearningList, TombstoneList, Tried } from "../../api/suggestions.ts";
import { readBody, readQuery, text, whole } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { answerOf, appliedOf, decided, LOCK_WAIT_MS, placeIn } from "./decide.ts";
import { countsOf, decisionsPage, suggestionOf } from "./views.ts";

/** Longer than anything that a model should be given as one learning. */
const MAX_TEXT = 4_000;
/** Rows of one answer. A list that is longer says how long it is. */
const MAX_ROWS = 500;

const ACCEPT = v.strictObject({
  text: v.optional(text(MAX_TEXT)),
  scope: v.optional(v.picklist(["project", "everywhere"])),
});
const UNDO = v.strictObject({ batch: text(100) });
const PAGE = v.strictObject({
  offset: v.optional(whole(0, 1_000_000)),
  limit: v.optional(whole(1, MAX_ROWS)),
});
const NOTHING = v.strictObject({});

export const inbox: Area = {
  name: "inbox",
  routes(app, web) {
    reading(app, web);
    deciding(app, web);
  },
};

function reading(app: Hono, web: Web): void {
  app.get("/api/inbox", async (c) => {
    readQuery(c, NOTHING);
    const profile = readProfile(placeIn(web));
    const rejected = rejectedWishes({ config: profile.config, records: profile.records() }).length;
    const pending = (await inboxOf(web)).list();
    const list: InboxList = {
      seed: { state: profile.state, path: profile.path },
      pending: pending.slice(0, MAX_ROWS).map(suggestionOf),
      counts: countsOf(profile, pending.length, readWaiting(web.home.root).decided.length, rejected),
    };
    return c.json(list);
  });
  app.get("/api/inbox/count", async (c) => {
    const count: InboxCount = { pending: countOf(await inboxOf(web)) };
    return c.json(count);
  });
  app.get("/api/inbox/:id/tried", async (c) => {
    const inbox = await inboxOf(web);
    const one = inbox.list().find(({ id }) => id === c.req.param("id"));
    const looked = one === undefined ? undefined : await inbox.look?.(one);
    const answer: Tried = { tried: looked?.tried ?? [] };
    return c.json(answer);
  });
  app.get("/api/inbox/decisions", (c) => {
    const { offset = 0, limit = 50 } = readQuery(c, PAGE);
    return c.json(
      decisionsPage(readProfile(placeIn(web)), readWaiting(web.home.root).decided, offset, limit),
    );
  });
  app.get("/api/tombstones", (c) => {
    readQuery(c, NOTHING);
    const profile = readProfile(placeIn(web));
    const all = rejectedWishes({ config: profile.config, records: profile.records() });
    const list: TombstoneList = {
      tombstones: all.slice(0, MAX_ROWS).map(({ id, text, why, at }) => ({ id, text, why, at })),
      total: all.length,
    };
    return c.json(list);
  });
  app.get("/api/learnings", (c) => {
    readQuery(c, NOTHING);
    const all = shownLearnings(readProfile(placeIn(web)));
    const list: LearningList = { learnings: all.slice(0, MAX_ROWS), total: all.length };
    return c.json(list);
  });
}

function deciding(app: Hono, web: Web): void {
  const decide = (id: string, how: (inbox: Suggestions) => Promise<SuggestionAnswer>) =>
    decided(web, async () => answerOf(await how(await inboxOf(web)), placeIn(web), id));
  const options = () => ({ now: web.now(), lockWaitMs: LOCK_WAIT_MS });
  app.post("/api/inbox/undo", async (c) => {
    const { batch } = await readBody(c, UNDO);
    const answer = await decided(web, async () => {
      const { done, message } = await (await inboxOf(web)).withdraw(batch);
      if (done) return { message };
      if (message !== NOTHING_DECIDED) throw new ContinuoError("not-decided", message);
      throw new ContinuoError("decided-meanwhile", "This decision was already undone.", {
        hint: "nothing was changed",
      });
    });
    return c.json(answer);
  });
  app.post("/api/inbox/:id/accept", async (c) => {
    const id = c.req.param("id");
    const { text: own, scope } = await readBody(c, ACCEPT);
    const choice = { text: own, scope };
    return c.json(await decide(id, (inbox) => inbox.accept(id, choice)));
  });
  app.post("/api/inbox/:id/reject", async (c) => {
    const id = c.req.param("id");
    return c.json(await decide(id, (inbox) => inbox.reject(id)));
  });
  app.post("/api/inbox/:id/mute", async (c) => {
    const id = c.req.param("id");
    return c.json(await decide(id, async (inbox) => (await inbox.mute?.(id)) ?? NOT_MUTED));
  });
  app.delete("/api/tombstones/:id", async (c) => {
    const gone = "This suggestion is no longer rejected.";
    return c.json(
      await decided(web, async () =>
        appliedOf(await revokeRejection(placeIn(web), c.req.param("id"), options()), gone),
      ),
    );
  });
  app.delete("/api/learnings/:id", async (c) => {
    const gone = "This learning no longer exists.";
    return c.json(
      await decided(web, async () =>
        appliedOf(await removeLearning(placeIn(web), c.req.param("id"), options()), gone),
      ),
    );
  });
}

const NOT_MUTED: SuggestionAnswer = { done: false, message: "This cannot be muted here." };

function inboxOf({ home, env, now, history }: Web): Promise<Suggestions> {
  return allSuggestions({ home: home.root, env, now, lockWaitMs: LOCK_WAIT_MS, history });
}
