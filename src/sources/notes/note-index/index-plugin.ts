import { basename } from "node:path";
import { slugify } from "../../../base/slug.ts";
import { grouped } from "../../../base/when.ts";
import { dropLeftovers, mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { passagesOf } from "../../../search/passages.ts";
import { addSegment, SEGMENT_SCHEMA, tombstone } from "../../../search/segment.ts";
import { MOST_WORDS, SegmentBuilder } from "../../../search/segment-builder.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../files/note.ts";
import { tellingProperties } from "../files/properties.ts";

/**
 * One part of the notes index: full text, graph or vectors. The sync adds each note to all plug-ins and removes it from
 * all of them in one transaction, so that no plug-in keeps what the files no longer contain.
 */
export interface IndexPlugin {
  readonly name: string;
  /** The tables of this plug-in. When any schema changes, the index is emptied and filled again. */
  readonly schema: string;
  /** Returns, in words for the user, what part of the note is not indexed because there is too much of it. */
  put(db: Database, id: number, note: Note): string | undefined;
  /** Called when a note was deleted, and before a changed note is added again. */
  remove(db: Database, id: number): void;
  /** For a plug-in that collects its changes: called at the end of every transaction to write them. */
  flush?(db: Database): void;
  /**
   * Called when no caller waits. Does one step that makes the plug-in smaller or faster, in its own transaction, and
   * returns whether there was one. `thoroughly`: also removes everything left of deleted notes, at any cost.
   */
  optimise?(db: Database, thoroughly: boolean): boolean;
  /** Called when a transaction failed: drops the collected changes. */
  rollback?(): void;
}

/**
 * The full text: an inverted index of terms. SQLite's FTS5 ranks with fixed constants and returns a row for each match;
 * here the postings of a term are read as a few blobs, and `search/rank.ts` does the ranking. The text of the notes is
 * not stored. The changes of a transaction are collected and written as one segment, with the vectors of their
 * passages.
 */
export function textPlugin(meaning: MeaningSource): IndexPlugin {
  let builder = new SegmentBuilder(meaning);
  let gone = new Set<number>();
  const reset = (): void => {
    builder = new SegmentBuilder(meaning);
    gone = new Set();
  };
  return {
    name: "text",
    schema: SEGMENT_SCHEMA,
    put(_db, id, note) {
      const [first = "", ...rest] = passagesOf(note.body);
      // Words in properties count like words in the text, not more, because they do not name the note.
      const texts = [
        [first, ...tellingProperties(note.properties).map(({ text }) => text)].join("\n"),
        ...rest,
      ];
      const indexed = builder.put(id, texts, note.title, namesIn(note), embeddedTexts(note));
      if (indexed === texts.length) return undefined;
      const kb = grouped(Math.round(texts.slice(0, indexed).join("").length / 1024));
      return `only its first ${kb} KB are in the index: it has more than ${grouped(MOST_WORDS)} different words`;
    },
    remove(_db, id) {
      builder.remove(id);
      gone.add(id);
    },
    flush(db) {
      const [now, removed] = [builder, gone];
      reset();
      tombstone(db, removed);
      const { list, ...passages } = now.passages();
      if (list.length > 0) addSegment(db, passages, (pages) => now.fill(list, pages));
      if (list.length + removed.size > 0) while (mergeSome(db, SMALL_MERGE));
    },
    optimise: (db, thoroughly) => mergeSome(db) || (thoroughly && dropLeftovers(db)),
    rollback: reset,
  };
}

/** The texts for a note's vectors, one per passage: with the title, which says what a passage is about. */
export function embeddedTexts({ title, body }: Pick<Note, "title" | "body">): string[] {
  return passagesOf(body).map((passage) => `${title}\n${passage}`);
}

/**
 * Dashes become spaces: otherwise each concept would also be indexed as one joined term, which its words find anyway.
 */
function namesIn({ title, path, concepts, tags, aliases }: Note): string {
  // A file's name may differ from its title. The words of the title itself already count.
  const titled = new Set(slugify(title).split("-"));
  const stem = slugify(basename(path).replace(/\.md$/i, "")).split("-");
  return [...concepts, ...tags, ...aliases, ...stem.filter((word) => !titled.has(word))]
    .join(" ")
    .replaceAll("-", " ");
}
