import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../notes/note.ts";

/**
 * One part of the memory index: full text, graph, vectors. The sync puts every note on every shelf and takes it off
 * again, each time in one transaction, so that no shelf can keep what the files no longer say.
 */
export interface Shelf {
  readonly name: string;
  /** The tables of this shelf. A change of them is a new version of the index, which is then built anew. */
  readonly schema: string;
  put(db: Database, id: number, note: Note): void;
  /** Called before a changed note is put again, and when it is gone. */
  remove(db: Database, id: number): void;
  /** For a shelf that gathers what it is given: called once at the end of every transaction, to write it all. */
  settle?(db: Database): void;
  /**
   * For when nobody waits: does one piece of what makes the shelf smaller and quicker, in a transaction of its own, and
   * says whether it did. `thoroughly`: leaves nothing of notes that are gone, however much must be written for it.
   */
  tidy?(db: Database, thoroughly: boolean): boolean;
  /** The transaction failed: what was gathered in it never happened. */
  abandon?(): void;
}
