import { isAbsolute, join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { findProject } from "../../../moments/project/project.ts";
import { stateOfSession } from "../../../moments/state/choose-session.ts";
import { findSession, folderOfUser } from "../../../moments/state/session-meta.ts";
import type { Web } from "../web.ts";

type SessionsWorld = Pick<Web, "home" | "env" | "sessions">;

/** A path of a request: a relative one is in the project of the session. */
export async function pathInSession(
  web: SessionsWorld,
  { path, session }: { readonly path: string; readonly session?: string | undefined },
): Promise<string> {
  if (isAbsolute(path) || session === undefined) return path;
  const root = await projectOfSession(web, session);
  if (root !== undefined) return join(root, path);
  throw new ContinuoError("no-such-session", "nothing is known of the folder of this session", {
    hint: "give an absolute path",
  });
}

/** The folder of a session's project, by `HOST/ID` or the id alone. Of a session without hooks the index knows it. */
async function projectOfSession(web: SessionsWorld, session: string): Promise<string | undefined> {
  const slash = session.indexOf("/");
  const key =
    slash === -1
      ? findSession(web.home, folderOfUser(web.env), session)
      : { host: session.slice(0, slash), id: session.slice(slash + 1) };
  if (key === undefined || !/^[a-z0-9-]+$/.test(key.host)) return undefined;
  const root = stateOfSession(web.home, key)?.project.root;
  if (root !== undefined) return root;
  const cwd = (await web.sessions()).get(key)?.cwd;
  return cwd === undefined || !isAbsolute(cwd) ? undefined : findProject(cwd).root;
}
