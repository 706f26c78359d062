import { join } from "node:path";
import { addSegment, SEGMENT_SCHEMA, tombstone } from "../../../src/search/segment.ts";
import { SegmentBuilder } from "../../../src/search/segment-builder.ts";
import type { TextMeaning } from "../../../src/search/vectors/embed-texts.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../support/world.ts";

export function emptyIndex(path = join(temporaryFolder(), "index.db")): Database {
  const db = openDatabase(path);
  db.exec(SEGMENT_SCHEMA);
  return db;
}

/** Adds or replaces notes in one transaction, as a sync does. */
export function put(
  db: Database,
  notes: ReadonlyMap<number, readonly string[]>,
  meaning: TextMeaning | undefined,
): void {
  db.tx(() => {
    tombstone(db, notes.keys());
    const builder = new SegmentBuilder(() => meaning);
    for (const [note, texts] of notes) builder.put(note, texts);
    const { list, ...passages } = builder.passages();
    if (list.length > 0) addSegment(db, passages, (pages) => builder.fill(list, pages));
  });
}
