import { chmodSync, existsSync, lstatSync, rmSync, type Stats, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { removeEmptyFolders } from "../../../store/folder.ts";
import { findHome, type Home, homeProblem } from "../../../store/home.ts";
import { UNFINISHED, writeFileAtomic } from "../../../store/write-file.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, fixable, type NamedFinding, ok, warn } from "./check.ts";
import { entriesBelow, foldersBelow, namesIn } from "./entries.ts";

const LITTLE = 50 * 1024 * 1024;
const FULL = 1024 * 1024;
const OLD_MS = 60 * 60 * 1000;

export const checkHome: Check = (world, home) => {
  if (home === undefined) {
    try {
      findHome(world.env);
    } catch (error) {
      const { message, hint } = describeError(error);
      return [fail("home", message, hint ?? "set HOME, or CONTINUO_HOME, to an absolute path")];
    }
    return [];
  }
  const problem = homeProblem(world.env);
  return [
    ...(problem === undefined ? [] : [warn("home", problem.message, problem.hint)]),
    writable(home),
    ...disk(home),
    ...permissions(home),
    ...leftovers(home, world.now()),
  ];
};

function writable(home: Home): NamedFinding {
  const probe = join(home.root, ".doctor-probe");
  const isNew = !existsSync(home.root);
  try {
    writeFileAtomic(probe, "");
    rmSync(probe);
    // After an uninstallation with its data, a look leaves no folder behind.
    if (isNew) removeEmptyFolders([home.root]);
    return ok("home", home.root);
  } catch (error) {
    const { message } = describeError(error);
    const detail = `${home.root} cannot be written: ${message}`;
    if (isClosedToOwner(home.root)) return fixable("fail", "home", detail, () => openToOwner(home.root));
    return fail("home", detail, "make it writable, free some disk space, or set CONTINUO_HOME");
  }
}

/** The owner took away their own right to write, which only they can give back. */
function isClosedToOwner(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o700) !== 0o700;
}

function openToOwner(path: string): string {
  chmodSync(path, 0o700);
  return `made ${path} writable for you`;
}

function disk(home: Home): NamedFinding[] {
  try {
    const { bavail, bsize } = statfsSync(home.root);
    const free = bavail * bsize;
    const text = `${Math.floor(free / 1024 / 1024)} MB free`;
    const hint = "free some disk space: nothing can be stored when it is full";
    if (free < FULL) return [fail("disk", text, hint)];
    return [free < LITTLE ? warn("disk", text, hint) : ok("disk", text)];
  } catch {
    return []; // the home does not exist or cannot be read: `writable` reports that
  }
}

/** Older versions created some files with the default umask. Links are not followed. */
function permissions(home: Home): NamedFinding[] {
  if (process.platform === "win32") return [];
  const open = [...readableByOthers(home)];
  if (open.length === 0) return [];
  const [first = ""] = open;
  const what = open.length === 1 ? first : `${open.length} files and folders, such as ${first},`;
  return [fixable("warn", "permissions", `${what} can be read by other users`, () => close(home))];
}

/** Nobody else gets at what is below a closed folder, whatever its own permissions are. */
function* readableByOthers(home: Home): Generator<string> {
  for (const { path, stat } of entriesBelow(home.root, isOpen)) if (isOpen(stat)) yield path;
}

function isOpen({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
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
  if (refused.length > 0)
    throw new Error(
      `${counted(refused.length, "file or folder", "files and folders")} could not be changed, such as ${refused[0]}`,
    );
  return `made ${counted(closed, "file or folder", "files and folders")} readable for you alone`;
}

/** Unfinished files that a killed process left behind, once they are old enough to be abandoned. They do no harm. */
function leftovers(home: Home, now: number): NamedFinding[] {
  const old = foldersBelow(home.root, 3).flatMap((folder) =>
    namesIn(folder)
      .filter((name) => UNFINISHED.test(name))
      .map((name) => join(folder, name))
      .filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) >= OLD_MS),
  );
  if (old.length === 0) return [];
  const what = counted(old.length, "unfinished file");
  const run = () => {
    for (const path of old) rmSync(path, { force: true });
    return `removed ${what} of killed processes`;
  };
  return [{ ...ok("leftovers", `${what} of killed processes; they do no harm`), fix: { run } }];
}
