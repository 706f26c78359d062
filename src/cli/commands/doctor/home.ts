import { chmodSync, lstatSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { findHome, type Home, homeProblem } from "../../../store/home.ts";
import { UNFINISHED, writeFileAtomic } from "../../../store/write-file.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

const LITTLE = 50 * 1024 * 1024;
const OLD_MS = 60 * 60 * 1000;

export const checkHome: Check = (world, home) => {
  if (home === undefined) {
    try {
      findHome(world.env);
    } catch (error) {
      const told = describeError(error);
      return [fail("home", told.message, told.hint ?? "")];
    }
    return [];
  }
  const problem = homeProblem(world.env);
  return [
    ...(problem === undefined ? [] : [warn("home", problem.message, problem.hint)]),
    writable(home),
    ...disk(home),
    ...tighten(home),
    ...sweep(home, world.now()),
  ];
};

function writable(home: Home): NamedFinding {
  const probe = join(home.root, ".doctor-probe");
  try {
    writeFileAtomic(probe, "");
    rmSync(probe);
    return ok("home", home.root);
  } catch (error) {
    const told = describeError(error);
    return fail(
      "home",
      `${home.root} cannot be written: ${told.message}`,
      "make it writable, free some disk, or set CONTINUO_HOME",
    );
  }
}

function disk(home: Home): NamedFinding[] {
  try {
    const { bavail, bsize } = statfsSync(home.root);
    const free = bavail * bsize;
    const text = `${Math.floor(free / 1024 / 1024)} MB free`;
    return [
      free < LITTLE
        ? warn("disk", text, "free some disk: nothing can be kept when it is full")
        : ok("disk", text),
    ];
  } catch {
    return []; // the home is not there or cannot be asked: the finding before says so
  }
}

/** Entries looked at: a home has thousands at most, and a memory with more is not worth a longer wait. */
const MOST_ENTRIES = 50_000;

/** Older versions made some files by the umask. What others may read or write is taken from them; links are left alone. */
function tighten(home: Home): NamedFinding[] {
  if (process.platform === "win32") return [];
  const waiting = [home.root];
  let changed = 0;
  let failed = 0;
  for (let looked = 0; looked < MOST_ENTRIES && waiting.length > 0; looked++) {
    const path = waiting.pop() ?? "";
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink()) continue;
    if ((stat.mode & 0o077) !== 0) {
      try {
        chmodSync(path, stat.mode & 0o700);
        changed++;
      } catch {
        failed++; // told below
      }
    }
    // What the user installed there is not ours.
    if (stat.isDirectory() && path !== join(home.root, "models"))
      waiting.push(...list(path).map((name) => join(path, name)));
  }
  return [
    ...(changed === 0
      ? []
      : [ok("modes", `${changed} files and folders could be read by other users; no longer`)]),
    ...(failed === 0
      ? []
      : [
          warn(
            "modes",
            `${failed} files and folders can be read by other users`,
            `chmod -R go= ${home.root}`,
          ),
        ]),
  ];
}

/** Files that a killed process left unfinished: harmless, and removed once they are surely abandoned. */
function sweep(home: Home, now: number): NamedFinding[] {
  let removed = 0;
  for (const folder of foldersBelow(home.root, 3)) {
    for (const name of list(folder)) {
      const path = join(folder, name);
      const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (!UNFINISHED.test(name) || age < OLD_MS) continue;
      rmSync(path, { force: true });
      removed++;
    }
  }
  return removed === 0 ? [] : [ok("leftovers", `${removed} unfinished file(s) of killed processes removed`)];
}

function foldersBelow(folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  const below = list(folder).filter((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
  return [folder, ...below.flatMap((name) => foldersBelow(join(folder, name), depth - 1))];
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // unreadable or gone: nothing to sweep there
  }
}
