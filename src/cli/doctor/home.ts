import { readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../moments/errors.ts";
import { UNFINISHED, writeFileAtomic } from "../../store/atomic-file.ts";
import { findHome, type Home } from "../../store/home.ts";
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
  return [writable(home), ...disk(home), ...sweep(home, world.now())];
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
