import type { Database } from "../../../store/sqlite/types.ts";
import type { IndexPlugin } from "../note-index/index-plugin.ts";
import {
  CHUNK_ROWS,
  type Chunk,
  EMPTY_CHUNK,
  type Int8Vector,
  readRows,
  withNote,
  withoutNotes,
  writeRows,
} from "./chunk.ts";

const SCHEMA = `
  CREATE TABLE vec_chunk (
    id INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,        -- another one after every change: who holds a copy sees that it is old
    n INTEGER NOT NULL,
    rows BLOB NOT NULL,            -- see chunk.ts
    data BLOB NOT NULL
  );
  -- Which notes are embedded, and where; chunk 0 when there is no text in them. A note that is not here is pending.
  CREATE TABLE vec_note (note INTEGER PRIMARY KEY, chunk INTEGER NOT NULL);
  CREATE TABLE vec_model (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    model TEXT NOT NULL,           -- whose vectors these are; those of two models cannot be compared
    dimensions INTEGER NOT NULL,   -- as stored
    stamp INTEGER NOT NULL
  );
  INSERT INTO vec_model VALUES (1, '', 0, 0);
`;

/**
 * The vectors of notes. A sync only removes the vectors of changed and deleted notes. It adds none, because that needs
 * a model and time: a note without vectors is pending (`embedPending`).
 */
export function vectorPlugin(): IndexPlugin {
  let gone = new Set<number>();
  return {
    name: "vectors",
    schema: SCHEMA,
    put: () => undefined,
    remove: (_db, id) => void gone.add(id),
    flush(db) {
      const notes = gone;
      gone = new Set();
      if (notes.size > 0) removeVectors(db, notes);
    },
    rollback() {
      gone = new Set();
    },
  };
}

export function hasVectors(db: Database): boolean {
  return db.get("SELECT 1 FROM sqlite_schema WHERE name = 'vec_note'") !== undefined;
}

interface VectorModel {
  readonly model: string;
  readonly dimensions: number;
}

export function vectorModel(db: Database): VectorModel {
  return db.get<VectorModel>("SELECT model, dimensions FROM vec_model") ?? { model: "", dimensions: 0 };
}

export function pendingCount(db: Database): number {
  const row = db.get<{ n: number }>(
    "SELECT (SELECT count(*) FROM note) - (SELECT count(*) FROM vec_note) AS n",
  );
  return row?.n ?? 0;
}

/** In a transaction: sets the model of the vectors. Vectors of another model are deleted. */
export function useModel(db: Database, { model, dimensions }: VectorModel): void {
  const now = vectorModel(db);
  if (now.model === model && now.dimensions === dimensions) return;
  db.exec("DELETE FROM vec_chunk; DELETE FROM vec_note");
  db.run("UPDATE vec_model SET model = ?, dimensions = ?, stamp = stamp + 1", [model, dimensions]);
}

/** In a transaction: stores vectors of notes that have none yet. A note without text gets an empty list. */
export function putVectors(db: Database, notes: ReadonlyMap<number, readonly Int8Vector[]>): void {
  let open: { readonly id: number; readonly chunk: Chunk } | undefined;
  for (const [note, vectors] of notes) {
    if (vectors.length > 0) {
      if (open === undefined || open.chunk.rows.notes.length + vectors.length > CHUNK_ROWS) {
        if (open !== undefined) write(db, open.id, open.chunk);
        open = chunkWithSpace(db, vectors.length);
      }
      open = { id: open.id, chunk: withNote(open.chunk, note, vectors) };
    }
    db.run("INSERT INTO vec_note VALUES (?, ?)", [
      note,
      vectors.length > 0 && open !== undefined ? open.id : 0,
    ]);
  }
  if (open !== undefined) write(db, open.id, open.chunk);
}

function chunkWithSpace(db: Database, rows: number): { id: number; chunk: Chunk } {
  const found = db.get<{ id: number }>("SELECT id FROM vec_chunk WHERE n <= ? ORDER BY id DESC LIMIT 1", [
    CHUNK_ROWS - rows,
  ]);
  const next = db.get<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM vec_chunk");
  const id = found?.id ?? next?.id ?? 1;
  return { id, chunk: read(db, id) };
}

function removeVectors(db: Database, notes: ReadonlySet<number>): void {
  const chunks = new Set<number>();
  for (const note of notes) {
    const row = db.get<{ chunk: number }>("SELECT chunk FROM vec_note WHERE note = ?", [note]);
    if (row === undefined) continue;
    if (row.chunk !== 0) chunks.add(row.chunk);
    db.run("DELETE FROM vec_note WHERE note = ?", [note]);
  }
  for (const id of chunks) write(db, id, withoutNotes(read(db, id), notes));
}

function read(db: Database, id: number): Chunk {
  const row = db.get<{ rows: Uint8Array; data: Uint8Array }>(
    "SELECT rows, data FROM vec_chunk WHERE id = ?",
    [id],
  );
  return row === undefined ? EMPTY_CHUNK : { rows: readRows(row.rows), data: row.data };
}

function write(db: Database, id: number, { rows, data }: Chunk): void {
  db.run("UPDATE vec_model SET stamp = stamp + 1");
  if (rows.notes.length === 0) return void db.run("DELETE FROM vec_chunk WHERE id = ?", [id]);
  db.run(
    `INSERT OR REPLACE INTO vec_chunk (id, stamp, n, rows, data)
     VALUES ($id, (SELECT stamp FROM vec_model), $n, $rows, $data)`,
    { id, n: rows.notes.length, rows: writeRows(rows), data },
  );
}
