import type { Hono } from "hono";
import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { forTerminal } from "../../../base/for-terminal.ts";
import { pauses } from "../../../base/slices.ts";
import { problemsIn } from "../../../sources/sessions/indexing/transcripts.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession, SessionKey } from "../../../sources/sessions/session.ts";
import { statFile } from "../../../store/read-file.ts";
import { redact } from "../../../store/redact.ts";
import type { Conversation, FoundInSession, Outline, WholeText } from "../../api/conversation.ts";
import { byFolder, createShownWatches, type ShownWatches } from "../follow/watch-shown.ts";
import { readQuery, text, whole } from "../requests.ts";
import type { Web } from "../web.ts";
import { type Asked, indexedConversation } from "./conversation-indexed.ts";
import { createOutlines } from "./conversation-outline.ts";
import { earlier, later, type Page, placeText, readPlace, type Transcripts } from "./conversation-pages.ts";
import { seek } from "./conversation-seek.ts";
import { partOf, shownTurn } from "./conversation-turns.ts";
import { lineageRoutes } from "./lineage.ts";
import { recordRoutes } from "./record.ts";
import { sessionFor, sessionIfIndexed } from "./session-for.ts";

const DEFAULT_TURNS = 60;
const MOST_TURNS = 200;
const MOST_HITS = 50;
/** How many sessions' transcripts are watched, the most recently requested ones. An open page has one. */
const MOST_FOLLOWED = 8;
/** After this time the answer is what was found in the newest part. */
const MOST_FIND_MS = 5000;
const cursor = () => v.optional(text(100));

const PageQuery = v.strictObject({
  before: cursor(),
  after: cursor(),
  around: v.optional(text(1000)),
  limit: v.optional(whole(1, MOST_TURNS)),
});
const TurnQuery = v.strictObject({
  place: text(100),
  id: text(1000),
  part: v.picklist(["said", "thinking", "injected", "input", "diff"]),
  call: v.optional(whole(0, 1000)),
});
const FindQuery = v.strictObject({ q: text(1000), limit: v.optional(whole(1, MOST_HITS)) });

const NOTHING_SAID: Conversation = {
  source: "transcript",
  turns: [],
  before: null,
  after: "start",
  isEnd: true,
  notices: [],
};

/** The routes of a session's page: its conversation, its record, its lineage and how to continue it. */
export function sessionPageRoutes(app: Hono, web: Web): void {
  // Hosts that Continuo is not connected to write no ledger, and others write to it less often than to their
  // transcript.
  const watches = createShownWatches(web, { views: MOST_FOLLOWED, folders: 1 });
  const outlines = createOutlines(web.home);

  app.get("/api/sessions/:host/:id/conversation", async (c) => {
    const { limit = DEFAULT_TURNS, ...query } = readQuery(c, PageQuery);
    const asked = { ...query, limit };
    const indexed = await sessionIfIndexed(web, c.req.param());
    if (indexed === undefined) return c.json(NOTHING_SAID);
    const { sessions, session } = indexed;
    const transcripts = await transcriptsFor(web, sessions, session);
    if (transcripts === undefined || /^index\./.test(asked.before ?? asked.after ?? ""))
      return c.json(indexedConversation(sessions, session, asked, goneNotices(session)));
    follow(watches, session, transcripts.files);
    const page = await pageFor(transcripts, asked);
    const failed = page.reports.some(({ failure }) => failure !== undefined);
    if (failed && page.turns.length === 0 && asked.after === undefined)
      return c.json(indexedConversation(sessions, session, { limit }, noticesOf(page)));
    return c.json(await conversationOf(transcripts, page));
  });

  app.get("/api/sessions/:host/:id/conversation/turn", async (c) => {
    const { place, id, part, call } = readQuery(c, TurnQuery);
    const { sessions, session } = await sessionFor(web, c.req.param());
    const transcripts = await transcriptsFor(web, sessions, session);
    const at = transcripts && readPlace(transcripts.files, place);
    const page = transcripts && at && (await later(transcripts, at, 20));
    const found = page?.turns.find(({ turn }) => turn.id === id);
    const shown = found && partOf(found.turn, part, call);
    if (shown === undefined)
      throw new ContinuoError("no-such-turn", "this turn is not in the transcript any more", {
        hint: "load the conversation again",
      });
    return c.json({ id, ...shown } satisfies WholeText);
  });

  app.get("/api/sessions/:host/:id/conversation/outline", async (c) => {
    const indexed = await sessionIfIndexed(web, c.req.param());
    const transcripts = indexed && (await transcriptsFor(web, indexed.sessions, indexed.session));
    if (transcripts === undefined) return c.json({ turns: 0, marks: [], prompts: [] } satisfies Outline);
    return c.json(await outlines(c.req.param(), transcripts));
  });

  app.get("/api/sessions/:host/:id/conversation/find", async (c) => {
    const { q, limit = 20 } = readQuery(c, FindQuery);
    const { sessions, session } = await sessionFor(web, c.req.param());
    const until = performance.now() + MOST_FIND_MS;
    const isOver = (): boolean => performance.now() > until || c.req.raw.signal.aborted;
    const { passages, isPart } = await sessions.passagesInSlices(session, q, limit, isOver);
    return c.json({
      hits: passages.map(({ turn, role, snippet, score, time, isLeft }) => ({
        turn,
        role,
        snippet: forTerminal(snippet),
        score,
        at: time,
        ...(isLeft ? { isAbandoned: true as const } : {}),
      })),
      isPart: isPart || undefined,
    } satisfies FoundInSession);
  });

  recordRoutes(app, web);
  lineageRoutes(app, web);
}

/** Reports when a transcript has grown or is gone. A database's changes are in the file beside it. */
function follow(watches: ShownWatches, { host, id }: SessionKey, files: Transcripts["files"]): void {
  const newest = files.at(-1);
  if (newest === undefined) return;
  const path = newest.key === undefined ? newest.path : `${newest.path}-wal`;
  const event = { type: "session", session: { host, id }, reason: "transcript" } as const;
  watches.follow(JSON.stringify([host, id]), byFolder([path]), event);
}

/** Undefined if the host has deleted all of them. */
async function transcriptsFor(
  web: Web,
  sessions: Sessions,
  key: SessionKey,
): Promise<Transcripts | undefined> {
  const reader = (await web.history()).get(key.host);
  const files = sessions.transcripts(key).filter(({ path }) => statFile(path) !== undefined);
  return reader === undefined || files.length === 0 ? undefined : { reader, files };
}

async function pageFor(transcripts: Transcripts, { before, after, around, limit }: Asked): Promise<Page> {
  const { files } = transcripts;
  if (around !== undefined) {
    const place = await seek(transcripts, around);
    if (place === undefined)
      throw new ContinuoError("no-such-turn", "this turn is not in the transcript", {
        hint: "the host may have removed it; the conversation is still there",
      });
    const half = Math.ceil(limit / 2);
    const page = await later(transcripts, place, half);
    const past = await earlier(transcripts, place, half);
    return { ...page, turns: [...past.turns, ...page.turns], before: past.before };
  }
  if (after === "start") return later(transcripts, { file: 0, offset: 0 }, limit);
  if (after !== undefined) {
    const place = readPlace(files, after);
    if (place !== undefined) return later(transcripts, place, limit);
  }
  const place = before === undefined ? undefined : readPlace(files, before);
  const page = await earlier(transcripts, place, limit);
  // A cursor of a transcript that is gone, although other transcripts exist.
  const isReset = after !== undefined || (before !== undefined && place === undefined);
  return isReset ? { ...page, isReset: true } : page;
}

/** Redacting long texts takes a while, so other work runs in between. */
async function conversationOf(transcripts: Transcripts, page: Page): Promise<Conversation> {
  const { files } = transcripts;
  const turns: Conversation["turns"][number][] = [];
  const pause = pauses(20);
  for (const { turn, place } of page.turns) {
    turns.push(shownTurn(turn, placeText(files, place)));
    await pause();
  }
  return {
    source: "transcript",
    turns,
    before: page.before === undefined ? null : placeText(files, page.before),
    after: placeText(files, page.after),
    isEnd: page.isEnd,
    isReset: page.isReset,
    notices: noticesOf(page),
  };
}

const noticesOf = ({ reports }: Page): string[] => [
  ...new Set(reports.flatMap(problemsIn).map((notice) => forTerminal(redact(notice)).slice(0, 500))),
];

const goneNotices = ({ isGone }: PastSession): string[] => [
  isGone ? "The agent has deleted this transcript." : "The transcript cannot be found.",
];
