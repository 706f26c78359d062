import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editNote } from "../../../../src/sources/notes/files/edit-note.ts";
import { readLocated } from "../../../../src/sources/notes/files/identify.ts";
import { refreshNotes } from "../../../../src/sources/notes/note-index/apply.ts";
import { openMemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { search } from "../../../../src/sources/notes/search/search.ts";

/** One index made by many small changes, then merged, purged and searched: a program for runtimes without vitest. */
async function smoke(folder: string): Promise<unknown> {
  const root = join(folder, "notes");
  mkdirSync(root, { recursive: true });
  const memoryRoot = { path: root, kind: "plain", isWritable: true } as const;
  const index = openMemoryIndex(join(folder, "memory.db"), noteFilesOf(memoryRoot));
  const pathAt = (i: number): string => join(root, `n${i}.md`);
  for (let i = 0; i < 20; i++) {
    const properties = i === 5 ? '---\nlabel: Prägung\nup: "[[home]]"\n---\n' : "";
    writeFileSync(
      pathAt(i),
      `${properties}# Note ${i}\n\nAbout [[topic ${i % 5}]], 検索, Über and word${i}.`,
    );
    await refreshNotes(index, [pathAt(i)]);
  }
  const located = { root: memoryRoot, path: pathAt(6), uri: "memory://n6" };
  const edit = { operation: "append", content: "Ergänzung" } as const;
  await editNote({ locks: join(folder, "locks"), now: () => 0 }, located, edit, {
    checksum: (await readLocated(located)).checksum,
  });
  await refreshNotes(index, [pathAt(6)]);
  rmSync(pathAt(3));
  await syncIndex(index, { thoroughly: true });
  const titles = async (query: string) =>
    (await search(index, { query, pageSize: 50 })).hits.map(({ title, concepts }) => `${title} ${concepts}`);
  const segments = index.db.all<{ passages: number; live: number }>(
    "SELECT passages, live FROM text_segment",
  );
  const found = {
    segments: segments.length,
    passages: segments.reduce((sum, { passages }) => sum + passages, 0),
    live: segments.reduce((sum, { live }) => sum + live, 0),
    one: await titles("word7"),
    property: await titles("prägung"),
    edited: await titles("ergänzung"),
    gone: await titles("word3"),
    all: (await titles("uber 検索")).length,
  };
  index.close();
  return found;
}

smoke(process.argv[2] ?? "").then((found) => console.log(JSON.stringify(found)));
