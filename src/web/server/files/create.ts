import { basename, dirname } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { readAt, statFile } from "../../../store/read-file.ts";
import { createFileAtomic } from "../../../store/write-file.ts";
import type { SavedFile } from "../../api/files.ts";
import { inFolder } from "./folder.ts";
import type { RootsWorld } from "./known-roots.ts";
import { withAllowed } from "./open-allowed.ts";
import { checksumOf, MAX_TEXT_BYTES } from "./read.ts";
import { allowedPlace } from "./roots.ts";
import { FileChangedError, inWords } from "./save.ts";

const MODE = 0o644;

/** Writes a file that does not exist, such as one deleted while it was being edited. Never replaces a file. */
export async function createFile(
  web: RootsWorld,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<SavedFile> {
  const { real, root, isThere } = await allowedPlace(web, path);
  if (!root.isWritable)
    throw new ContinuoError("file-read-only", `${dirname(real)} belongs to another program`, {
      hint: "Continuo only reads its notes",
    });
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > MAX_TEXT_BYTES)
    throw new ContinuoError("file-too-large", "the text is larger than 2 MB", {
      hint: "write it with your editor",
    });
  if (isThere || !write(real, bytes))
    return withAllowed(web, path, ({ descriptor, stats }) => {
      const now = readAt(descriptor, 0, Math.min(stats.size, MAX_TEXT_BYTES));
      throw new FileChangedError(real, "", checksumOf(now));
    });
  return {
    path: real,
    size: bytes.length,
    modified: statFile(real)?.modified ?? 0,
    checksum: checksumOf(bytes),
  };
}

/** False if the path exists by now. */
function write(real: string, bytes: Uint8Array): boolean {
  try {
    return inFolder(dirname(real), (at) =>
      createFileAtomic(at(basename(real)), bytes, MODE, { follows: false }),
    );
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new ContinuoError("no-such-folder", `the folder ${dirname(real)} does not exist`, {
        hint: "create it, then save again",
        cause: error,
      });
    throw inWords(error, real);
  }
}
