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
  /** How long to wait for other processes, at each of a few steps; a hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** Called when what was there could not be used: an empty index took its place, to be filled from the files. */
  onRebuilt?(reason: string, movedTo: string): void;
}

interface Plan {
  readonly path: string;
  readonly migrations: readonly Migration[];
  readonly waitMs: number;
}

type Attempt = { db: Database } | { missing: true } | { bad: string };

/**
 * Opens the index, making or remaking it as needed. Throws `index-busy` and `index-unwritable`, never because
 * of what is in the file: that is set aside.
 */
export function openIndex(options: IndexOptions): Database {
  const { migrations, busyTimeoutMs: waitMs = BUSY_TIMEOUT_MS } = options;
  assertNumbered(migrations);
  try {
    makeFolder(dirname(options.path));
    // Through a link, SQLite keeps -wal beside the target; so must whoever renames.
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
  // Another process may have made a good one while we waited to be alone.
  const found = attempt(plan);
  if ("db" in found) return found.db;
  const movedTo = "bad" in found ? setAside(path) : undefined;
  clearDamage(path);
  removeStrayCompanions(path);
  // Created here, so that its folder's errors have names and nobody else can read it; SQLite copies the mode.
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
    // Asked again afterwards: a newer continuo may have migrated it between.
    const bad = whyForeign(db, migrations) ?? whyNewer(migrate(db, migrations), migrations);
    // Guarded still inside the gate: it notes which file this is.
    if (bad === undefined) return { db: guarded(db) };
    db.close();
    return { bad };
  } catch (error) {
    db?.close();
    const failure = error instanceof ContinuoError ? error : indexFailure(error, path);
    if (failure !== undefined && failure.code !== "index-corrupt") throw failure;
    // Damage, or a migration that this content makes fail: both are gone with the content.
    return { bad: error instanceof Error ? error.message : String(error) };
  }
}

/** A device or a folder that a link leads to must not be set aside: then the link is. */
function usableTarget(path: string): string {
  const target = linkTarget(path);
  return statSync(target, { throwIfNoEntry: false })?.isFile() === false ? path : target;
}

/**
 * Not realpath: while another process sets the file aside, Node's fails and Bun's answers with the new name, and
 * we would build an index there. The link itself is never renamed.
 */
function linkTarget(path: string, depth = 0): string {
  if (depth > 40) throw new ContinuoError("index-unusable", `${path} is a link that leads back to itself`);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  return isLink ? linkTarget(resolve(dirname(path), readlinkSync(path)), depth + 1) : path;
}

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

/** The index as its users see it: SQLite's errors come out as ours, and damage met on the way is remembered. */
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

/** The same for what the file system threw while the index was being opened or set aside. */
function folderFailure(error: unknown, path: string): ContinuoError | undefined {
  const code = systemCode(error);
  if (code === undefined || sqliteCode(error) !== undefined || error instanceof ContinuoError)
    return undefined;
  // Windows does not rename a file that another process has open.
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
