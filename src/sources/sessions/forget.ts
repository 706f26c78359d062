import { dropLeftovers } from "../../search/merge.ts";
import { SegmentBuilder } from "../../search/segment-builder.ts";
import type { Database } from "../../store/sqlite/types.ts";
import { dropSession, settle } from "./index/apply.ts";
import { descendantsOf } from "./lineage.ts";
import { bury, type RecordPlaces } from "./records/files.ts";
import { rowOf } from "./rows.ts";
import type { SessionKey } from "./session.ts";

/** With its subagents' sessions, which tell of the same; forks stay. No word of them is left in the index. */
export function forgetSession(db: Database, places: RecordPlaces, key: SessionKey, now: number): void {
  const children = descendantsOf(db, key).filter(({ isChild, parent }) => isChild && parent === key.id);
  // The tombstones first: whatever happens after that, nobody indexes them again.
  for (const one of [key, ...children]) bury(places, { host: one.host, id: one.id }, now);
  db.tx(() => {
    const writing = { db, words: new SegmentBuilder(), stale: new Set<number>(), naming: () => undefined };
    for (const one of [key, ...children]) {
      const row = rowOf(db, one);
      if (row !== undefined) dropSession(writing, row.id);
    }
    db.run("DELETE FROM path WHERE id NOT IN (SELECT path FROM touched)");
    settle(writing);
  });
  while (dropLeftovers(db));
  // Deleted rows stay in the file's free pages until it is written anew.
  db.exec("VACUUM");
}
