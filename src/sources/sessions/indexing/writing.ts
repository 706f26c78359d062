import { Gathering } from "../../../search/gathering.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { NamedBy } from "../session.ts";
import { settle } from "./apply.ts";
import { putHead } from "./heads.ts";

/** In the index a session has this name from now on, and is found by it. */
export function nameRow(db: Database, session: number, name: string, by: NamedBy): void {
  db.tx(() => {
    db.run("UPDATE session SET name = ?, named_by = ? WHERE id = ?", [name, by, session]);
    const writing = { db, words: new Gathering(), stale: new Set<number>(), naming: () => undefined };
    putHead(writing, session);
    settle(writing);
  });
}
