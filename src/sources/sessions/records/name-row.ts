import { SegmentBuilder } from "../../../search/segment-builder.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { settle } from "../index/apply.ts";
import { putHead } from "../index/heads.ts";
import type { NamedBy } from "../session.ts";

/** In the index a session has this name from now on, and is found by it. */
export function nameRow(db: Database, session: number, name: string, by: NamedBy): void {
  db.tx(() => {
    db.run("UPDATE session SET name = ?, named_by = ? WHERE id = ?", [name, by, session]);
    const writing = { db, words: new SegmentBuilder(), stale: new Set<number>(), naming: () => undefined };
    putHead(writing, session);
    settle(writing);
  });
}
