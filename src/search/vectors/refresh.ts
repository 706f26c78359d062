import type { Database } from "../../store/sqlite/types.ts";
import { segmentById } from "../segment.ts";
import { type MeaningSource, rowsFor, type TextMeaning } from "./embed-texts.ts";
import { NOTHING, PART_ROWS, type Rows, replacePart } from "./store.ts";

/**
 * The texts that these notes' vectors are made from, one for each passage. Omits notes whose text is not available;
 * they get their vectors when they are indexed again.
 */
export type TextsOf = (
  notes: readonly number[],
) => ReadonlyMap<number, readonly string[]> | Promise<ReadonlyMap<number, readonly string[]>>;

/**
 * Computes pending vectors: those of passages indexed without a table of meaning, or with another version of it. One
 * transaction per part, so it can be stopped at any point and run in several processes at once. Returns whether nothing
 * is left to do.
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
  // Ignores parts written meanwhile: two processes with different tables would otherwise redo each other's parts
  // forever.
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
    if (rows === undefined) return true; // damaged: reported where the table is opened
    db.tx(() => replacePart(db, part.id, table.version, rows));
    await new Promise((resolve) => setImmediate(resolve)); // lets a host's own work run in between
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
