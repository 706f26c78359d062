import { dropLeftovers, mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { passagesOf } from "../../../search/passages.ts";
import { addSegment, SEGMENT_SCHEMA, tombstone } from "../../../search/segment.ts";
import { SegmentBuilder } from "../../../search/segment-builder.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../notes/note.ts";

/**
 * One part of the memory index: full text, graph, vectors. The sync puts every note on every plugin and takes it off
 * again, each time in one transaction, so that no plugin can keep what the files no longer say.
 */
export interface IndexPlugin {
  readonly name: string;
  /** The tables of this plugin. A change of them is a new version of the index, which is then built anew. */
  readonly schema: string;
  put(db: Database, id: number, note: Note): void;
  /** Called before a changed note is put again, and when it is gone. */
  remove(db: Database, id: number): void;
  /** For a plugin that gathers what it is given: called once at the end of every transaction, to write it all. */
  flush?(db: Database): void;
  /**
   * For when nobody waits: does one piece of what makes the plugin smaller and quicker, in a transaction of its own, and
   * says whether it did. `thoroughly`: leaves nothing of notes that are gone, however much must be written for it.
   */
  optimise?(db: Database, thoroughly: boolean): boolean;
  /** The transaction failed: what was gathered in it never happened. */
  rollback?(): void;
}

/**
 * Which terms occur where: an inverted index of our own. SQLite's FTS5 ranks by one formula with fixed constants and
 * hands over a row for each match; here the matches of a term come in a few blobs, and ranking is ours. The notes' text
 * is not in it. What a transaction puts and removes is gathered, and written as one segment.
 */
export function textPlugin(): IndexPlugin {
  let builder = new SegmentBuilder();
  let gone = new Set<number>();
  const forget = (): void => {
    builder = new SegmentBuilder();
    gone = new Set();
  };
  return {
    name: "text",
    schema: SEGMENT_SCHEMA,
    put: (_db, id, note) => builder.put(id, passagesOf(note.body), note.title, namesIn(note)),
    remove(_db, id) {
      builder.remove(id);
      gone.add(id);
    },
    flush(db) {
      const [now, removed] = [builder, gone];
      forget();
      tombstone(db, removed);
      const { list, ...passages } = now.passages();
      if (list.length > 0) addSegment(db, passages, (pages) => now.fill(list, pages));
      if (list.length + removed.size > 0) while (mergeSome(db, SMALL_MERGE));
    },
    optimise: (db, thoroughly) => mergeSome(db) || (thoroughly && dropLeftovers(db)),
    rollback: forget,
  };
}

/** A concept's words stand apart here: joined, each concept would be a term of its own, which its words find as well. */
function namesIn({ concepts, tags }: Note): string {
  return [...concepts, ...tags].join(" ").replaceAll("-", " ");
}
