import { closeSync, existsSync, openSync } from "node:fs";
import { connect } from "../sqlite/open.ts";

/**
 * Who may touch the index's files. Every process is inside, `shared`, while it opens the index; one that
 * creates the file or sets it aside is inside `alone`. So nobody opens a database whose -wal and -shm are just
 * being renamed away, and of two that find the same damage the second finds the first one's new index.
 * Once open, a connection holds its three files and may keep them: a rename takes them along.
 *
 * The gate is SQLite's lock on an empty database beside the index. The system drops it when a process dies, so
 * unlike a lock file it cannot be left behind; Node and Bun respect each other's; and it waits by itself.
 */
export function shared<T>(path: string, waitMs: number, fn: () => T): T {
  return holding(path, waitMs, "BEGIN; SELECT count(*) FROM sqlite_schema", fn);
}

export function alone<T>(path: string, waitMs: number, fn: () => T): T {
  return holding(path, waitMs, "BEGIN EXCLUSIVE", fn);
}

function holding<T>(path: string, waitMs: number, begin: string, fn: () => T): T {
  const file = `${path}.lock`;
  // Created here, so that nobody else can read or hold it whatever the umask is.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  const gate = connect(file, false);
  try {
    gate.exec(`PRAGMA busy_timeout = ${Math.trunc(waitMs)}`);
    gate.exec(begin);
    return fn();
  } finally {
    gate.close();
  }
}
