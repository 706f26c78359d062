import { join } from "node:path";
import { type MemoryIndex, openMemoryIndex } from "../../../../src/sources/memory/index/memory-index.ts";
import { noteFilesOf } from "../../../../src/sources/memory/index/note-files.ts";
import { BLOCK_SIZE, eachOccurrence } from "../../../../src/sources/memory/index/postings.ts";
import type { Shelf } from "../../../../src/sources/memory/index/shelf.ts";
import { lengthsOf } from "../../../../src/sources/memory/index/text-shelf.ts";

/** A second shelf, as simple as can be: it shows that every shelf is kept right, not only the text. */
export const titleShelf = (): Shelf => ({
  name: "titles",
  schema: "CREATE TABLE title_shelf (note INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)",
  put: (db, id, note) => void db.run("INSERT INTO title_shelf VALUES (?, ?, ?)", [id, note.title, note.body]),
  remove: (db, id) => void db.run("DELETE FROM title_shelf WHERE note = ?", [id]),
});

export function openFor(root: string, file: string): MemoryIndex {
  const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
  return openMemoryIndex(file, files, { shelves: [titleShelf()] });
}

export const indexFile = (folder: string): string => join(folder, "memory.db");

/** Everything that an index holds, with notes by address and terms by text: two of one root must be equal. */
export function contentOf({ db }: MemoryIndex): unknown {
  const notes = db.all<{ id: number; uri: string }>(
    "SELECT note.id, uri, title, tags, project, created, size, note.modified, checksum, name, folder.path AS folder FROM note JOIN folder ON folder.id = note.folder ORDER BY uri",
  );
  const uris = new Map(notes.map(({ id, uri }) => [id, uri]));
  const uriOf = (id: number): string => uris.get(id) ?? `unknown note ${id}`;
  const occurrences: string[] = [];
  const postings = db.all<{ term: string | null; block: number; data: Uint8Array }>(
    "SELECT term.text AS term, block, data FROM posting LEFT JOIN term ON term.id = posting.term",
  );
  for (const { term, block, data } of postings) {
    eachOccurrence(data, (slot, passage, flags) => {
      // The upper bits only say how the list goes on.
      occurrences.push(`${term} ${uriOf(block * BLOCK_SIZE + slot)} ${passage} ${flags & 0x1f}`);
    });
  }
  const lengths = db
    .all<{ block: number }>("SELECT block FROM passage_length")
    .flatMap(({ block }) =>
      [...lengthsOf(db, block)].map(
        ([slot, list]) => `${uriOf(block * BLOCK_SIZE + slot)} ${list.join(" ")}`,
      ),
    );
  return {
    notes: notes.map(({ id: _, ...row }) => ({ ...row })),
    terms: db.all<object>("SELECT text, passages FROM term ORDER BY text").map((row) => ({ ...row })),
    occurrences: occurrences.sort(),
    lengths: lengths.sort(),
    withTerms: db
      .all<{ note: number }>("SELECT note FROM note_term")
      .map(({ note }) => uriOf(note))
      .sort(),
    total: { ...db.get<object>("SELECT passages, length FROM text_total") },
    titles: db
      .all<{ note: number; title: string; body: string }>("SELECT note, title, body FROM title_shelf")
      .map(({ note, title, body }) => `${uriOf(note)} ${title} ${body}`)
      .sort(),
  };
}
