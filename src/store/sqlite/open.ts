import { connect, type Runtime } from "./connect.ts";
import { databaseOver } from "./database.ts";
import { Sqlite, sqliteCode } from "./errors.ts";
import type { Database, OpenOptions } from "./types.ts";

export const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens a database file on whichever runtime this is. Throws `sqlite-missing` where the
 * runtime cannot do it; anything else is SQLite's own error (see `sqliteCode`), for the caller to translate.
 */
export function openDatabase(path: string, options: OpenOptions = {}, runtime: Runtime = process): Database {
  const { readOnly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const driver = connect(path, readOnly, runtime);
  try {
    driver.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}; PRAGMA foreign_keys = ON`);
    if (!readOnly) patiently(busyTimeoutMs, () => driver.exec("PRAGMA journal_mode = WAL"));
    driver.exec("PRAGMA synchronous = NORMAL");
    return databaseOver(driver, path, readOnly);
  } catch (error) {
    driver.close();
    throw error;
  }
}

/**
 * Turning WAL on needs the file alone, and SQLite does not call its busy handler there: two processes that
 * create the same database at once would see one of them fail immediately.
 */
function patiently(timeoutMs: number, fn: () => void): void {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      fn();
      return;
    } catch (error) {
      if (sqliteCode(error) !== Sqlite.busy || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
