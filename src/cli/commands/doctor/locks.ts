import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { LONGEST_RUNNING_MS, RUNNING } from "../../../sources/rules/run/runner.ts";
import { DESCRIBING, LONGEST_DESCRIBING_MS } from "../../../sources/sessions/describe/describe.ts";
import type { Home } from "../../../store/home.ts";
import { freeLock, lockHolder } from "../../../store/lock.ts";
import type { World } from "../../command.ts";
import { fail, fixable, type NamedFinding, ok } from "./check.ts";

/** Locks that are held longer than usual. */
const LONG_LOCKS = [
  [DESCRIBING, LONGEST_DESCRIBING_MS],
  [RUNNING, LONGEST_RUNNING_MS],
] as const;
/** All others are held for milliseconds. */
const USUAL_MS = 30_000;
const MOST_SHOWN = 10;

export function* checkLocks({ now }: World, { locks }: Home): Generator<NamedFinding> {
  let names: string[];
  try {
    names = readdirSync(locks);
  } catch (error) {
    // Nothing has ever been locked.
    return yield systemCode(error) === "ENOENT" ? ok("locks", "none yet") : damagedLock(locks, error);
  }
  const broken: NamedFinding[] = [];
  const held = names.flatMap((name) => {
    const path = join(locks, name);
    try {
      const holder = lockHolder(path);
      return holder === undefined ? [] : [{ name, path, ...holder }];
    } catch (error) {
      // Removed after it was listed, so nobody holds it.
      if (systemCode(error) !== "ENOENT") broken.push(damagedLock(path, error));
      return [];
    }
  });
  const isStale = (one: (typeof held)[number]) =>
    one.alive && Math.abs(now() - one.since) > longest(one.name);
  const stale = held
    .filter(isStale)
    .map(({ name, path, pid, since }) =>
      fixable(
        "warn",
        "locks",
        `the lock ${name} has been held by process ${pid} since ${new Date(since).toISOString()}`,
        () => release(path, longest(name), now()),
      ),
    );
  const found = [...broken, ...stale];
  if (found.length > 0) return yield* found.slice(0, MOST_SHOWN);
  const dead = held.filter(({ alive }) => !alive);
  yield ok("locks", `${names.length} known, ${held.length - dead.length} held now`);
  if (dead.length === 0) return;
  // Harmless: the next process that needs one takes it over.
  const what = `${count(dead.length, "lock")} of processes that have ended`;
  const run = () => {
    for (const { name, path } of dead) freeLock(path, longest(name), now());
    return `released ${what}`;
  };
  yield { ...ok("locks", what), fix: { run } };
}

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

/** Never removes a folder with content, which may be a lock by now. */
function remove(path: string): string {
  if (lstatSync(path).isDirectory()) rmdirSync(path);
  else unlinkSync(path);
  return `removed ${path}; it is created again when needed`;
}
