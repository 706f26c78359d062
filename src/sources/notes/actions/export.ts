import { constants, copyFileSync, mkdirSync, realpathSync, statSync, utimesSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ContinuoError, describeError, systemCode } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { wayInside } from "../../../base/inside.ts";
import { count } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { readBytes } from "../../../store/read-file.ts";
import { walkNotes } from "../files/list-notes.ts";
import type { MemoryRoot } from "../files/roots.ts";
import { FOLDER } from "./folders.ts";
import { withNotes } from "./fresh.ts";

interface Exported {
  readonly copied: string[];
  /** Already in the destination, with the same text. */
  readonly same: string[];
  /** Already in the destination, with another text: not overwritten. */
  readonly different: string[];
  readonly failed: { readonly path: string; readonly message: string }[];
}

/** Copies notes with their folders. Existing files are not overwritten. */
export const exportNotes = action({
  name: "memory export",
  about: "copy the notes to a folder",
  examples: [["continuo memory export ~/backup/notes --all", "copy the notes of every folder"]],
  effect: "writes",
  input: fields({ folder: FOLDER, all: optional(flag("include the notes of the read-only folders")) }),
  run({ folder, all = false }, place) {
    const target = resolve(place.cwd, folder);
    return withNotes(place, ({ roots }) => {
      for (const root of roots) refuseInside(target, root);
      const done: Exported = { copied: [], same: [], different: [], failed: [] };
      for (const root of roots)
        if (root.name === undefined) copyAll(root, target, done);
        else if (all) copyAll(root, join(target, `@${root.name}`), done);
      return { folder: target, ...done };
    });
  },
  isBad: ({ different, failed }) => different.length + failed.length > 0,
  view: ({ folder, copied, same, different, failed }) => [
    `${count(copied.length, "note")} copied to ${oneLine(folder)}${same.length === 0 ? "" : `; ${same.length} already there`}`,
    ...different.map((path) => `Not overwritten (its text differs): ${oneLine(path)}`),
    ...failed.map(({ path, message }) => `Not copied: ${oneLine(`${path} (${message})`)}`),
  ],
});

function copyAll(root: MemoryRoot, target: string, done: Exported): void {
  for (const { path } of walkNotes(root)) {
    const to = join(target, relative(root.path, path));
    try {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(path, to, constants.COPYFILE_EXCL);
      const { atime, mtime } = statSync(path);
      utimesSync(to, atime, mtime); // so that `recent` shows the same order there
      done.copied.push(to);
    } catch (error) {
      if (systemCode(error) !== "EEXIST") done.failed.push({ path, message: describeError(error).message });
      else (isSame(path, to) ? done.same : done.different).push(to);
    }
  }
}

/** Larger files count as different: they are not notes. */
const MAX_BYTES = 64 * 1024 * 1024;

function isSame(path: string, other: string): boolean {
  try {
    return readBytes(path, { maxBytes: MAX_BYTES }).equals(readBytes(other, { maxBytes: MAX_BYTES }));
  } catch {
    return false; // a folder with that name
  }
}

/** A copy inside a notes folder would itself be indexed, so that every note would appear twice. */
function refuseInside(target: string, root: MemoryRoot): void {
  if (wayInside(real(root.path), real(target)) === undefined) return;
  throw new ContinuoError("folder-refused", `${target} is inside the notes folder ${root.path}`, {
    hint: "export to a folder outside it",
  });
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), relative(above, path));
  }
}
