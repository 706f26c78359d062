import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../notes/note.ts";
import { passagesOf } from "../search/passages.ts";
import { eachTerm } from "../search/words.ts";
import { mergeSegments } from "./merge.ts";
import { COUNT, IN_NAMES, IN_TITLE, listsOf, type Occurrence, PostingsWriter } from "./postings.ts";
import { addLists, addSegment, emptySlots, SEGMENT_SCHEMA } from "./segment.ts";
import type { Shelf } from "./shelf.ts";

/**
 * Which terms occur where: an inverted index of our own. SQLite's FTS5 ranks by one formula with fixed constants and
 * hands over a row for each match; here the matches of a term come in a few blobs, and ranking is ours. The notes' text
 * is not in it. What a transaction puts and removes is gathered, and written as one segment.
 */
export function textShelf(): Shelf {
  let gathered = new Map<number, Reading | undefined>();
  return {
    name: "text",
    schema: SEGMENT_SCHEMA,
    put: (_db, id, note) => void gathered.set(id, readTerms(note)),
    remove: (_db, id) => void gathered.set(id, undefined),
    settle(db) {
      const changes = gathered;
      gathered = new Map();
      if (changes.size > 0) write(db, changes);
    },
    abandon() {
      gathered = new Map();
    },
  };
}

interface Reading {
  readonly occurrences: ReadonlyMap<string, readonly Occurrence[]>;
  readonly lengths: readonly number[];
}

function readTerms(note: Note): Reading {
  const occurrences = new Map<string, { passage: number; flags: number }[]>();
  const see = (term: string, passage: number, add: (flags: number) => number): void => {
    const list = occurrences.get(term);
    const last = list?.at(-1);
    if (list === undefined) occurrences.set(term, [{ passage, flags: add(0) }]);
    else if (last?.passage === passage) last.flags = add(last.flags);
    else list.push({ passage, flags: add(0) });
  };
  eachTerm(note.title, (term) => see(term, 0, (flags) => flags | IN_TITLE));
  // A concept's words stand apart here: joined, each concept would be a term of its own, which its words find as well.
  const names = [...note.concepts, ...note.tags].join(" ").replaceAll("-", " ");
  eachTerm(names, (term) => see(term, 0, (flags) => flags | IN_NAMES));
  const lengths = passagesOf(note.body).map((text, passage) => {
    let length = 0;
    eachTerm(text, (term) => {
      length++;
      see(term, passage, (flags) => ((flags & COUNT) < COUNT ? flags + 1 : flags));
    });
    return length;
  });
  return { occurrences, lengths };
}

function write(db: Database, notes: ReadonlyMap<number, Reading | undefined>): void {
  emptySlots(db, notes.keys());
  const put = [...notes].flatMap(([note, reading]) => (reading === undefined ? [] : [{ note, ...reading }]));
  if (put.length > 0) {
    const segment = addSegment(db, put);
    const terms = new Map<string, PostingsWriter>();
    for (const [slot, { occurrences }] of put.entries()) {
      for (const [term, list] of occurrences) {
        const writer = terms.get(term) ?? new PostingsWriter();
        writer.add(slot, list);
        terms.set(term, writer);
      }
    }
    addLists(db, segment, listsOf(terms));
  }
  mergeSegments(db);
}
