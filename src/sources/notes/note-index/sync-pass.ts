import { join, sep } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Note } from "../files/note.ts";
import { applyNotes, folderId, type KnownNote } from "./apply.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { fileState } from "./note-files.ts";
import type { Folder, SyncResult } from "./sync.ts";

/** Notes per transaction: enough to make merging rare, few enough to fit in memory. */
const BATCH = 1024;
const BYTES = 32 * 1024 * 1024;
/** While a caller waits: takes about ten milliseconds. */
const BATCH_IN_SLICE = 16;
const BYTES_IN_SLICE = 128 * 1024;
/** A folder read this soon after a change may change again without a new time. */
const UNSETTLED_MS = 2000;
/** Rows read at a time when an unchanged folder is checked. */
const PART = 256;

/** Lets other work in this process run. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface PassOptions {
  readonly isSlice: boolean;
  /** Larger notes are left for later. */
  readonly largest: number | undefined;
  readonly progress: () => void;
}

/** One sync: what it has found, and what it has not written yet. */
export class SyncPass {
  hasProgressed = false;
  private readonly index: MemoryIndex;
  private readonly result: SyncResult;
  private readonly batch: number;
  private readonly maxBytes: number;
  private readonly largest: number;
  private bytes = 0;
  private readonly progress: () => void;
  private toRead: string[] = [];
  private gone: string[] = [];
  private readonly large: { readonly path: string; readonly size: number }[] = [];
  private listedFolders: Folder[] = [];
  /** The last checked note of each folder; 0 if all were checked. */
  private checkedUpTo = new Map<string, number>();

  constructor(index: MemoryIndex, result: SyncResult, { isSlice, largest, progress }: PassOptions) {
    this.index = index;
    this.result = result;
    this.batch = isSlice ? BATCH_IN_SLICE : BATCH;
    this.maxBytes = isSlice ? BYTES_IN_SLICE : BYTES;
    this.largest = largest ?? Number.POSITIVE_INFINITY;
    this.progress = progress;
  }

  /** Compares a changed folder with the index. Returns false if stopped before the end. */
  async syncFolder(folder: Folder, found: Folder[], isOver: () => boolean): Promise<boolean> {
    const { files, db } = this.index;
    const path = join(files.root, folder.path);
    const names: string[] = [];
    for (const entry of files.entries(path)) {
      if (!entry.isDirectory()) {
        if (files.isNote(entry.name)) names.push(entry.name);
        continue;
      }
      const inside = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
      // An indexed folder is processed separately.
      if (db.get("SELECT 1 FROM folder WHERE path = ?", [inside]) !== undefined) continue;
      const now = fileState(join(path, entry.name));
      if (typeof now === "string") continue;
      // Stored at once: this folder may be completed, and not be read again, before the subfolder is read.
      folderId(db, inside);
      found.push({ path: inside, modified: now.mtimeMs, checkedUpTo: 0 });
    }
    const notes = this.known(folder);
    const known = new Set(notes.map(({ name }) => name));
    const present = new Set(names);
    for (const name of known) if (!present.has(name)) this.gone.push(join(path, name));
    for (const name of names) {
      if (!known.has(name) && !(await this.add(join(path, name), isOver))) return false;
    }
    this.hasProgressed = true;
    this.listedFolders.push(folder);
    return this.checkNotes(
      folder,
      notes.filter(({ name }) => present.has(name)),
      isOver,
    );
  }

  /** Checks the indexed files of an unchanged folder. Returns false if stopped before the end. */
  checkFolder(folder: Folder, isOver: () => boolean): Promise<boolean> {
    return this.checkNotes(folder, this.knownInParts(folder), isOver);
  }

  private async checkNotes(
    folder: Folder,
    notes: Iterable<KnownNote>,
    isOver: () => boolean,
  ): Promise<boolean> {
    // Not `join`, which for some hundred names would take as long as checking the files.
    const path = join(this.index.files.root, folder.path) + sep;
    let checked = 0;
    for (const note of notes) {
      if (note.id <= folder.checkedUpTo) continue;
      if (isOver()) return false;
      if (++checked % PART === 0) await yieldToEventLoop();
      this.checkedUpTo.set(folder.path, note.id);
      const reading = this.compare(path + note.name, note);
      if (reading !== undefined) await reading;
    }
    this.checkedUpTo.set(folder.path, 0);
    this.hasProgressed = true;
    return true;
  }

  /** Recently written notes are likely to change again. Returns whether these were all notes. */
  async checkNewest(most: number, isOver: () => boolean): Promise<boolean> {
    const { db, files } = this.index;
    const notes = db.all<KnownNote & { readonly path: string }>(
      `SELECT note.id, name, size, note.modified, is_settled, folder.path FROM note
       JOIN folder ON folder.id = note.folder ORDER BY note.modified DESC LIMIT ?`,
      [most],
    );
    let checked = 0;
    const root = join(files.root, sep);
    for (const note of notes) {
      if (isOver()) break;
      checked++;
      const inside = note.path === "" ? "" : `${note.path}/`;
      const reading = this.compare(root + inside + note.name, note);
      if (reading !== undefined) await reading;
    }
    await this.flush(); // its folder may be checked next, and the note must not be read twice
    return checked === notes.length && checked < most;
  }

  /**
   * The end of the sync: first the large notes, each in its own transaction, so that earlier work survives if the
   * process is killed during one. Then the progress of the scan is stored; if any note is left, the next sync checks
   * the same folders again.
   */
  async finish(scan: number, isOver: () => boolean): Promise<void> {
    await this.flush();
    const { put, same } = this.result;
    for (const { path, size } of this.large) {
      const isFirst = put + same === 0 && this.result.put + this.result.same === 0;
      if (size > this.largest || (isOver() && !isFirst)) {
        this.result.left++;
        continue;
      }
      this.toRead.push(path);
      await this.flush();
    }
    if (this.result.left === 0 && this.listedFolders.length + this.checkedUpTo.size > 0)
      this.storeProgress(scan);
  }

  /** Writes what was found so far in one transaction. */
  async flush(): Promise<void> {
    const { toRead, gone } = this;
    this.toRead = [];
    this.gone = [];
    this.bytes = 0;
    const notes: Note[] = [];
    for (const path of toRead) {
      try {
        const note = await this.index.files.read(path);
        if (note === undefined) gone.push(path);
        else notes.push(note);
      } catch (error) {
        if (!(error instanceof ContinuoError)) throw error;
        this.result.unreadable.push(path);
      }
    }
    if (notes.length + gone.length > 0) {
      const applied = applyNotes(this.index, notes, gone);
      this.result.put += applied.put;
      this.result.removed += applied.removed;
      this.result.same += applied.same;
    }
    this.progress();
    await yieldToEventLoop();
  }

  private storeProgress(scan: number): void {
    const { db } = this.index;
    const now = Date.now();
    db.tx(() => {
      for (const [path, note] of this.checkedUpTo) {
        const done = note === 0 ? scan : scan - 1;
        db.run("UPDATE folder SET looked = ?, round = ? WHERE id = ?", [note, done, folderId(db, path)]);
      }
      for (const { path, modified } of this.listedFolders) {
        if (modified < 0) {
          db.run("DELETE FROM folder WHERE path = ? AND id NOT IN (SELECT folder FROM note)", [path]);
          continue;
        }
        const isSettled = now - modified > UNSETTLED_MS && this.result.unreadable.length === 0;
        db.run("UPDATE folder SET modified = ? WHERE path = ?", [isSettled ? modified : 0, path]);
      }
    });
  }

  private known({ path }: Folder, after = 0, limit = -1): KnownNote[] {
    return this.index.db.all<KnownNote>(
      `SELECT note.id, name, size, note.modified, is_settled FROM note
       JOIN folder ON folder.id = note.folder WHERE folder.path = ? AND note.id > ? ORDER BY note.id LIMIT ?`,
      [path, after, limit],
    );
  }

  /**
   * Continues where the scan stopped, in parts: a slice checks only some hundreds of the thousands of notes in a
   * folder.
   */
  private *knownInParts(folder: Folder): Generator<KnownNote> {
    let after = folder.checkedUpTo;
    for (;;) {
      const notes = this.known(folder, after, PART);
      yield* notes;
      if (notes.length < PART) return;
      after = notes.at(-1)?.id ?? after;
    }
  }

  /**
   * Returns a promise only if the note must be read, because awaiting one per note would take half as long as checking
   * it.
   */
  private compare(path: string, note: KnownNote): Promise<unknown> | undefined {
    const stats = fileState(path);
    this.hasProgressed = true;
    if (stats === "missing") this.gone.push(path);
    else if (stats === "unreadable") this.result.unreadable.push(path);
    else if (stats.mtimeMs !== note.modified || stats.size !== note.size || note.is_settled === 0)
      return this.add(path, () => false, stats.size);
    return undefined;
  }

  private async add(path: string, isOver: () => boolean, size = sizeOf(path)): Promise<boolean> {
    this.hasProgressed = true;
    if (size > this.maxBytes) {
      this.large.push({ path, size });
      return !isOver();
    }
    if (this.bytes + size > this.maxBytes) await this.flush();
    this.toRead.push(path);
    this.bytes += size;
    if (this.toRead.length >= this.batch || this.bytes >= this.maxBytes) await this.flush();
    return !isOver();
  }
}

function sizeOf(path: string): number {
  const stats = fileState(path);
  return typeof stats === "string" ? 0 : stats.size;
}
