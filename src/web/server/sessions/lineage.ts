import type { Hono } from "hono";
import { forTerminal } from "../../../base/for-terminal.ts";
import { othersFirst } from "../../../base/slices.ts";
import { originOf } from "../../../sources/sessions/indexing/lineage.ts";
import { handoff } from "../../../sources/sessions/records/texts.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Continuing, Lineage, RelatedSession } from "../../api/session-page.ts";
import type { Web } from "../web.ts";
import { sessionFor, sessionIfIndexed } from "./session-for.ts";

const MOST_DESCENDANTS = 200;

/** Where a session comes from, which sessions came from it, and how to continue it. */
export function lineageRoutes(app: Hono, web: Web): void {
  app.get("/api/sessions/:host/:id/lineage", async (c) => {
    const indexed = await sessionIfIndexed(web, c.req.param());
    if (indexed === undefined) return c.json({ ancestors: [], descendants: [] } satisfies Lineage);
    const { sessions, session } = indexed;
    const ancestors = sessions.ancestors(session);
    const descendants = sessions.descendants(session);
    const chain = [session, ...ancestors].flatMap((one, at) => {
      const origin = originOf(one);
      const known = ancestors[at];
      return origin === undefined ? [] : [{ ...origin, ...(known && { session: related(known) }) }];
    });
    return c.json({
      ancestors: chain,
      descendants: descendants.slice(0, MOST_DESCENDANTS).map((one) => ({
        how: originOf(one)?.how ?? "fork of",
        session: related(one),
      })),
      ...(descendants.length > MOST_DESCENDANTS ? { descendantsOf: descendants.length } : {}),
    } satisfies Lineage);
  });

  app.get("/api/sessions/:host/:id/continue", async (c) => {
    const { sessions, session } = await sessionFor(web, c.req.param());
    const outline = sessions.outline(session);
    await othersFirst();
    return c.json({
      resume: sessions.resumeLine(session) ?? null,
      handoff: outline === undefined ? null : forTerminal(handoff(sessions, session, outline)),
    } satisfies Continuing);
  });
}

function related({ host, id, name, modified, isGone }: PastSession): RelatedSession {
  return { host, id, name: forTerminal(name), modified, isGone };
}
