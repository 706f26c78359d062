import { ContinuoError } from "../../../base/errors.ts";
import { forTerminal } from "../../../base/for-terminal.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession, SessionKey } from "../../../sources/sessions/session.ts";
import type { Web } from "../web.ts";

/** A session that began a moment ago is indexed first. */
export async function sessionFor(
  web: Web,
  params: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly sessions: Sessions; readonly session: PastSession }> {
  const key: SessionKey = { host: params["host"] ?? "", id: params["id"] ?? "" };
  const sessions = await web.sessions();
  let session = sessions.get(key);
  if (session === undefined && (await web.history()).has(key.host)) {
    await sessions.sync({ only: key, sliceMs: 200 });
    session = sessions.get(key);
  }
  if (session !== undefined) return { sessions, session };
  throw new ContinuoError(
    "no-such-session",
    `there is no session ${forTerminal(key.id).slice(0, 100)} of ${forTerminal(key.host).slice(0, 40)}`,
    {
      hint: "it may have been removed from the index, or belongs to another host",
    },
  );
}
