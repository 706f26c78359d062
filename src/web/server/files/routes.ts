import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { ContinuoError } from "../../../base/errors.ts";
import { findProject } from "../../../moments/project/project.ts";
import { stateOfSession } from "../../../moments/state/choose-session.ts";
import { findSession, folderOfUser } from "../../../moments/state/session-meta.ts";
import type { FileChanged, FileMissing } from "../../api/files.ts";
import { failure } from "../failures.ts";
import { byFolder, createShownWatches, type Shown } from "../follow/watch-shown.ts";
import { readBody, readQuery, text } from "../requests.ts";
import type { Area, Web } from "../web.ts";
import { createFile } from "./create.ts";
import { viewDiff } from "./diff.ts";
import { MOST_FOLDERS } from "./diff-follow.ts";
import { listFolder } from "./list.ts";
import { viewFile } from "./read.ts";
import { allowedPlace } from "./roots.ts";
import { FileChangedError, saveFile } from "./save.ts";

/** A text of 2 MB in JSON, with up to six bytes per character. */
const MAX_SAVE_BYTES = 13 * 1024 * 1024;

/** More than a user has open. */
const MOST_FILES = 16;
const MOST_DIFFS = 3;

const path = text(4096);

/** A relative path refers to the session's project. */
const fileQuery = v.strictObject({ path, session: v.optional(text(400)) });

const saveBody = v.strictObject({
  path,
  text: v.pipe(
    v.string("must be a text"),
    v.check((one) => one.isWellFormed(), "has half a character (a lone surrogate), which no file can hold"),
  ),
  checksum: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be a SHA-256 checksum"))),
});

const folderQuery = v.strictObject({ folder: path });

/** A commit by its id. Branch names could look like options, and are not needed here. */
const diffQuery = v.strictObject({
  path,
  session: v.optional(text(400)),
  against: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(HEAD|staged|[0-9a-f]{4,64})$/, "must be HEAD, staged or the id of a commit"),
    ),
    "HEAD",
  ),
});

export const files: Area = {
  name: "files",
  routes(app, web) {
    const watches = createShownWatches(web, { views: MOST_FILES, folders: 1 });
    const diffs = createShownWatches(web, { views: MOST_DIFFS, folders: MOST_FOLDERS });
    app.get("/api/files", async (context) => {
      const query = readQuery(context, fileQuery);
      const path = await pathInSession(web, query);
      const { real, isThere } = await allowedPlace(web, path);
      // Also if it does not exist, because it may come back.
      watches.follow(path, byFolder([real]), { type: "disk", path: query.path });
      const missing: FileMissing = { ...failure("no-such-file", `${path} does not exist`), path: real };
      if (!isThere) return context.json(missing, 404);
      return context.json(await viewFile(web, path));
    });
    app.put("/api/files", async (context) => {
      const body = await readBody(context, saveBody, { maxBytes: MAX_SAVE_BYTES });
      try {
        const { checksum } = body;
        return context.json(
          await (checksum === undefined ? createFile(web, body) : saveFile(web, { ...body, checksum })),
        );
      } catch (error) {
        if (!(error instanceof FileChangedError)) throw error;
        const { message, hint, checksums } = error;
        const changed: FileChanged = {
          error: { code: "file-changed", message, hint },
          checksums,
        };
        return context.json(changed, 409);
      }
    });
    app.get("/api/files/list", async (context) =>
      context.json(await listFolder(web, readQuery(context, folderQuery).folder)),
    );
    app.get("/api/diff", async (context) => {
      const query = readQuery(context, diffQuery);
      const path = await pathInSession(web, query);
      const { against } = query;
      const follow = (shown: Shown): void =>
        diffs.follow(`${path}\n${against}`, shown, { type: "disk", path: query.path });
      return context.json(await viewDiff(web, { path, against }, follow));
    });
  },
};

type SessionsWorld = Pick<Web, "home" | "env" | "sessions">;

/** Resolves a path of a request: a relative one refers to the session's project. */
async function pathInSession(
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

/** The folder of a session's project, by `HOST/ID` or just the id. For a session without hooks, the index knows it. */
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
