import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ContinuoError, systemCode } from "../base/errors.ts";
import { wayInside } from "../base/inside.ts";
import { isRecord } from "../base/json.ts";
import { ensureFolder, namesIn } from "./folder.ts";
import type { Home } from "./home.ts";
import { readTextIfAny } from "./read-file.ts";
import { realPath } from "./real-path.ts";
import { writeFileAtomic } from "./write-file.ts";

/** A file that the user deleted and can restore. */
export interface Trashed {
  /** Unique: two deleted notes of the same name are two entries. */
  readonly id: string;
  /** `edit`: a copy of a note from before an edit. */
  readonly kind: (typeof KINDS)[number];
  /** The name to show. */
  readonly name: string;
  /** The file's original path. */
  readonly path: string;
  /** The file is restored only inside this folder. */
  readonly within: string;
  readonly at: number;
  /** The file's path in the trash. */
  readonly file: string;
  /** For an edit: the checksum of the text after the edit. Restoring replaces only that text. */
  readonly after?: string;
}

const KINDS = ["note", "rule", "edit"] as const;

const ABOUT = "about.json";
const MAX_ABOUT = 64 * 1024;
const ID = /^[a-z0-9]{6}$/;

/** Moves a file into the trash. If that fails, the file stays where it was. */
export function moveToTrash(home: Home, what: Entry): Trashed {
  const trashed = newEntry(home, what);
  try {
    moveFile(what.path, trashed.file);
  } catch (error) {
    // Only if the file is still there: a copy that exists nowhere else is kept.
    if (existsSync(what.path)) removeFromTrash(home, trashed.id);
    throw error;
  }
  return trashed;
}

/** How many copies of edits are kept. */
const MAX_EDITS = 20;

/** Keeps a copy of a file from before an edit. */
export function keepBeforeEdit(home: Home, what: Entry, bytes: Uint8Array): Trashed {
  const trashed = newEntry(home, what);
  writeFileAtomic(trashed.file, bytes);
  const edits = readTrash(home).filter(({ kind }) => kind === "edit");
  for (const { id } of edits.slice(MAX_EDITS)) removeFromTrash(home, id);
  return trashed;
}

type Entry = Omit<Trashed, "id" | "file">;

function newEntry(home: Home, what: Entry): Trashed {
  const folder = newFolder(home);
  writeFileAtomic(join(folder, ABOUT), `${JSON.stringify({ version: 1, ...what }, undefined, 2)}\n`);
  return { ...what, id: basename(folder), file: join(folder, basename(what.path)) };
}

/** Everything in the trash, newest first. Damaged entries are left out, but not deleted. */
export function readTrash(home: Home): Trashed[] {
  return namesIn(home.trash)
    .filter((id) => ID.test(id))
    .flatMap((id) => readEntry(home, id) ?? [])
    .sort((a, b) => b.at - a.at);
}

/** Restores a file to its original path. Never replaces another file. */
export function putBack(home: Home, { path, within, file, id }: Trashed): void {
  if (!existsSync(within))
    throw new ContinuoError("folder-missing", `${within} no longer exists`, {
      hint: `the deleted file is ${file}`,
    });
  // Checked before anything is created: a folder of the project may have become a link meanwhile.
  if (wayInside(realPath(within), realPath(dirname(path))) === undefined)
    throw new ContinuoError("outside-root", `${dirname(path)} leads out of ${within}`, {
      hint: `the deleted file is ${file}`,
    });
  ensureFolder(dirname(path));
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined || !linkOrCopy(file, path))
    throw new ContinuoError("exists", `${path} already exists`, {
      hint: `move or delete that file first; the deleted file is ${file}`,
    });
  removeFromTrash(home, id);
}

/** Deletes an entry permanently. */
export function removeFromTrash(home: Home, id: string): void {
  if (ID.test(id)) rmSync(join(home.trash, id), { recursive: true, force: true });
}

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** Creates a new folder, which only one process can do. */
function newFolder(home: Home): string {
  ensureFolder(home.trash);
  for (;;) {
    const bytes = crypto.getRandomValues(new Uint8Array(6));
    const folder = join(home.trash, [...bytes].map((one) => LETTERS[one % LETTERS.length]).join(""));
    try {
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
  }
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== "EXDEV") throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL); // the trash is on another disk
    unlinkSync(from);
  }
}

/** Neither call replaces an existing file. */
function linkOrCopy(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL); // another disk, or one without hard links
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

function readEntry(home: Home, id: string): Trashed | undefined {
  try {
    const text = readTextIfAny(join(home.trash, id, ABOUT), { maxBytes: MAX_ABOUT });
    const about: unknown = JSON.parse(text ?? "null");
    if (!isRecord(about)) return undefined;
    const { name, path, within, at, after } = about;
    const kind = KINDS.find((one) => one === about["kind"]);
    if (kind === undefined || (kind === "edit") !== (typeof after === "string")) return undefined;
    if (typeof name !== "string" || typeof path !== "string" || typeof within !== "string") return undefined;
    if (typeof at !== "number" || !isAbsolute(path) || !wayInside(within, path)) return undefined;
    const file = join(home.trash, id, basename(path));
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
    return { id, kind, name, path, within, at, file, ...(typeof after === "string" && { after }) };
  } catch {
    return undefined; // unreadable or not JSON: the folder stays, so the file can still be recovered by hand
  }
}
