import { stateOfSession } from "../../../cli/commands/sets/session.ts";
import { findSession, folderOfUser } from "../../../moments/state/session-meta.ts";
import type { Web } from "../web.ts";

/** The folder of a session's project, by `HOST/ID` or the id alone; undefined if Continuo has no state of it. */
export function projectOfSession(web: Pick<Web, "home" | "env">, session: string): string | undefined {
  const slash = session.indexOf("/");
  const key =
    slash === -1
      ? findSession(web.home, folderOfUser(web.env), session)
      : { host: session.slice(0, slash), id: session.slice(slash + 1) };
  return key === undefined || !/^[a-z0-9-]+$/.test(key.host)
    ? undefined
    : stateOfSession(web.home, key)?.project.root;
}
