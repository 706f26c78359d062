import * as v from "valibot";
import { keepEvents } from "../../../sources/context/events.ts";
import type { ObservedSince } from "../../api/sessions.ts";
import { flag, readBody, readQuery, text, whole } from "../requests.ts";
import type { Area } from "../web.ts";
import { sessionPageRoutes } from "./conversation.ts";
import { FILTERS, filterOf } from "./filters.ts";
import { followNames } from "./follow-names.ts";
import { createList } from "./list.ts";
import { observeAll, observedSince } from "./observed-since.ts";
import { answerFor, observeSession } from "./one.ts";
import { searchPage } from "./search.ts";

const MOST_ROWS = 200;
const DEEPEST = 1_000_000;

const paging = {
  unobserved: v.optional(flag()),
  offset: v.optional(whole(0, DEEPEST)),
  limit: v.optional(whole(1, MOST_ROWS)),
};
const ListQuery = v.strictObject({ ...FILTERS, ...paging });
const SearchQuery = v.strictObject({
  ...FILTERS,
  ...paging,
  q: text(1000),
  weaker: v.optional(flag()),
  limit: v.optional(whole(1, 100)),
});

const ObservedBody = v.strictObject({ since: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))) });

export const sessions: Area = {
  name: "sessions",
  routes(app, web) {
    // Sets that the page changes are in the ledger, as those that agents change.
    web.onClose(keepEvents(web.home));
    followNames(web);
    const list = createList(web);
    let indexing: { done: number; total: number } | null = null;
    web.subscribe((event) => {
      if (event.type !== "import") return;
      const { done, total, isComplete } = event;
      indexing = isComplete ? null : { done, total };
    });

    app.get("/api/sessions", async (c) => {
      const { unobserved = false, offset = 0, limit = 100, ...given } = readQuery(c, ListQuery);
      const filter = filterOf(web, given);
      return c.json({ ...(await list({ filter, unobserved, offset, limit })), indexing });
    });
    app.get("/api/sessions/search", async (c) => {
      const {
        q,
        unobserved = false,
        weaker = false,
        offset = 0,
        limit = 30,
        ...given
      } = readQuery(c, SearchQuery);
      const filter = filterOf(web, given);
      return c.json(await searchPage(web, { q, filter, unobserved, weaker, offset, limit }));
    });
    app.get("/api/sessions/filters", async (c) => c.json((await web.sessions()).facets()));

    sessionPageRoutes(app, web);

    app.put("/api/sessions/observed", async (c) => {
      const { since = web.now() } = await readBody(c, ObservedBody);
      const before = observedSince(web);
      observeAll(web, Math.min(since, web.now()));
      web.publish({ type: "reset" });
      const answer: ObservedSince = { since: observedSince(web), before };
      return c.json(answer);
    });
    app.post("/api/sessions/:host/:id/observe", async (c) =>
      c.json(await observeSession(web, c.req.param("id"), c.req.param("host"))),
    );
    app.post("/api/sessions/:id/observe", async (c) =>
      c.json(await observeSession(web, c.req.param("id"), undefined)),
    );
    for (const path of ["/api/sessions/:host/:id", "/api/sessions/:id"]) {
      app.get(path, (c) => answerFor(web, c));
      app.patch(path, (c) => answerFor(web, c));
    }
  },
};
