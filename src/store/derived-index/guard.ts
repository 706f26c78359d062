import type { Database } from "../sqlite/types.ts";
import { identityOf, markDamaged } from "./damage.ts";
import { indexFailure } from "./failures.ts";

/** The index as its users see it: SQLite's errors come out as ours, and damage met on the way is remembered. */
export function guarded(db: Database): Database {
  const identity = identityOf(db.path);
  const guard = <T>(fn: () => T): T => {
    try {
      return fn();
    } catch (error) {
      const failure = indexFailure(error, db.path);
      if (failure?.code === "index-corrupt" && identity !== undefined) markDamaged(db.path, identity);
      throw failure ?? error;
    }
  };
  return {
    path: db.path,
    exec: (sql) => guard(() => db.exec(sql)),
    run: (sql, params) => guard(() => db.run(sql, params)),
    get: (sql, params) => guard(() => db.get(sql, params)),
    all: (sql, params) => guard(() => db.all(sql, params)),
    tx: (fn) => guard(() => db.tx(fn)),
    close: () => guard(() => db.close()),
  };
}
