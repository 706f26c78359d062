import { dropLeftovers, mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { passagesOf } from "../../../search/passages.ts";
import { addSegment, disown, SEGMENT_SCHEMA } from "../../../search/segment.ts";
import { Gathering } from "../../../search/segment-builder.ts";
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

/**
 * Which terms occur where: an inverted index of our own. SQLite's FTS5 ranks by one formula with fixed constants and
 * hands over a row for each match; here the matches of a term come in a few blobs, and ranking is ours. The notes' text
 * is not in it. What a transaction puts and removes is gathered, and written as one segment.
 */
export function textShelf(): Shelf {
  let gathering = new Gathering();
  let gone = new Set<number>();
  const forget = (): void => {
    gathering = new Gathering();
    gone = new Set();
  };
  return {
    name: "text",
    schema: SEGMENT_SCHEMA,
    put: (_db, id, note) => gathering.put(id, passagesOf(note.body), note.title, namesIn(note)),
    remove(_db, id) {
      gathering.remove(id);
      gone.add(id);
    },
    settle(db) {
      const [now, removed] = [gathering, gone];
      forget();
      disown(db, removed);
      const { list, ...passages } = now.passages();
      if (list.length > 0) addSegment(db, passages, (pages) => now.fill(list, pages));
      if (list.length + removed.size > 0) while (mergeSome(db, SMALL_MERGE));
    },
    tidy: (db, thoroughly) => mergeSome(db) || (thoroughly && dropLeftovers(db)),
    abandon: forget,
  };
}

/** A concept's words stand apart here: joined, each concept would be a term of its own, which its words find as well. */
function namesIn({ concepts, tags }: Note): string {
  return [...concepts, ...tags].join(" ").replaceAll("-", " ");
}
