import * as v from "valibot";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { folderOfUser, givenName, isOfCaco } from "../../../moments/state/session-meta.ts";
import { A_TIME, timeOf } from "../../../search/timespan.ts";
import { filterOf as actionFilter, type GivenFilter } from "../../../sources/sessions/actions/fields.ts";
import type { SessionFilter } from "../../../sources/sessions/library.ts";
import { keepEvents } from "../../../sources/sets/events.ts";
import type { SessionRef } from "../../api/events.ts";
import type { ObservedSince } from "../../api/sessions.ts";
import { flag, readBody, readQuery, text, whole } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { sessionPageRoutes } from "./conversation.ts";
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
/** The filters of lists and searches. Empty values count as absent, as in the page's address. */
const FILTERS = {
  project: v.optional(text(4096)),
  host: v.optional(text(64)),
  branch: v.optional(text(500)),
  file: v.optional(text(4096)),
  since: v.optional(text(40)),
  until: v.optional(text(40)),
  children: v.optional(flag()),
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
    // Changes of sets by the page are recorded in the ledger, like those by agents.
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

/** Times are rounded to the minute, so that a list keeps its order while the page loads it in parts. */
function filterOf(web: Web, { since, until, ...given }: GivenFilter): SessionFilter {
  return {
    ...actionFilter(given, web),
    since: time(web, "since", since),
    until: time(web, "until", until),
  };
}

const MINUTE = 60_000;

function time(web: Web, name: string, given: string | undefined): number | undefined {
  if (!given) return undefined;
  const found = /^\d{9,15}$/.test(given) ? Number(given) : timeOf(given, web.now());
  if (found === undefined)
    throw new ContinuoError("invalid-request", `query: "${name}" is not a time`, { hint: `give ${A_TIME}` });
  return Math.floor(found / MINUTE) * MINUTE;
}

/** Another program may name a session in its metadata: lists and `@@` use the new name at once. */
function followNames(web: Web): void {
  web.onClose(
    web.subscribe((event) => {
      if (event.type === "session" && event.reason === "metadata") void take(web, event.session);
    }),
  );
}

async function take(web: Web, session: SessionRef): Promise<void> {
  try {
    const sessions = await web.sessions();
    const known = sessions.get(session);
    const user = folderOfUser(web.env);
    const name = givenName(web.home, user, session);
    const isNews =
      name === undefined ? known?.namedBy === "given" && isOfCaco(user, session.id) : known?.name !== name;
    if (known === undefined || !isNews) return;
    sessions.named(session, name ?? "");
    web.publish({ type: "session", session, reason: "renamed" });
  } catch (error) {
    const { code, message } = describeError(error);
    if (code !== "index-busy") web.report("web-names", message);
  }
}
