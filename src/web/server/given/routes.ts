import * as v from "valibot";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { waitingOf } from "../../../moments/state/activity.ts";
import { givenTexts } from "../../../moments/state/given-texts.ts";
import type { LedgerLine } from "../../../moments/state/ledger.ts";
import { sessionLines } from "../../../moments/state/ledger-files.ts";
import { mutesIn } from "../../../moments/state/muted.ts";
import { peekState } from "../../../moments/state/session-state.ts";
import { readMutes } from "../../../store/mutes.ts";
import type { SessionRef } from "../../api/events.ts";
import type { GivenText, GivenTimeline } from "../../api/given.ts";
import { actNamed } from "../actions.ts";
import { readObject, readQuery, text, whole } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { createDays } from "./days.ts";
import { givenItem } from "./items.ts";
import { knownAt, timelineOf } from "./timeline.ts";
import { sumOf, usageReader } from "./usage.ts";

const PAGE = 100;
const DAYS = 30;
/** A long transcript is read only in part, which the figure then shows. */
const MEASURE_MS = 1_500;

const TIMELINE_QUERY = v.strictObject({
  /** Entries before this one. */
  before: v.optional(whole(0, 10_000_000)),
  limit: v.optional(whole(1, 500)),
  /** The time at which to show what was known: any text that `Date` parses, or milliseconds since 1970. */
  at: v.optional(text(40)),
});

const DAYS_QUERY = v.strictObject({ days: v.optional(whole(1, 366)) });

/** What was added to sessions, at what cost, and what the user muted. */
export const given: Area = {
  name: "given",
  routes(app, web) {
    const usage = usageReader(() => web.sessions());
    const days = createDays(web.home, usage);
    app.get("/api/sessions/:host/:id/given", async (context) => {
      const { before, limit = PAGE, at } = readQuery(context, TIMELINE_QUERY);
      return context.json(await timeline(web, context.req.param(), { before, limit, at: timeOf(at) }));
    });
    app.get("/api/sessions/:host/:id/given/cache", async (context) => {
      const until = performance.now() + MEASURE_MS;
      const found = await usage.of(context.req.param(), () => performance.now() > until);
      return context.json({ cache: (found && sumOf(found.values())) ?? null });
    });
    app.get("/api/sessions/:host/:id/given/:entry", async (context) => {
      const { host, id, entry } = context.req.param();
      return context.json(await textOf(web, { host, id }, Number(entry)));
    });
    app.get("/api/given/days", async (context) => {
      const { days: count = DAYS } = readQuery(context, DAYS_QUERY);
      return context.json(await days.of(count, web.now()));
    });
    app.get("/api/mutes", async (context) => context.json(await actNamed(web, "mutes", {})));
    app.post("/api/mutes", async (context) => {
      const { muted } = await actNamed(web, "mute", muteFields(await readObject(context)));
      return context.json(muted as object);
    });
    app.delete("/api/mutes", async (context) => {
      const fields = muteFields(await readObject(context));
      try {
        await actNamed(web, "unmute", fields);
        return context.json({ removed: true });
      } catch (error) {
        // Another tab was faster.
        if (systemCode(error) === "not-muted") return context.json({ removed: false });
        throw error;
      }
    });
  },
};

/** The routes' fields, in the form that the actions expect. */
function muteFields({ in: where, host, session, project, ...rest }: Readonly<Record<string, unknown>>) {
  if (where === "everywhere") return { ...rest, everywhere: true };
  if (where === "project" && project !== undefined) return { ...rest, project };
  if (where === "session" && host !== undefined && session !== undefined) return { ...rest, host, session };
  const missing = { project: '"project" is missing', session: '"host" and "session" are missing' }[
    String(where)
  ];
  throw new ContinuoError(
    "invalid-request",
    `body: ${missing ?? '"in" must be session, project or everywhere'}`,
    {
      hint: "fields: what, title, in (session with host and session, project with project, its id, or everywhere)",
    },
  );
}

interface Wanted {
  readonly before: number | undefined;
  readonly limit: number;
  readonly at: number | undefined;
}

async function timeline(web: Web, session: SessionRef, wanted: Wanted): Promise<GivenTimeline> {
  const lines = await sessionLines(web.home, session);
  const all = timelineOf(lines, givenTexts(web.home, session));
  const known = wanted.at === undefined ? undefined : knownAt(all, wanted.at);
  // Around the requested time, else the newest.
  const around = known?.entry === undefined ? all.length : known.entry + Math.ceil(wanted.limit / 2);
  const end = Math.min(all.length, wanted.before ?? Math.max(around, Math.min(all.length, wanted.limit)));
  const begin = Math.max(0, end - wanted.limit);
  const state = peekState(web.home, session);
  const project = lines.at(-1)?.project ?? state?.project.id;
  const spent = [...lines.map((line) => ("spent" in line ? line.spent : undefined)), state?.spent];
  const deliveries = lines.filter((line) => line.kind === "delivered");
  return {
    project,
    entries: all.slice(begin, end),
    total: all.length,
    hasEarlier: begin > 0,
    sums: {
      tokens: deliveries.reduce((sum, { tokens }) => sum + tokens, 0),
      deliveries: deliveries.length,
      compactions: lines.filter(({ kind }) => kind === "compacted").length,
      moments: spent.reduce((sum, one) => sum + (one?.moments ?? 0), 0),
      ms: spent.reduce((sum, one) => sum + (one?.ms ?? 0), 0),
    },
    waiting: waitingOf(web.home, session, web.now()).flatMap((part) => part.items.map(givenItem)),
    known,
    mutes: mutesIn(readMutes(web.home).mutes, state?.session ?? session, project ?? ""),
  };
}

async function textOf(web: Web, session: SessionRef, entry: number): Promise<GivenText> {
  const lines = await sessionLines(web.home, session);
  const texts = givenTexts(web.home, session);
  const all = timelineOf(lines, texts);
  const wanted = all[entry];
  if (wanted === undefined)
    throw new ContinuoError("no-such-entry", `the session has no entry ${String(entry).slice(0, 20)}`, {
      hint: "reload the page",
    });
  const { at, kind, epoch } = wanted;
  const fingerprints = fingerprintsOf(lines)[entry];
  const found =
    kind === "replayed"
      ? texts.filter((text) => text.epoch === epoch && text.what === "snapshot").slice(0, 1)
      : texts.filter((text) => text.epoch === epoch && text.fingerprint === fingerprints).slice(-1);
  const [text] = found;
  if (text === undefined) return { at, what: kind, why: WHY_NO_TEXT };
  return {
    at,
    what: kind,
    text: text.text,
    ...(fingerprint(text.text) === text.fingerprint
      ? {}
      : { why: "Secrets in it were replaced before it was stored." }),
  };
}

const WHY_NO_TEXT =
  "The text is not kept: it was given before Continuo kept texts, or it was one of the oldest and had to make room.";

const WITHOUT_TEXT: ReadonlySet<LedgerLine["kind"]> = new Set(["compacted", "guarded", "broken", "ended"]);

/** By entry, in the same order as in `timelineOf`. */
function fingerprintsOf(lines: readonly LedgerLine[]): (string | undefined)[] {
  return lines.flatMap((line) => {
    if (line.kind === "delivered" || line.kind === "replayed") return [line.fingerprint];
    if (line.kind === "compacting") return line.fingerprint === undefined ? [] : [line.fingerprint];
    return WITHOUT_TEXT.has(line.kind) ? [undefined] : [];
  });
}

function timeOf(at: string | undefined): number | undefined {
  if (at === undefined) return undefined;
  const time = /^\d+$/.test(at) ? Number(at) : Date.parse(at);
  if (Number.isFinite(time) && Math.abs(time) < 8.64e15) return time;
  throw new ContinuoError("invalid-request", 'query: "at" must be a time');
}
