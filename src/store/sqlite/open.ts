import { type BunSqlite, bunDriver } from "./bun-driver.ts";
import { databaseOver } from "./database.ts";
import { missingModule, Sqlite, sqliteCode } from "./errors.ts";
import { type NodeSqlite, nodeDriver } from "./node-driver.ts";
import type { Database, Driver, OpenOptions } from "./types.ts";

export const BUSY_TIMEOUT_MS = 2000;

/**
 * Opens a database file on the current runtime. Throws `sqlite-missing` if the runtime has no SQLite; any other error
 * is SQLite's own (see `sqliteCode`), for the caller to translate.
 */
export function openDatabase(path: string, options: OpenOptions = {}, runtime: Runtime = process): Database {
  const { readOnly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = options;
  const driver = connect(path, readOnly, runtime);
  try {
    driver.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeoutMs)}; PRAGMA foreign_keys = ON`);
    if (!readOnly) retryWhileBusy(busyTimeoutMs, () => driver.exec("PRAGMA journal_mode = WAL"));
    driver.exec("PRAGMA synchronous = NORMAL");
    return databaseOver(driver, path, readOnly);
  } catch (error) {
    driver.close();
    throw error;
  }
}

/**
 * Turning on WAL needs exclusive access, and SQLite does not call its busy handler then: if two processes created the same
 * database at once, one of them would fail immediately.
 */
function retryWhileBusy(timeoutMs: number, fn: () => void): void {
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

/** The part of `process` that is used, so that a test can pass a runtime without SQLite. */
export type Runtime = Pick<NodeJS.Process, "version" | "versions" | "emitWarning"> & {
  getBuiltinModule?(id: string): object | undefined;
};

/**
 * Connects to the runtime's own SQLite. The module is requested by name at run time and not imported: one bundle serves
 * Node and Bun, neither of which has the other's module, and commands without a database do not load it.
 */
export function connect(path: string, readOnly: boolean, runtime: Runtime = process): Driver {
  // Bun first: from 1.4 on it also has node:sqlite, but the Bun inside OpenCode does not.
  if (runtime.versions["bun"] !== undefined) {
    const sqlite = runtime.getBuiltinModule?.("bun:sqlite");
    if (sqlite === undefined) throw missingModule(runtime);
    return bunDriver(sqlite as BunSqlite, path, readOnly);
  }
  const sqlite = quietly(runtime, () => runtime.getBuiltinModule?.("node:sqlite"));
  if (sqlite === undefined) throw missingModule(runtime);
  return nodeDriver(sqlite as NodeSqlite, path, readOnly);
}

/**
 * Node 22 prints a warning when it loads SQLite, which a hook would write to the host's log at every call. Suppresses
 * only that.
 */
function quietly<T>(runtime: Runtime, load: () => T): T {
  const original = runtime.emitWarning;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    const text = typeof warning === "string" ? warning : warning.message;
    if (rest[0] === "ExperimentalWarning" && text.startsWith("SQLite is an experimental")) return;
    Reflect.apply(original, runtime, [warning, ...rest]);
  };
  runtime.emitWarning = filtered as typeof original;
  try {
    return load();
  } finally {
    runtime.emitWarning = original;
  }
}
