import type { Hono } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { type Inbox, openInbox } from "../../../sources/seed/learning/inbox.ts";
import { removeLearning, shownLearnings } from "../../../sources/seed/learning/learnings.ts";
import { readProfile } from "../../../sources/seed/learning/profile.ts";
import { rejectedWishes, revokeRejection } from "../../../sources/seed/learning/rejected-wishes.ts";
import type { InboxCount, InboxList, LearningList, TombstoneList } from "../../api/inbox.ts";
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
  app.get("/api/inbox", (c) => {
    readQuery(c, NOTHING);
    const profile = readProfile(placeIn(web));
    const rejected = rejectedWishes({ config: profile.config, records: profile.records() }).length;
    const list: InboxList = {
      seed: { state: profile.state, path: profile.path },
      pending: inboxOf(web).pending().slice(0, MAX_ROWS).map(suggestionOf),
      counts: countsOf(profile, rejected),
    };
    return c.json(list);
  });
  app.get("/api/inbox/count", (c) => {
    const profile = readProfile(placeIn(web));
    const count: InboxCount = { pending: profile.pending().length - profile.heldBack().size };
    return c.json(count);
  });
  app.get("/api/inbox/decisions", (c) => {
    const { offset = 0, limit = 50 } = readQuery(c, PAGE);
    return c.json(decisionsPage(readProfile(placeIn(web)), offset, limit));
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
  const options = () => ({ now: web.now(), lockWaitMs: LOCK_WAIT_MS });
  app.post("/api/inbox/undo", async (c) => {
    const { batch } = await readBody(c, UNDO);
    const answer = await decided(web, async () => {
      const { done, message } = await inboxOf(web).undo(batch);
      if (done) return { message };
      throw new ContinuoError("decided-meanwhile", "This decision was already undone.", {
        hint: "nothing was changed",
      });
    });
    return c.json(answer);
  });
  app.post("/api/inbox/:id/accept", async (c) => {
    const id = c.req.param("id");
    const { text: own, scope } = await readBody(c, ACCEPT);
    const choice = { ...(own === undefined ? {} : { text: own }), ...(scope === undefined ? {} : { scope }) };
    return c.json(
      await decided(web, async () => answerOf(await inboxOf(web).accept(id, choice), placeIn(web), id)),
    );
  });
  app.post("/api/inbox/:id/reject", async (c) => {
    const id = c.req.param("id");
    return c.json(await decided(web, async () => answerOf(await inboxOf(web).reject(id), placeIn(web), id)));
  });
  app.delete("/api/tombstones/:id", async (c) => {
    const gone = "This wish is no longer rejected.";
    return c.json(
      await decided(web, async () =>
        appliedOf(await revokeRejection(placeIn(web), c.req.param("id"), options()), gone),
      ),
    );
  });
  app.delete("/api/learnings/:id", async (c) => {
    const gone = "This learning is no longer there.";
    return c.json(
      await decided(web, async () =>
        appliedOf(await removeLearning(placeIn(web), c.req.param("id"), options()), gone),
      ),
    );
  });
}

function inboxOf({ home, env, now }: Web): Inbox {
  return openInbox({ home: home.root, env, now, lockWaitMs: LOCK_WAIT_MS });
}
