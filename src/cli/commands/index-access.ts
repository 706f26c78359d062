import { ContinuoError } from "../../base/errors.ts";
import { failure, recordHealth } from "../../store/health.ts";
import type { Home } from "../../store/home.ts";
import { type SyncResult, syncLedger } from "../../store/index/ledger-sync.ts";
import { openIndex } from "../../store/index/open.ts";
import type { Database } from "../../store/sqlite/types.ts";

/** Opens the index, brings it up to the ledger, and closes it again whatever happens in between. */
export function withIndex<T>(home: Home, now: number, use: (db: Database, synced: SyncResult) => T): T {
  const db = openIndex({
    path: home.index,
    onRebuilt: (reason, movedTo) =>
      void recordHealth(
        home.logs,
        failure(
          "index",
          new ContinuoError("index-rebuilt", `the index could not be used (${reason}) and was built anew`, {
            hint: `nothing was lost: it is derived from files. The old one is ${movedTo} and may be deleted`,
          }),
          now,
        ),
      ),
  });
  try {
    return use(db, syncLedger(db, home.ledger));
  } finally {
    db.close();
  }
}
