import { constants, copyFileSync, mkdirSync, realpathSync, statSync, utimesSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ContinuoError, describeError, systemCode } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { wayInside } from "../../../base/inside.ts";
import { walkNotes } from "../../../sources/memory/notes/list-notes.ts";
import type { MemoryRoot } from "../../../sources/memory/notes/roots.ts";
import { readBytes } from "../../../store/read-file.ts";
import type { Input, Outcome } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { withMemory } from "./with-memory.ts";

interface Exported {
  readonly copied: string[];
  /** Already in the destination, with the same text. */
  readonly same: string[];
  /** Already in the destination, with another text: not overwritten. */
  readonly different: string[];
  readonly failed: { readonly path: string; readonly message: string }[];
}

/** Copies notes with their folders. Existing files are not overwritten. */
export function exportNotes(input: Input): Promise<Outcome> {
  const [, given, ...rest] = input.positionals;
  if (given === undefined || rest.length > 0)
    throw new ContinuoError("usage", "FOLDER is missing", {
      hint: "usage: continuo memory export FOLDER",
    });
  const target = resolve(input.cwd, given);
  return withMemory(input, (memory) => {
    const roots = memory.roots.filter(({ name }) => name === undefined || input.values["all"] === true);
    for (const root of memory.roots) refuseInside(target, root);
    const done: Exported = { copied: [], same: [], different: [], failed: [] };
    for (const root of roots)
      copyAll(root, root.name === undefined ? target : join(target, `@${root.name}`), done);
    const problems = done.different.length + done.failed.length;
    return {
      data: { folder: target, ...done },
      text: [
        `${counted(done.copied.length, "note")} copied to ${oneLine(target)}${done.same.length === 0 ? "" : `; ${done.same.length} already there`}`,
        ...done.different.map((path) => `Not overwritten (its text differs): ${oneLine(path)}`),
        ...done.failed.map(({ path, message }) => `Not copied: ${oneLine(`${path} (${message})`)}`),
      ].join("\n"),
      exitCode: problems > 0 ? 1 : 0,
    };
  });
}

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

/** A copy inside a memory folder would itself be indexed, so that every note would appear twice. */
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
