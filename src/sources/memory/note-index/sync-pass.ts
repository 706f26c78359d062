import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Note } from "../notes/note.ts";
import { applyNotes, folderId, type KnownNote } from "./apply.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { lookAt } from "./note-files.ts";
import type { Folder, SyncResult } from "./sync.ts";

/** Notes in one transaction: enough that merging has little to do, few enough to be held in memory. */
const BATCH = 1024;
const BYTES = 32 * 1024 * 1024;
/** While somebody waits: some ten milliseconds. */
const BATCH_IN_SLICE = 16;
const BYTES_IN_SLICE = 512 * 1024;
/** A folder read so soon after a change may change again without its time showing it. */
const UNSETTLED_MS = 2000;
/** Notes that every slice looks at first, besides those of changed folders: about a millisecond. */
const NEWEST = 100;

/** Notes that are fetched at once when a folder is only looked at. */
const PART = 256;

/** Whoever else lives in this process has a yieldToEventLoop. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What one sync has found, and not yet written down. */
export class SyncPass {
  hasLooked = false;
  private readonly index: MemoryIndex;
  private readonly result: SyncResult;
  private readonly batch: number;
  private readonly mostBytes: number;
  private bytes = 0;
  private readonly progress: () => void;
  private toRead: string[] = [];
  private gone: string[] = [];
  private listed: Folder[] = [];
  /** By folder: the last note looked at, 0 after all of them. */
  private looked = new Map<string, number>();

  constructor(index: MemoryIndex, result: SyncResult, isSlice: boolean, progress: () => void) {
    this.index = index;
    this.result = result;
    this.batch = isSlice ? BATCH_IN_SLICE : BATCH;
    this.mostBytes = isSlice ? BYTES_IN_SLICE : BYTES;
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
      // Written down at once: this folder may be done with, and not be read again, before that one's yieldToEventLoop comes.
      folderId(db, inside);
      found.push({ path: inside, modified: now.mtimeMs, looked: 0 });
    }
    const notes = this.known(folder);
    const known = new Set(notes.map(({ name }) => name));
    const present = new Set(names);
    for (const name of known) if (!present.has(name)) this.gone.push(join(path, name));
    for (const name of names) {
      if (!known.has(name) && !(await this.add(join(path, name), isOver))) return false;
    }
    this.hasLooked = true;
    this.listed.push(folder);
    return this.lookAt(
      folder,
      notes.filter(({ name }) => present.has(name)),
      isOver,
    );
  }

  /** Looks at the files known in a folder that has no new and no missing ones. False when stopped before its end. */
  look(folder: Folder, isOver: () => boolean): Promise<boolean> {
    return this.lookAt(folder, this.knownInParts(folder), isOver);
  }

  private async lookAt(folder: Folder, notes: Iterable<KnownNote>, isOver: () => boolean): Promise<boolean> {
    const path = join(this.index.files.root, folder.path);
    for (const note of notes) {
      if (note.id <= folder.looked) continue;
      if (isOver()) return false;
      this.looked.set(folder.path, note.id);
      await this.compare(join(path, note.name), note);
    }
    this.looked.set(folder.path, 0);
    this.hasLooked = true;
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
      if (isOver()) break;
      await this.compare(join(files.root, note.path, note.name), note);
    }
    await this.flush(); // its folder may be looked at next: it is not to be read twice
  }

  /** Applies what was found so far, in one transaction; at the end also how far this round has come. */
  async flush(round?: number): Promise<void> {
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
    if (round !== undefined && this.listed.length + this.looked.size > 0) this.writeDown(round);
    this.progress();
    await yieldToEventLoop();
  }

  private writeDown(round: number): void {
    const { db } = this.index;
    const now = Date.now();
    db.tx(() => {
      for (const [path, looked] of this.looked) {
        const done = looked === 0 ? round : round - 1;
        db.run("UPDATE folder SET looked = ?, round = ? WHERE id = ?", [looked, done, folderId(db, path)]);
      }
      for (const { path, modified } of this.listed) {
        if (modified < 0) {
          db.run("DELETE FROM folder WHERE path = ? AND id NOT IN (SELECT folder FROM note)", [path]);
          continue;
        }
        const isSettled = now - modified > UNSETTLED_MS && this.result.unreadable.length === 0;
        db.run("UPDATE folder SET modified = ? WHERE path = ?", [isSettled ? modified : 0, path]);
      }
    });
  }

  private known({ path }: Folder, after = 0, most = -1): KnownNote[] {
    return this.index.db.all<KnownNote>(
      `SELECT note.id, name, size, note.modified, is_settled FROM note
       JOIN folder ON folder.id = note.folder WHERE folder.path = ? AND note.id > ? ORDER BY note.id LIMIT ?`,
      [path, after, most],
    );
  }

  /** From where the round stopped: a slice gets no further than some hundred of the thousands that a folder may have. */
  private *knownInParts(folder: Folder): Generator<KnownNote> {
    let after = folder.looked;
    for (;;) {
      const notes = this.known(folder, after, PART);
      yield* notes;
      if (notes.length < PART) return;
      after = notes.at(-1)?.id ?? after;
    }
  }

  private async compare(path: string, note: KnownNote): Promise<void> {
    const stats = lookAt(path);
    this.hasLooked = true;
    if (stats === "gone") this.gone.push(path);
    else if (stats === "closed") this.result.unreadable.push(path);
    else if (stats.mtimeMs !== note.modified || stats.size !== note.size || note.is_settled === 0)
      await this.add(path, () => false, stats.size);
  }

  private async add(path: string, isOver: () => boolean, size = sizeOf(path)): Promise<boolean> {
    this.toRead.push(path);
    this.bytes += size;
    this.hasLooked = true;
    if (this.toRead.length >= this.batch || this.bytes >= this.mostBytes) await this.flush();
    return !isOver();
  }
}

function sizeOf(path: string): number {
  const stats = lookAt(path);
  return typeof stats === "string" ? 0 : stats.size;
}
