import { chmodSync, existsSync, lstatSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../../../base/errors.ts";
import { version } from "../../../base/version.ts";
import { LONGEST_RUNNING_MS, RUNNING } from "../../../sources/rules/run/runner.ts";
import { DESCRIBING, LONGEST_DESCRIBING_MS } from "../../../sources/sessions/describe/describe.ts";
import { loadConfig } from "../../../store/config.ts";
import { findHome, type Home, homeProblem } from "../../../store/home.ts";
import { lockHolder } from "../../../store/lock.ts";
import { UNFINISHED, writeFileAtomic } from "../../../store/write-file.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

const FLOOR = [22, 19] as const;

export const checkRuntime: Check = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const detail = `continuo ${version} on Node ${process.versions.node} (${process.execPath})`;
  if (major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1])) return [ok("runtime", detail)];
  return [
    warn(
      "runtime",
      `${detail}: rules work, search does not`,
      `install Node 24 (or at least ${FLOOR.join(".")}), then run continuo install for each host again`,
    ),
  ];
};

const LITTLE = 50 * 1024 * 1024;
const FULL = 1024 * 1024;
const OLD_MS = 60 * 60 * 1000;

export const checkHome: Check = (world, home) => {
  if (home === undefined) {
    try {
      findHome(world.env);
    } catch (error) {
      const { message, hint } = describeError(error);
      return [fail("home", message, hint ?? "")];
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
    const { message } = describeError(error);
    return fail(
      "home",
      `${home.root} cannot be written: ${message}`,
      "make it writable, free some disk space, or set CONTINUO_HOME",
    );
  }
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

/** A home has thousands of entries at most; checking more is not worth the wait. */
const MOST_ENTRIES = 50_000;

/** Older versions created some files with the default umask. Removes access for other users; links are not followed. */
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
        failed++; // reported below
      }
    }
    // `models` is installed by the user.
    if (stat.isDirectory() && path !== join(home.root, "models"))
      waiting.push(...namesIn(path).map((name) => join(path, name)));
  }
  return [
    ...(changed === 0
      ? []
      : [
          ok(
            "modes",
            `${counted(changed, "file or folder", "files and folders")} could be read by other users; fixed`,
          ),
        ]),
    ...(failed === 0
      ? []
      : [
          warn(
            "modes",
            `${counted(failed, "file or folder", "files and folders")} can be read by other users`,
            `chmod -R go= ${home.root}`,
          ),
        ]),
  ];
}

/** Removes unfinished files that a killed process left behind, once they are old enough to be abandoned. */
function sweep(home: Home, now: number): NamedFinding[] {
  let removed = 0;
  for (const folder of foldersBelow(home.root, 3)) {
    for (const name of namesIn(folder)) {
      const path = join(folder, name);
      const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (!UNFINISHED.test(name) || age < OLD_MS) continue;
      rmSync(path, { force: true });
      removed++;
    }
  }
  return removed === 0
    ? []
    : [ok("leftovers", `removed ${counted(removed, "unfinished file")} of killed processes`)];
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
    return []; // unreadable or gone
  }
}

export const checkConfig: Check = async (world, home) => {
  if (home === undefined) return [];
  const { problems } = loadConfig(home.config, await world.sources(), world.env);
  if (problems.length === 0)
    return [ok("config", existsSync(home.config) ? home.config : "defaults (no config.json)")];
  return problems.map((problem) => fail("config", problem.message, problem.hint));
};

/** Work under these locks takes longer than usual. */
const LONG_LOCKS = [
  [DESCRIBING, LONGEST_DESCRIBING_MS],
  [RUNNING, LONGEST_RUNNING_MS],
] as const;

export const checkLocks: Check = (world, home) => {
  if (home === undefined) return [];
  let names: string[];
  try {
    names = readdirSync(home.locks);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return [damagedLock(home.locks, error)];
    return [ok("locks", "none yet")]; // nothing has been locked yet
  }
  const broken: NamedFinding[] = [];
  const held = names.flatMap((name) => {
    try {
      const holder = lockHolder(join(home.locks, name));
      return holder === undefined ? [] : [{ name, ...holder }];
    } catch (error) {
      // Removed since it was listed, so nobody holds it.
      if (systemCode(error) !== "ENOENT") broken.push(damagedLock(join(home.locks, name), error));
      return [];
    }
  });
  if (broken.length > 0) return broken.slice(0, MOST_LOCKS_SHOWN);
  const longest = (name: string): number =>
    LONG_LOCKS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? 10_000;
  const stuck = held.filter((lock) => lock.alive && Math.abs(world.now() - lock.since) > longest(lock.name));
  if (stuck.length === 0) return [ok("locks", `${names.length} known, ${held.length} held now`)];
  return stuck.map((lock) =>
    warn(
      "locks",
      `${lock.name} has been held by process ${lock.pid} since ${new Date(lock.since).toISOString()}`,
      "no action is needed: the next process that needs it takes it over",
    ),
  );
};

const MOST_LOCKS_SHOWN = 10;

function damagedLock(path: string, error: unknown): NamedFinding {
  const code = systemCode(error);
  const why = code === "ENOTDIR" ? "is not a folder" : `cannot be read (${code})`;
  return fail(
    "locks",
    `${path} ${why}, so nothing can be locked with it`,
    "delete it: it is created again when needed",
  );
}
