import type { Context } from "hono";
import { describeError } from "../../../base/errors.ts";
import { observe } from "../../../moments/state/activity.ts";
import { folderOfUser, metaFile } from "../../../moments/state/session-meta.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import { findOne, handleSessionRequest, type SessionApi } from "../../../sources/sets/api.ts";
import type { SessionDetails } from "../../api/sessions.ts";
import { readText } from "../requests.ts";
import type { Web } from "../web.ts";
import { activitiesOf } from "./activities.ts";
import { hasBegunHere } from "./began-here.ts";
import { isUnobserved, sessionRow } from "./rows.ts";

const LOCK_WAIT_MS = 5000;
const READ_ON_MS = 40;

/** The API for a session's metadata, with what the index and its hooks know about it. */
export async function answerFor(web: Web, c: Context): Promise<Response> {
  const sessions = await web.sessions();
  const api = apiOf(web, sessions);
  const method = c.req.method === "HEAD" ? "GET" : c.req.method;
  const body = method === "PATCH" ? await readText(c) : undefined;
  const path = new URL(c.req.url).pathname;
  const ifMatch = c.req.header("if-match");
  const request = { method, path, body, ifMatch };
  const { status, body: answer, etag } = await handleSessionRequest(request, api);
  if (etag !== undefined) c.header("etag", etag);
  const session = keyIn(answer);
  if (session === undefined) return c.json(answer, status as 400);
  if (method === "GET") await readOn(web, sessions, session);
  await activitiesOf(web).isHeadless(session);
  if (method === "PATCH") web.publish({ type: "session", session, reason: "changed" });
  return c.json({ ...answer, ...detailsOf(web, sessions, session) });
}

/** Indexes what was added to the transcript, so that an open page shows current prompts and times. */
async function readOn(web: Web, sessions: Sessions, key: SessionKey): Promise<void> {
  const file = sessions.transcripts(key).at(-1);
  if (file === undefined) return;
  try {
    // A database is found through its host, because its path alone does not identify a session.
    const transcript = file.key === undefined ? { transcript: file.path } : {};
    await sessions.sync({ only: { ...key, ...transcript }, sliceMs: READ_ON_MS });
  } catch (error) {
    // Another process is indexing, and its results are published too.
    const { code, message } = describeError(error);
    if (code !== "index-busy") web.report("web-index", message);
  }
}

/** Records that the user has opened the session's page. */
export async function observeSession(web: Web, id: string, host: string | undefined): Promise<SessionKey> {
  const sessions = await web.sessions();
  const session = findOne(id, host, apiOf(web, sessions));
  if (!isUnobserved(web, session)) return session;
  const now = web.now();
  await observe(web.home, session, now, LOCK_WAIT_MS);
  const file = metaFile(web.home, folderOfUser(web.env), session, { lockWaitMs: LOCK_WAIT_MS });
  // Other programs read this in the file.
  if (file.read()?.unobserved === true)
    await file.update(() => ({ unobserved: false, lastObservedAt: new Date(now).toISOString() }));
  web.publish({ type: "session", session, reason: "observed" });
  return session;
}

function apiOf(web: Web, sessions: Sessions): SessionApi {
  return {
    home: web.home,
    userHome: folderOfUser(web.env),
    now: web.now,
    lockWaitMs: LOCK_WAIT_MS,
    cwdOf: (key) => sessions.get(key)?.cwd,
    index: {
      keysOf(id) {
        const indexed = sessions.keysOf(id);
        const chat = { host: "copilot", id };
        return indexed.length === 0 && hasBegunHere(web, chat) ? [chat] : indexed;
      },
      nameOf: (key) => {
        const session = sessions.get(key);
        return session === undefined ? undefined : shownName(session);
      },
      named(key, name) {
        try {
          sessions.named(key, name);
        } catch (error) {
          // The name is stored; the index picks it up when more of the session is indexed.
          if (describeError(error).code !== "index-busy") throw error;
        }
      },
    },
  };
}

/** For a session that is not indexed, for example because it has just begun, only what its hooks say. */
function detailsOf(web: Web, sessions: Sessions, key: SessionKey): Partial<SessionDetails> {
  const indexed = sessions.get(key);
  if (indexed === undefined) return { unobserved: isUnobserved(web, key) };
  const lastRequest = sessions.lastAsked(key);
  // The answer's name is the metadata's, which the index may get a moment later.
  const { name: _, ...row } = sessionRow(web, { ...indexed, row: 0, ...(lastRequest && { lastRequest }) });
  return {
    ...row,
    cwd: indexed.cwd,
    resume: sessions.resumeLine(indexed) ?? null,
  };
}

function keyIn(answer: object): SessionKey | undefined {
  const { host, sessionId } = answer as { host?: unknown; sessionId?: unknown };
  return typeof host === "string" && typeof sessionId === "string" ? { host, id: sessionId } : undefined;
}
