import type { TextsOf } from "../../../search/vectors/refresh.ts";
import { redact } from "../../../store/redact.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SyncPlace } from "./sync.ts";
import { packed, type StoredPassage, searchableTexts, unitById, unitId } from "./units.ts";
import { putHead, settle, startWriting } from "./writing.ts";

/**
 * The words and vectors of sessions are derived from the stored units. If a new version needs other tables for them,
 * they are rebuilt from the units, because some transcripts are gone. The same happens if more is redacted; then units
 * and names are redacted again first.
 */
export const REFILL_SCHEMA = `
  CREATE TABLE refill (after INTEGER NOT NULL); -- the last unit done; no row when all are done
  INSERT INTO refill SELECT 0 FROM session LIMIT 1;
`;

/** Units or heads in one transaction. */
const BATCH = 128;
const BATCH_IN_SLICE = 16;

/**
 * Rebuilds what is missing in the text index. Each step is one transaction, so it may be stopped at any point and run
 * in several processes at once. Returns whether nothing is left.
 */
export async function refill(
  place: Pick<SyncPlace, "db" | "meaning">,
  isSlice: boolean,
  isOver: () => boolean,
): Promise<boolean> {
  while (place.db.get("SELECT 1 FROM refill") !== undefined) {
    if (isOver()) return false;
    step(place, isSlice ? BATCH_IN_SLICE : BATCH);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}

function step({ db, meaning }: Pick<SyncPlace, "db" | "meaning">, most: number): void {
  db.tx(() => {
    const after = db.get<{ after: number }>("SELECT after FROM refill")?.after;
    if (after === undefined) return; // another process was faster
    const writing = startWriting(db, undefined, meaning);
    const heads = db.all<{ id: number; name: string }>(
      "SELECT id, name FROM session WHERE id * ? NOT IN (SELECT note FROM text_note) LIMIT ?",
      [unitId(1, 0), most],
    );
    for (const { id, name } of heads) {
      db.run("UPDATE session SET name = ? WHERE id = ?", [redact(name), id]);
      putHead(writing, id);
    }
    // What was indexed meanwhile is already there.
    const units = db.all<{ id: number }>(
      "SELECT id FROM unit WHERE id > ? AND id NOT IN (SELECT note FROM text_note) ORDER BY id LIMIT ?",
      [after, Math.max(0, most - heads.length)],
    );
    for (const { id } of units) writing.words.put(id, searchableTexts(redactedAgain(db, id)));
    settle(writing);
    if (heads.length + units.length === 0) db.run("DELETE FROM refill");
    else db.run("UPDATE refill SET after = ?", [units.at(-1)?.id ?? after]);
  });
}

function redactedAgain(db: Database, id: number): readonly StoredPassage[] {
  const before = unitById(db, id)?.passages ?? [];
  const after = before.map(
    ([turn, kind, time, text, ...copy]): StoredPassage => [turn, kind, time, redact(text), ...copy],
  );
  if (after.some(([, , , text], n) => text !== before[n]?.[3])) {
    db.run("UPDATE unit SET data = ? WHERE id = ?", [packed(after), id]);
  }
  return after;
}

/** The texts of units, to recompute vectors. */
export function unitTexts(db: Database): TextsOf {
  return (units) =>
    new Map(
      units.flatMap((id) => {
        const unit = unitById(db, id);
        return unit === undefined ? [] : [[id, searchableTexts(unit.passages)]];
      }),
    );
}
