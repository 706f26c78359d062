import { allSegments } from "../../../src/search/segment.ts";
import { ROW_BYTES } from "../../../src/search/vectors/quantise.ts";
import { NOTHING, PART_ROWS, readRows } from "../../../src/search/vectors/store.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";

/** By note, for each of its passages: who made its vector, and the stored bytes; "" for a passage without text. */
export function storedVectors(db: Database): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { id, notes } of allSegments(db)) {
    for (const [at, note] of notes.entries()) {
      if (note === 0) continue;
      const part = db.get<{ made: string; data: Uint8Array }>(
        "SELECT made, data FROM text_vectors WHERE segment = ? AND part = ?",
        [id, Math.floor(at / PART_ROWS)],
      );
      const row = at % PART_ROWS;
      const rows = part && readRows(part.data);
      const bytes = rows?.data.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES) ?? [];
      const alignment = rows?.alignments[row] ?? 0;
      const isPending = part?.made !== NOTHING && rows === undefined;
      const text = isPending
        ? "pending"
        : alignment === 0
          ? ""
          : `${part?.made} ${alignment} ${Buffer.from(bytes).toString("hex")}`;
      found.set(note, [...(found.get(note) ?? []), text]);
    }
  }
  return found;
}
