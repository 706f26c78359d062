import { closeSync, lstatSync, openSync, readlinkSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { makeFolder } from "../folder.ts";
import { BUSY_TIMEOUT_MS, openDatabase } from "../sqlite/open.ts";
import type { Database } from "../sqlite/types.ts";
import { clearDamage, isMarkedDamaged } from "./damage.ts";
import { folderFailure, indexFailure } from "./failures.ts";
import { alone, shared } from "./gate.ts";
import { guarded } from "./guard.ts";
import { assertNumbered, type Migration, migrate, whyForeign, whyNewer } from "./migrate.ts";
import { removeStrayCompanions, setAside } from "./set-aside.ts";

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
