import { join } from "node:path";
import { ContinuoError } from "../../../moments/errors.ts";
import type { Note } from "../notes/note.ts";
import { type Applied, applyNotes, folderId, type KnownNote } from "./apply.ts";
import { lookAt } from "./look.ts";
import type { MemoryIndex } from "./memory-index.ts";

/** Notes in one transaction: enough for each blob of the text shelf to be written few times, short enough to wait for. */
const BATCH = 512;
/** Notes that every slice looks at first, besides those of changed folders: about a millisecond. */
const NEWEST = 100;
/** Notes that take about a millisecond of a slice: a batch must not outlast it by much. */
const NOTES_PER_MS = 0.5;
/** A folder read so soon after a change may change again without its time showing it. */
const UNSETTLED_MS = 2000;

export interface SyncOptions {
  readonly signal?: AbortSignal;
  /** Stop soon after this time, to be continued by the next sync: a hook has little. */
  readonly sliceMs?: number;
  onProgress?(result: Readonly<SyncResult>): void;
}

export interface SyncResult extends Applied {
  /** Whether every file was looked at; else the next sync goes on. */
  isComplete: boolean;
  /** Files that could not be read; what is indexed of them stays. */
  unreadable: string[];
}

interface Folder {
  readonly path: string;
  readonly modified: number;
}

/**
 * Brings the index to what the files say. Folders whose time changed come first (notes made, moved, deleted, saved by
 * editors that replace the file), then the newest notes, then the files of the other folders, those not looked at for
 * longest first (notes changed in place). May run in several processes at once and be stopped at any point: what is applied stays applied.
 */
export async function syncIndex(index: MemoryIndex, options: SyncOptions = {}): Promise<SyncResult> {
  const result: SyncResult = { put: 0, removed: 0, same: 0, isComplete: true, unreadable: [] };
  const deadline = Date.now() + (options.sliceMs ?? Number.POSITIVE_INFINITY);
  const batch = Math.ceil(Math.min(BATCH, (options.sliceMs ?? BATCH / NOTES_PER_MS) * NOTES_PER_MS));
  const sweep = new Sweep(index, result, batch, () => options.onProgress?.(result));
  // Every slice does something, however short it is.
  const isOver = (): boolean =>
    options.signal?.aborted === true || (Date.now() > deadline && sweep.hasLooked);
  const { changed, quiet } = foldersOf(index);
  for (let folder = changed.pop(); folder !== undefined; folder = changed.pop()) {
    if (!(await sweep.list(folder, changed, isOver))) break;
  }
  if (options.sliceMs !== undefined && !isOver()) await sweep.lookAtNewest(isOver);
  for (const folder of quiet) {
    if (isOver() || !(await sweep.look(folder, isOver))) break;
  }
  await sweep.flush();
  result.isComplete = !isOver();
  if (result.isComplete && options.sliceMs === undefined) shrink(index);
  return result;
}

/** Merging leaves free pages behind. Later notes fill them; after a first index there are too many for that. */
function shrink({ db }: MemoryIndex): void {
  const pages = db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  const free = db.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
  if (free < 250 || free * 10 < pages) return;
  try {
    db.exec("VACUUM");
  } catch (error) {
    // Somebody else is at work: the next sync tries again.
    if (!(error instanceof ContinuoError) || error.code !== "index-busy") throw error;
  }
}

/** The folders known, and the root: those that changed since they were read, and the others, longest unseen first. */
function foldersOf(index: MemoryIndex): { changed: Folder[]; quiet: Folder[] } {
  const rows = index.db.all<Folder>("SELECT path, modified FROM folder ORDER BY swept");
  if (!rows.some(({ path }) => path === "")) rows.push({ path: "", modified: 0 });
  const changed: Folder[] = [];
  const quiet: Folder[] = [];
  for (const row of rows) {
    const now = lookAt(join(index.files.root, row.path));
    if (now === "closed") continue;
    const modified = now === "gone" ? -1 : now.mtimeMs;
    if (modified !== row.modified) changed.push({ path: row.path, modified });
    else quiet.push(row);
  }
  return { changed, quiet };
}

class Sweep {
  hasLooked = false;
  private readonly index: MemoryIndex;
  private readonly result: SyncResult;
  private readonly batch: number;
  private readonly progress: () => void;
  private toRead: string[] = [];
  private gone: string[] = [];
  private finished: Folder[] = [];

  constructor(index: MemoryIndex, result: SyncResult, batch: number, progress: () => void) {
    this.index = index;
    this.result = result;
    this.batch = batch;
    this.progress = progress;
  }

  /** Compares a folder with what is known of it. False when stopped before its end. */
  async list(folder: Folder, found: Folder[], isOver: () => boolean): Promise<boolean> {
    const { files, db } = this.index;
    const path = join(files.root, folder.path);
    const names: string[] = [];
    for (const entry of files.entries(path)) {
      if (!entry.isDirectory()) {
        if (files.isNote(entry.name)) names.push(entry.name);
        continue;
      }
      const inside = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      // A known one is in the list already, or quiet.
      if (db.get("SELECT 1 FROM folder WHERE path = ?", [inside]) !== undefined) continue;
      const now = lookAt(join(path, entry.name));
      if (typeof now === "string") continue;
      // Written down at once: this folder may be done with, and not be read again, before that one's turn comes.
      folderId(db, inside);
      found.push({ path: inside, modified: now.mtimeMs });
    }
    const known = new Map(this.known(folder).map((note) => [note.name, note]));
    const present = new Set(names);
    for (const name of known.keys()) if (!present.has(name)) this.gone.push(join(path, name));
    for (const name of names) {
      if (known.has(name)) continue;
      if (!(await this.add(join(path, name), isOver))) return false;
    }
    for (const note of known.values()) {
      if (present.has(note.name) && !(await this.compare(path, note, isOver))) return false;
    }
    this.hasLooked = true;
    this.finished.push(folder);
    return true;
  }

  /** Looks at the files known in a folder that has no new and no missing ones. False when stopped before its end. */
  async look(folder: Folder, isOver: () => boolean): Promise<boolean> {
    const notes = this.known(folder);
    // Anywhere, so that a folder too large for one slice is all seen in time.
    const start = Math.floor(Math.random() * notes.length);
    this.index.db.run("UPDATE folder SET swept = ? WHERE path = ?", [Date.now(), folder.path]);
    const path = join(this.index.files.root, folder.path);
    for (const note of [...notes.slice(start), ...notes.slice(0, start)]) {
      if (!(await this.compare(path, note, isOver))) return false;
    }
    return true;
  }

  /** What was written lately is what is written again: a slice too short for all files has seen these. */
  async lookAtNewest(isOver: () => boolean): Promise<void> {
    const { db, files } = this.index;
    const notes = db.all<KnownNote & { readonly path: string }>(
      `SELECT note.id, name, size, note.modified, is_settled, folder.path FROM note
       JOIN folder ON folder.id = note.folder ORDER BY note.modified DESC LIMIT ${NEWEST}`,
    );
    for (const note of notes) {
      if (!(await this.compare(join(files.root, note.path), note, isOver))) break;
    }
    await this.flush(); // its folder may be looked at next: it is not to be read twice
  }

  /** Applies what was found so far, in one transaction. */
  async flush(): Promise<void> {
    const { db, files } = this.index;
    const { toRead, gone, finished } = this;
    this.toRead = [];
    this.gone = [];
    this.finished = [];
    const failed = new Set<string>();
    const notes: Note[] = [];
    for (const path of toRead) {
      try {
        const note = await files.read(path);
        if (note === undefined) gone.push(path);
        else notes.push(note);
      } catch (error) {
        if (!(error instanceof ContinuoError)) throw error;
        failed.add(path);
      }
    }
    this.result.unreadable.push(...failed);
    if (notes.length + gone.length > 0) {
      const applied = applyNotes(this.index, notes, gone);
      this.result.put += applied.put;
      this.result.removed += applied.removed;
      this.result.same += applied.same;
    }
    if (finished.length > 0) db.tx(() => this.finish(finished));
    this.progress();
    // Whoever else lives in this process has a turn.
    await new Promise((resolve) => setImmediate(resolve));
  }

  private finish(folders: readonly Folder[]): void {
    const { db } = this.index;
    const now = Date.now();
    for (const { path, modified } of folders) {
      if (modified < 0) {
        db.run("DELETE FROM folder WHERE path = ? AND id NOT IN (SELECT folder FROM note)", [path]);
        continue;
      }
      const settled = now - modified > UNSETTLED_MS && this.result.unreadable.length === 0;
      db.run("UPDATE folder SET modified = ?, swept = ? WHERE id = ?", [
        settled ? modified : 0,
        now,
        folderId(db, path),
      ]);
    }
  }

  private known({ path }: Folder): KnownNote[] {
    return this.index.db.all<KnownNote>(
      `SELECT note.id, name, size, note.modified, is_settled FROM note
       JOIN folder ON folder.id = note.folder WHERE folder.path = ?`,
      [path],
    );
  }

  private async compare(folder: string, note: KnownNote, isOver: () => boolean): Promise<boolean> {
    const path = join(folder, note.name);
    const stats = lookAt(path);
    this.hasLooked = true;
    if (stats === "gone") this.gone.push(path);
    else if (stats === "closed") this.result.unreadable.push(path);
    else if (stats.mtimeMs !== note.modified || stats.size !== note.size || note.is_settled === 0)
      return this.add(path, isOver);
    return !isOver();
  }

  private async add(path: string, isOver: () => boolean): Promise<boolean> {
    this.toRead.push(path);
    this.hasLooked = true;
    if (this.toRead.length >= this.batch) await this.flush();
    return !isOver();
  }
}
