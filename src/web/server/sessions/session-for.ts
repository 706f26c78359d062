import { ContinuoError } from "../../../base/errors.ts";
import { forTerminal } from "../../../base/for-terminal.ts";
import { findSessions, folderOfUser } from "../../../moments/state/session-meta.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession, SessionKey } from "../../../sources/sessions/session.ts";
import type { Web } from "../web.ts";
import { hasBegunHere } from "./began-here.ts";

export interface Indexed {
  readonly sessions: Sessions;
  readonly session: PastSession;
}

/** A session that has just begun is indexed first. */
export async function sessionFor(web: Web, params: Params): Promise<Indexed> {
  const found = await sessionIfIndexed(web, params);
  if (found !== undefined) return found;
  throw noSession({ host: params["host"] ?? "", id: params["id"] ?? "" });
}

type Params = Readonly<Record<string, string | undefined>>;

/** Undefined for a session that has just begun, because its host has written nothing yet. */
export async function sessionIfIndexed(web: Web, params: Params): Promise<Indexed | undefined> {
  const key: SessionKey = { host: params["host"] ?? "", id: params["id"] ?? "" };
  const sessions = await web.sessions();
  let session = sessions.get(key);
  if (session === undefined && (await web.history()).has(key.host)) {
    await sessions.sync({ only: key, sliceMs: 200 });
    session = sessions.get(key);
  }
  if (session !== undefined) return { sessions, session };
  if (hasBegunHere(web, key)) return undefined;
  if (findSessions(web.home, folderOfUser(web.env), key.id, key.host).length > 0) return undefined;
  throw noSession(key);
}

function noSession(key: SessionKey): ContinuoError {
  return new ContinuoError(
    "no-such-session",
    `there is no session ${forTerminal(key.id).slice(0, 100)} of ${forTerminal(key.host).slice(0, 40)}`,
    {
      hint: "it may have been removed from the index, or belongs to another host",
    },
  );
}
