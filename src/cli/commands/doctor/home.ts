import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { removeEmptyFolders } from "../../../store/folder.ts";
import { findHome, type Home, homeProblem } from "../../../store/home.ts";
import { UNFINISHED, writeFileAtomic } from "../../../store/write-file.ts";
import type { World } from "../../command.ts";
import { fail, fixable, type NamedFinding, ok, warn } from "./check.ts";

const LITTLE = 50 * 1024 * 1024;
const FULL = 1024 * 1024;
const OLD_MS = 60 * 60 * 1000;

export function* checkHome({ env, now }: World, home: Home | undefined): Generator<NamedFinding> {
  if (home === undefined) {
    try {
      findHome(env);
    } catch (error) {
      const { message, hint } = describeError(error);
      yield fail("home", message, hint ?? "set HOME, or CONTINUO_HOME, to an absolute path");
    }
    return;
  }
  const problem = homeProblem(env);
  if (problem !== undefined) yield warn("home", problem.message, problem.hint);
  yield writable(home);
  yield* disk(home);
  yield* permissions(home);
  yield* leftovers(home, now());
}

function writable(home: Home): NamedFinding {
  const probe = join(home.root, ".doctor-probe");
  const isNew = !existsSync(home.root);
  try {
    writeFileAtomic(probe, "");
    rmSync(probe);
    // After an uninstallation including data, checking must not leave a folder behind.
    if (isNew) removeEmptyFolders([home.root]);
    return ok("home", home.root);
  } catch (error) {
    const { message } = describeError(error);
    const detail = `${home.root} cannot be written: ${message}`;
    if (isClosedToOwner(home.root)) return fixable("fail", "home", detail, () => openToOwner(home.root));
    return fail("home", detail, "make it writable, free some disk space, or set CONTINUO_HOME");
  }
}

/** Whether the owner removed their own write permission, which only they can restore. */
function isClosedToOwner(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o700) !== 0o700;
}

function openToOwner(path: string): string {
  chmodSync(path, 0o700);
  return `made ${path} writable for you`;
}

function* disk(home: Home): Generator<NamedFinding> {
  try {
    const { bavail, bsize } = statfsSync(home.root);
    const free = bavail * bsize;
    const text = `${Math.floor(free / 1024 / 1024)} MB free`;
    const hint = "free some disk space: nothing can be stored when it is full";
    yield free < FULL
      ? fail("disk", text, hint)
      : free < LITTLE
        ? warn("disk", text, hint)
        : ok("disk", text);
  } catch {
    // The home does not exist or cannot be read: `writable` reports that.
  }
}

/** Older versions created some files with the default umask. Links are not followed. */
function* permissions(home: Home): Generator<NamedFinding> {
  if (process.platform === "win32") return;
  const open = [...readableByOthers(home)];
  const [first] = open;
  const what = open.length === 1 ? first : `${open.length} files and folders, such as ${first},`;
  if (first !== undefined)
    yield fixable("warn", "permissions", `${what} can be read by other users`, () => close(home));
}

/** A home has at most thousands of entries; checking more would take too long. */
const MOST_ENTRIES = 50_000;

/**
 * Files of Continuo in the home that other users can read. Nothing below a closed folder is accessible to them.
 * `models` and `chat` are installed by the user, and files in the trash keep their permissions until they are restored.
 */
function* readableByOthers({ root }: Home): Generator<string> {
  const others = ["models", "chat", "trash"].map((name) => join(root, name));
  const waiting = [root];
  for (let looked = 0; looked < MOST_ENTRIES && waiting.length > 0; looked++) {
    const path = waiting.pop() ?? "";
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink() || (stat.mode & 0o077) === 0) continue;
    yield path;
    if (stat.isDirectory() && !others.includes(path))
      waiting.push(...namesIn(path).map((name) => join(path, name)));
  }
}

function close(home: Home): string {
  let closed = 0;
  const refused: string[] = [];
  for (const path of readableByOthers(home)) {
    try {
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) continue;
      chmodSync(path, stat.mode & 0o700);
      closed++;
    } catch (error) {
      if (systemCode(error) !== "ENOENT") refused.push(path);
    }
  }
  const some = (many: number) => count(many, "file or folder", "files and folders");
  if (refused.length > 0)
    throw new Error(`${some(refused.length)} could not be changed, such as ${refused[0]}`);
  return `made ${some(closed)} readable for you alone`;
}

/** Unfinished files of killed processes, once they are old enough to be abandoned. They are harmless. */
function* leftovers(home: Home, now: number): Generator<NamedFinding> {
  const old = foldersBelow(home.root, 3).flatMap((folder) =>
    namesIn(folder)
      .filter((name) => UNFINISHED.test(name))
      .map((name) => join(folder, name))
      .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) >= OLD_MS),
  );
  const what = `${count(old.length, "unfinished file")} of killed processes`;
  const run = () => {
    for (const path of old) rmSync(path, { force: true });
    return `removed ${what}`;
  };
  if (old.length > 0) yield { ...ok("leftovers", `${what}; they do no harm`), fix: { run } };
}

function foldersBelow(folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  const below = namesIn(folder).filter((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
  return [folder, ...below.flatMap((name) => foldersBelow(join(folder, name), depth - 1))];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // unreadable or deleted
  }
}
