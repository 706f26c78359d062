import type { Database } from "../../store/sqlite/types.ts";
import { segmentById } from "../segment.ts";
import { type MeaningSource, rowsFor, type TextMeaning } from "./embed-texts.ts";
import { NOTHING, PART_ROWS, type Rows, replacePart } from "./store.ts";

/**
 * The texts that the vectors of these notes are made from, one for each passage. Notes whose text is not available are left
 * out; whoever indexes them again makes their vectors.
 */
export type TextsOf = (
  notes: readonly number[],
) => ReadonlyMap<number, readonly string[]> | Promise<ReadonlyMap<number, readonly string[]>>;

/**
 * Makes the vectors that are pending: of passages indexed without a table of meaning, or with one of another version. One
 * part in a transaction, so it may be stopped at any point and run in several processes at once. Returns whether nothing is
 * left of what was pending.
 */
export async function refreshVectors(
  db: Database,
  meaning: MeaningSource,
  textsOf: TextsOf,
  isOver: () => boolean,
): Promise<boolean> {
  // An index without passages does not open the table.
  if (db.get("SELECT 1 FROM text_vectors LIMIT 1") === undefined) return true;
  const table = meaning();
  if (table === undefined) return true;
  // Not what is written meanwhile: a process with another table would make the same parts again, and so on without end.
  const last = db.get<{ id: number | null }>("SELECT max(id) AS id FROM text_vectors")?.id ?? 0;
  for (;;) {
    const part = db.get<Part>(
      `SELECT id, segment, part FROM text_vectors WHERE made NOT IN (?, ?) AND id <= ?
       ORDER BY segment DESC, part LIMIT 1`,
      [table.version, NOTHING, last],
    );
    if (part === undefined) return true;
    if (isOver()) return false;
    const rows = await rowsOf(db, part, table, textsOf);
    if (rows === undefined) return true; // damaged: recorded where the table is opened
    db.tx(() => replacePart(db, part.id, table.version, rows));
    await new Promise((resolve) => setImmediate(resolve)); // in a host's process its own work comes in between
  }
}

interface Part {
  readonly id: number;
  readonly segment: number;
  readonly part: number;
}

async function rowsOf(
  db: Database,
  { segment, part }: Part,
  table: TextMeaning,
  textsOf: TextsOf,
): Promise<Rows | undefined> {
  const notes = segmentById(db, segment)?.notes ?? new Int32Array();
  const from = part * PART_ROWS;
  const to = Math.min(notes.length, from + PART_ROWS);
  const wanted = new Set(notes.subarray(from, to));
  wanted.delete(0);
  const available = await textsOf([...wanted]);
  const texts: string[] = [];
  let first = from;
  while (first > 0 && notes[first - 1] === notes[from]) first--;
  for (let at = from; at < to; at++) {
    const note = notes[at] as number;
    if (at > from && notes[at - 1] !== note) first = at;
    texts.push(available.get(note)?.[at - first] ?? "");
  }
  return rowsFor(texts, table);
}
