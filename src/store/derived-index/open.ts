import { closeSync, existsSync, lstatSync, openSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { makeFolder } from "../folder.ts";
import { Sqlite, sqliteCode } from "../sqlite/errors.ts";
import { BUSY_TIMEOUT_MS, connect, openDatabase } from "../sqlite/open.ts";
import type { Database } from "../sqlite/types.ts";
import {
  clearDamage,
  identityOf,
  isMarkedDamaged,
  markDamaged,
  removeStrayCompanions,
  setAside,
} from "./damage.ts";
import { assertNumbered, type Migration, migrate, whyForeign, whyNewer } from "./shape.ts";

export interface IndexOptions {
  readonly path: string;
  readonly migrations: readonly Migration[];
  /** How long to wait for other processes, in each of a few steps. A hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** Called when the existing file was unusable and an empty index replaced it, to be filled from the files. */
  onRebuilt?(reason: string, movedTo: string): void;
}

interface Plan {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly waitMs: number;
}

type Attempt = { db: Database } | { missing: true } | { bad: string };

/**
 * Opens the index, creating or rebuilding it if needed. Throws `index-busy` and `index-unwritable`, but never because
 * of the file's content: a bad file is set aside.
 */
export function openIndex(options: IndexOptions): Database {
  const { migrations, busyTimeoutMs: waitMs = BUSY_TIMEOUT_MS } = options;
  assertNumbered(migrations);
  try {
    makeFolder(dirname(options.path));
    // Through a link, SQLite puts -wal beside the target, so renaming must use the target too.
    const path = usableTarget(options.path);
    const plan = { path, migrations, waitMs };
    const first = shared(path, waitMs, () => attempt(plan));
    return "db" in first ? first.db : alone(path, waitMs, () => remake(plan, options));
  } catch (error) {
    throw indexFailure(error, options.path) ?? folderFailure(error, options.path) ?? error;
  }
}

function remake(plan: Plan, options: IndexOptions): Database {
  const { path } = plan;
  // Another process may have created a good index while we waited for exclusive access.
  const found = attempt(plan);
  if ("db" in found) return found.db;
  const movedTo = "bad" in found ? setAside(path) : undefined;
  clearDamage(path);
  removeStrayCompanions(path);
  // Created here, to report errors of its folder properly and to keep others from reading it; SQLite copies the mode.
  closeSync(openSync(path, "a", 0o600));
  const made = attempt(plan);
  if (!("db" in made))
    throw new Error(`a new index is unusable: ${"bad" in made ? made.bad : "it vanished"}`);
  if ("bad" in found && movedTo !== undefined) options.onRebuilt?.(found.bad, movedTo);
  return made.db;
}

function attempt({ path, migrations, waitMs }: Plan): Attempt {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { missing: true };
  if (!found.isFile()) return { bad: "it is not a file" };
  if (isMarkedDamaged(path)) return { bad: "a query found it damaged" };
  let db: Database | undefined;
  try {
    db = openDatabase(path, { busyTimeoutMs: waitMs });
    // Checked again afterwards: a newer Continuo may have migrated it in between.
    const bad = whyForeign(db, migrations) ?? whyNewer(migrate(db, migrations), migrations);
    // Guarded while still inside the gate, because that records which file this is.
    if (bad === undefined) return { db: guarded(db) };
    db.close();
    return { bad };
  } catch (error) {
    db?.close();
    const failure = error instanceof ContinuoError ? error : indexFailure(error, path);
    if (failure !== undefined && failure.code !== "index-corrupt") throw failure;
    // Damage, or a migration that fails on this content: setting the file aside solves both.
    return { bad: error instanceof Error ? error.message : String(error) };
  }
}

/** If a link leads to a device or a folder, the link itself is set aside, not its target. */
function usableTarget(path: string): string {
  const target = linkTarget(path);
  return statSync(target, { throwIfNoEntry: false })?.isFile() === false ? path : target;
}

/**
 * Not realpath: while another process sets the file aside, Node's fails and Bun's returns the new name, and we would
 * build an index there. The link itself is never renamed.
 */
function linkTarget(path: string, depth = 0): string {
  if (depth > 40) throw new ContinuoError("index-unusable", `${path} is a link that leads back to itself`);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? linkTarget(resolve(dirname(path), readlinkSync(path)), depth + 1) : path;
}

/**
 * Controls who may touch the index's files. A process is inside as `shared` while it opens the index, and as `alone`
 * while it creates the file or sets it aside. So nobody opens a database whose -wal and -shm are being renamed, and if
 * two processes find the same damage, the second finds the first one's new index. An open connection may keep its three
 * files: a rename does not affect it.
 *
 * The gate is SQLite's lock on an empty database beside the index. Unlike a lock file it cannot be left behind, because
 * the system releases it when a process dies. Node and Bun respect each other's, and SQLite does the waiting.
 */
export function shared<T>(path: string, waitMs: number, fn: () => T): T {
  return holding(path, waitMs, "BEGIN; SELECT count(*) FROM sqlite_schema", fn);
}

export function alone<T>(path: string, waitMs: number, fn: () => T): T {
  return holding(path, waitMs, "BEGIN EXCLUSIVE", fn);
}

function holding<T>(path: string, waitMs: number, begin: string, fn: () => T): T {
  const file = `${path}.lock`;
  // Created here, so that nobody else can read or lock it, whatever the umask is.
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

/** The index for its users: SQLite's errors become Continuo's, and damage is marked. */
function guarded(db: Database): Database {
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

const REBUILT = "Nothing is lost: the index is derived, and the next command builds it again.";

const UNWRITABLE = new Set<number>([
  Sqlite.perm,
  Sqlite.readOnly,
  Sqlite.ioError,
  Sqlite.full,
  Sqlite.cantOpen,
]);

/** Translates an error of SQLite for the users of the index; undefined if it is a bug in Continuo. */
function indexFailure(error: unknown, path: string): ContinuoError | undefined {
  const code = sqliteCode(error);
  if (code === undefined) return undefined;
  if (code === Sqlite.busy || code === Sqlite.locked) return busy(path, error);
  if (UNWRITABLE.has(code)) return unwritable(path, error);
  if (code === Sqlite.corrupt || code === Sqlite.notADatabase) {
    const message = `The index ${path} is damaged (${messageOf(error)})`;
    return new ContinuoError("index-corrupt", message, { hint: REBUILT, cause: error });
  }
  return undefined;
}

/** The same for file system errors while the index was opened or set aside. */
function folderFailure(error: unknown, path: string): ContinuoError | undefined {
  const code = systemCode(error);
  if (code === undefined || sqliteCode(error) !== undefined || error instanceof ContinuoError)
    return undefined;
  // Windows refuses to rename a file that another process has open.
  if (code === "EBUSY") return busy(path, error);
  return code.startsWith("E") && !code.startsWith("ERR_") ? unwritable(path, error) : undefined;
}

function busy(path: string, cause?: unknown): ContinuoError {
  const hint = "Another process is writing; try again. If it stays so, `continuo doctor` shows who.";
  return new ContinuoError("index-busy", `The index ${path} is in use by another process`, { hint, cause });
}

function unwritable(path: string, cause: unknown): ContinuoError {
  const message = `The index ${path} cannot be written (${messageOf(cause)})`;
  const hint = "Check that its folder exists, is yours, is not read-only and has space left.";
  return new ContinuoError("index-unwritable", message, { hint, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
