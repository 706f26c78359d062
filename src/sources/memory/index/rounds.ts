import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../../store/sqlite/types.ts";
import type { MemoryIndex } from "./memory-index.ts";

/**
 * A folder's time tells of notes made, moved, deleted or replaced, not of those changed in place: to see these, every
 * file must be looked at. A round is one look at all of them, in one sync or in as many slices as it takes.
 */
export interface Folder {
  readonly path: string;
  /** Of the folder as it is now; below 0 when it is gone. */
  readonly modified: number;
  readonly looked: number;
}

interface Row extends Folder {
  readonly round: number;
}

const numberOf = (db: Database): number =>
  db.get<{ number: number }>("SELECT number FROM round")?.number ?? 0;

/** The number of the round that is under way; of a new one when it is over, or when a new one is wanted. */
export function beginRound(db: Database, isNew: boolean): number {
  const current = numberOf(db);
  if (!isNew && !isRoundOver(db, current)) return current;
  return db.tx(() => {
    db.run("UPDATE round SET number = number + 1");
    if (isNew) db.run("UPDATE folder SET looked = 0 WHERE looked > 0");
    return numberOf(db);
  });
}

export function isRoundOver(db: Database, round: number): boolean {
  return db.get("SELECT 1 FROM folder WHERE round < ? LIMIT 1", [round]) === undefined;
}

/** The folders known, and the root: those that changed since they were read, and those not looked at in this round. */
export function foldersOf({ db, files }: MemoryIndex, round: number): { changed: Folder[]; quiet: Folder[] } {
  const rows = db.all<Row>("SELECT path, modified, round, looked FROM folder ORDER BY looked = 0, round");
  if (!rows.some(({ path }) => path === "")) rows.push({ path: "", modified: 0, round: 0, looked: 0 });
  const changed: Folder[] = [];
  const quiet: Folder[] = [];
  for (const { path, modified: known, round: last, looked } of rows) {
    const modified = statSync(join(files.root, path), { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (modified !== known) changed.push({ path, modified, looked });
    else if (last < round) quiet.push({ path, modified, looked });
  }
  return { changed, quiet };
}
