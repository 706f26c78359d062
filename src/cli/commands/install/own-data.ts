import { existsSync, lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";
import { readReceipt } from "../../../hosts/shared/install/receipt.ts";
import { ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import { type Home, userHome } from "../../../store/home.ts";
import { readRecords } from "../../../store/journal.ts";
import { readAt, readBytes, withFile } from "../../../store/read-file.ts";
import { UNFINISHED } from "../../../store/write-file.ts";

/** Continuo's own folder, and what deleting it would delete. */
export interface OwnData {
  readonly root: string;
  readonly files: number;
  readonly bytes: number;
  readonly notes: number;
  readonly rules: number;
}

/** What Continuo writes into its folder, according to docs/design/state.md. */
const FOLDERS = [
  "applets",
  "backups",
  "cache",
  "chat",
  "given",
  "greeted",
  "ledger",
  "locks",
  "logs",
  "memory",
  "models",
  "parts",
  "requests",
  "rules",
  "runs",
  "servers",
  "sessions-meta",
  "sockets",
  "state",
  "trash",
  "web-open",
];
const FILES =
  /^((config|trust|mutes)\.json(\.damaged-.+)?|checks\.jsonl|checks-read\.json|projects?\.json|seed-repeats\.jsonl|proposals\.jsonl|web(-pages)?\.json|(memory-[0-9a-f]+|sessions)\.db(\.bad-\d+)?(-wal|-shm|-journal|\.lock)?|\.doctor-probe)$/;
export function isOwnName(name: string): boolean {
  return FOLDERS.includes(name) || FILES.test(name) || UNFINISHED.test(name);
}

/**
 * What would be deleted; undefined if there is nothing. Refuses any folder that may not be Continuo's own, because
 * CONTINUO_HOME can name any folder.
 */
export function ownData(home: Home, env: NodeJS.ProcessEnv): OwnData | undefined {
  const root = resolve(home.root);
  const names = ownNames(home, env);
  if (names.length === 0) return undefined;
  const isUsual = root === join(userHome(env), ".continuo");
  if (!isUsual && !hasOwnFile(home, names)) throw refused(root, "does not look like Continuo's folder");
  return { root, ...sizeOf(root) };
}

/**
 * Other programs also have folders such as `cache`, `logs` and `ledger`. Only Continuo writes a receipt, a file of the
 * ledger or an index. The usual folder needs no such evidence.
 */
function hasOwnFile(home: Home, names: readonly string[]): boolean {
  const hosts = existsSync(home.backups) ? readdirSync(home.backups) : [];
  return (
    hosts.some((host) => readReceipt(home, host)?.files.length) ||
    readLedger(readRecords(ledgerJournal(home)).records).length > 0 ||
    names.some((name) => INDEX.test(name) && isDatabase(join(home.root, name)))
  );
}

const INDEX = /^(memory-[0-9a-f]+|sessions)\.db$/;

function isDatabase(path: string): boolean {
  const magic = "SQLite format 3\0";
  try {
    return readBytes(path, { maxBytes: magic.length, cut: true }).toString("latin1") === magic;
  } catch {
    return false; // not a file
  }
}

/** The names in the home, if it exists; throws if something in it is not Continuo's. */
export function ownNames(home: Home, env: NodeJS.ProcessEnv): string[] {
  const root = resolve(home.root);
  const found = lstatSync(root, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) throw refused(root, "is a link");
  if (!found.isDirectory()) throw refused(root, "is not a folder");
  const real = realpathSync(root);
  const users = [userHome(env), realOf(userHome(env))];
  if (dirname(real) === real || users.some((user) => wayInside(real, user) !== undefined))
    throw refused(root, "contains your home folder");
  const names = readdirSync(root);
  const foreign = names.filter((name) => !isOwnName(name));
  if (foreign.length > 0)
    throw refused(root, `contains what Continuo did not write: ${foreign.slice(0, 3).join(", ")}`);
  return names;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it does not exist
  }
}

function refused(root: string, why: string): ContinuoError {
  return new ContinuoError("data-refused", `${root} ${why}, so it is left as it is`, {
    hint: "look at it, and delete it yourself if you are sure; no agent was changed",
  });
}

/** Links are counted and removed as links: their targets stay. So do mounted folders. */
function sizeOf(root: string): Omit<OwnData, "root"> {
  const sum = { files: 0, bytes: 0, notes: 0, rules: 0 };
  const waiting = [root];
  const { dev } = lstatSync(root);
  const mounts = mountPoints();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (lstatSync(path, { throwIfNoEntry: false })?.dev === dev && !mounts.has(path)) waiting.push(path);
        continue;
      }
      sum.files++;
      sum.bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const isText = entry.name.endsWith(".md");
      if (isText && wayInside(join(root, "memory"), path) !== undefined) sum.notes++;
      if (isText && wayInside(join(root, "rules"), path) !== undefined) sum.rules++;
    }
  }
  return sum;
}

/** Returns the paths that stay, because they are mounted from elsewhere. */
export function deleteData({ root }: OwnData): string[] {
  return deleteFolder(root);
}

/**
 * Deletes a folder with all its content, except mounted folders: these are on another disk, or belong to another folder
 * of the user. Links are removed, not followed. Returns the paths that stay.
 */
export function deleteFolder(root: string, mounts: ReadonlySet<string> = mountPoints()): string[] {
  const real = realpathSync(root);
  const { dev } = lstatSync(real);
  const left: string[] = [];
  remove(real);
  return left;

  /** Returns whether it is gone. */
  function remove(path: string): boolean {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (path !== real && (found.dev !== dev || mounts.has(path))) {
      left.push(path);
      return false;
    }
    if (!found.isDirectory()) return unlessMounted(path, () => rmSync(path, { force: true, maxRetries: 3 }));
    const isEmpty = readdirSync(path).reduce((all, name) => remove(join(path, name)) && all, true);
    return isEmpty && unlessMounted(path, () => rmdirSync(path));
  }

  /** The folder itself may be a mount point: then it stays, empty. */
  function unlessMounted(path: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      if (systemCode(error) !== "EBUSY") throw error;
      left.push(path);
      return false;
    }
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

/** A folder on the same disk can be mounted too, which only the system's list shows. */
function mountPoints(): ReadonlySet<string> {
  try {
    const bytes = withFile("/proc/self/mountinfo", ({ descriptor }) => readAt(descriptor, 0, MOST_BYTES));
    const lines = bytes.toString("utf8").split("\n");
    const unescaped = (path: string) =>
      path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    return new Set(lines.map((line) => unescaped(line.split(" ")[4] ?? "")));
  } catch {
    return new Set(); // not Linux: comparing disk numbers must be enough
  }
}
