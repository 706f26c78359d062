import { join } from "node:path";
import type { Embedder } from "../../../../src/models/embedder.ts";
import { type MemoryIndex, openMemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { readRows } from "../../../../src/sources/notes/vectors/chunk.ts";
import { embedPending } from "../../../../src/sources/notes/vectors/embed-pending.ts";
import { vectorPlugin } from "../../../../src/sources/notes/vectors/vector-store.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

export function openWithVectors(root: string, file: string): MemoryIndex {
  const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
  return openMemoryIndex(file, files, { plugins: [vectorPlugin()] });
}

/** A synced index of these notes, embedded if there is an embedder. */
export async function indexOf(
  notes: Record<string, string>,
  embedder?: Embedder,
): Promise<{ index: MemoryIndex; root: string; file: string }> {
  const home = temporaryFolder();
  const root = join(home, "notes");
  write(root, notes);
  const file = join(home, "memory.db");
  const index = openWithVectors(root, file);
  await syncIndex(index);
  if (embedder !== undefined) await embedPending(index, embedder);
  return { index, root, file };
}

/** Every vector of an index, by the address of its note. Also shows vectors of notes that do not exist. */
export function vectorsOf({ db }: MemoryIndex): string[] {
  const uris = new Map(
    db.all<{ id: number; uri: string }>("SELECT id, uri FROM note").map(({ id, uri }) => [id, uri]),
  );
  const found: string[] = [];
  for (const chunk of db.all<{ n: number; rows: Uint8Array; data: Uint8Array }>(
    "SELECT n, rows, data FROM vec_chunk",
  )) {
    const { notes, passages, scales } = readRows(chunk.rows);
    const width = chunk.data.length / chunk.n;
    notes.forEach((note, row) => {
      const bytes = Buffer.from(chunk.data.subarray(row * width, (row + 1) * width)).toString("base64");
      found.push(`${uris.get(note) ?? "no note"} ${passages[row]} ${scales[row]} ${bytes}`);
    });
  }
  for (const { note, chunk } of db.all<{ note: number; chunk: number }>("SELECT note, chunk FROM vec_note"))
    found.push(`${uris.get(note) ?? "no note"} is embedded ${chunk === 0 ? "without text" : "with text"}`);
  return found.sort();
}
