import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { LONGEST_RUNNING_MS, RUNNING } from "../../../sources/rules/run/runner.ts";
import { DESCRIBING, LONGEST_DESCRIBING_MS } from "../../../sources/sessions/describe/describe.ts";
import { freeLock, lockHolder } from "../../../store/lock.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, fixable, type NamedFinding, ok } from "./check.ts";

/** Work under these locks takes longer than usual. */
const LONG_LOCKS = [
  [DESCRIBING, LONGEST_DESCRIBING_MS],
  [RUNNING, LONGEST_RUNNING_MS],
] as const;
/** Work under any other takes milliseconds. */
const USUAL_MS = 30_000;
const MOST_SHOWN = 10;

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
  const stale = held.filter(
    ({ name, since, alive }) => alive && Math.abs(world.now() - since) > longest(name),
  );
  const found = [
    ...broken,
    ...stale.map(({ name, pid, since }) =>
      fixable(
        "warn",
        "locks",
        `the lock ${name} has been held by process ${pid} since ${new Date(since).toISOString()}`,
        () => release(join(home.locks, name), longest(name), world.now()),
      ),
    ),
  ];
  if (found.length > 0) return found.slice(0, MOST_SHOWN);
  const dead = held.filter(({ alive }) => !alive);
  const all = ok("locks", `${names.length} known, ${held.length - dead.length} held now`);
  return dead.length === 0 ? [all] : [all, leftBehind(dead.length)];

  /** They do no harm: the next process that needs one takes it over. */
  function leftBehind(count: number): NamedFinding {
    const what = counted(count, "lock");
    const run = () => {
      for (const { name } of dead) freeLock(join(home?.locks ?? "", name), longest(name), world.now());
      return `released ${what} of processes that have ended`;
    };
    return { ...ok("locks", `${what} of processes that have ended`), fix: { run } };
  }
};

function longest(name: string): number {
  return LONG_LOCKS.find(([prefix]) => name.startsWith(prefix))?.[1] ?? USUAL_MS;
}

function release(path: string, staleMs: number, now: number): string {
  return freeLock(path, staleMs, now) ? `released the lock ${path}` : `${path} has been released meanwhile`;
}

function damagedLock(path: string, error: unknown): NamedFinding {
  const code = systemCode(error);
  const why = code === "ENOTDIR" ? "is not a folder" : `cannot be read (${code})`;
  const detail = `${path} ${why}, so nothing can be locked with it`;
  if (code === "ENOTDIR") return fixable("fail", "locks", detail, () => remove(path));
  return fail("locks", detail, "delete it: it is created again when needed");
}

/** Never a folder with something in it: it may be a lock by now. */
function remove(path: string): string {
  if (lstatSync(path).isDirectory()) rmdirSync(path);
  else unlinkSync(path);
  return `removed ${path}; it is created again when needed`;
}
