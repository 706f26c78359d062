import { join } from "node:path";
import { eachOccurrence } from "../../../../src/search/postings.ts";
import { allSegments, termsIn } from "../../../../src/search/segment.ts";
import type { TextMeaning } from "../../../../src/search/vectors/embed-texts.ts";
import type { IndexPlugin } from "../../../../src/sources/notes/note-index/index-plugin.ts";
import { type MemoryIndex, openMemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../../../src/sources/notes/note-index/note-files.ts";
import { storedVectors } from "../../../search/vectors/stored.ts";
import { wordMeaning } from "../../../search/vectors/word-meaning.ts";

/** A second, very simple plug-in: it shows that every plug-in is updated, not only the text. */
export const titlePlugin = (): IndexPlugin => ({
  name: "titles",
  schema: "CREATE TABLE title_shelf (note INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)",
  put: (db, id, note) => void db.run("INSERT INTO title_shelf VALUES (?, ?, ?)", [id, note.title, note.body]),
  remove: (db, id) => void db.run("DELETE FROM title_shelf WHERE note = ?", [id]),
});

export function openFor(
  root: string,
  file: string,
  meaning: TextMeaning | "none" = wordMeaning(),
): MemoryIndex {
  const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
  const source = () => (meaning === "none" ? undefined : meaning);
  return openMemoryIndex(file, files, { plugins: [titlePlugin()], meaning: source });
}

export const indexFile = (folder: string): string => join(folder, "memory.db");

/** The whole content of an index, with notes by address and terms by text: two indexes of one root must be equal. */
export function contentOf({ db }: MemoryIndex): unknown {
  const notes = db.all<{ id: number; uri: string }>(
    "SELECT note.id, uri, title, tags, project, created, size, note.modified, checksum, name, folder.path AS folder FROM note JOIN folder ON folder.id = note.folder ORDER BY uri",
  );
  const uris = new Map(notes.map(({ id, uri }) => [id, uri]));
  const uriOf = (id: number): string => uris.get(id) ?? `unknown note ${id}`;
  const segments = allSegments(db);
  const occurrences: string[] = [];
  for (const { id, notes } of segments) {
    for (const terms = termsIn(db, id); terms.term !== undefined; terms.next()) {
      const term = Buffer.from(terms.term).toString();
      eachOccurrence(terms.list, (passage, flags) => {
        const note = notes[passage] ?? -1;
        // The first of the note's passages is its passage 0.
        if (note !== 0) occurrences.push(`${term} ${uriOf(note)} ${passage - notes.indexOf(note)} ${flags}`);
      });
    }
  }
  const lengths = segments.flatMap(({ notes, lengths }) =>
    [...new Set(notes)].flatMap((note) =>
      note === 0 ? [] : [`${uriOf(note)} ${lengths.filter((_, at) => notes[at] === note).join(" ")}`],
    ),
  );
  return {
    notes: notes.map(({ id: _, ...row }) => ({ ...row })),
    occurrences: occurrences.sort(),
    lengths: lengths.sort(),
    total: {
      ...db.get<object>("SELECT total(length) AS length, total(live) AS live FROM text_segment"),
    },
    vectors: [...storedVectors(db)].map(([note, vectors]) => `${uriOf(note)} ${vectors.join(" ")}`).sort(),
    titles: db
      .all<{ note: number; title: string; body: string }>("SELECT note, title, body FROM title_shelf")
      .map(({ note, title, body }) => `${uriOf(note)} ${title} ${body}`)
      .sort(),
  };
}
