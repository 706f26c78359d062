import type { FileChanged, FileMissing } from "../../api/files.ts";
import { failure } from "../failures.ts";
import { byFolder, createShownWatches, type Shown } from "../follow/watch-shown.ts";
import { readBody, readQuery } from "../requests.ts";
import type { Area } from "../web.ts";
import { createFile } from "./create.ts";
import { viewDiff } from "./diff.ts";
import { MOST_FOLDERS } from "./diff-follow.ts";
import { listFolder } from "./list.ts";
import { viewFile } from "./read.ts";
import { diffQuery, fileQuery, folderQuery, saveBody } from "./requests.ts";
import { allowedPlace } from "./roots.ts";
import { FileChangedError, saveFile } from "./save.ts";
import { pathInSession } from "./session-project.ts";

/** A text of 2 MB in JSON, in which each character may need six bytes. */
const MAX_SAVE_BYTES = 13 * 1024 * 1024;

/** A person has few open. */
const MOST_FILES = 16;
const MOST_DIFFS = 3;

export const files: Area = {
  name: "files",
  routes(app, web) {
    const watches = createShownWatches(web, { views: MOST_FILES, folders: 1 });
    const diffs = createShownWatches(web, { views: MOST_DIFFS, folders: MOST_FOLDERS });
    app.get("/api/files", async (context) => {
      const query = readQuery(context, fileQuery);
      const path = await pathInSession(web, query);
      const { real, isThere } = await allowedPlace(web, path);
      // Also one that is not there: it may come back.
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
