import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { DESCRIBING, LONGEST_DESCRIBING_MS } from "../../../sources/sessions/describe/describe.ts";
import { lockHolder } from "../../../store/lock.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

export const checkLocks: Check = (world, home) => {
  if (home === undefined) return [];
  let names: string[];
  try {
    names = readdirSync(home.locks);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") return [damaged(home.locks, error)];
    return [ok("locks", "none yet")]; // nothing was ever locked here
  }
  const broken: NamedFinding[] = [];
  const held = names.flatMap((name) => {
    try {
      const holder = lockHolder(join(home.locks, name));
      return holder === undefined ? [] : [{ name, ...holder }];
    } catch (error) {
      // Removed since it was listed: nobody holds it.
      if (systemCode(error) !== "ENOENT") broken.push(damaged(join(home.locks, name), error));
      return [];
    }
  });
  if (broken.length > 0) return broken.slice(0, MAX_SHOWN);
  const longest = (name: string): number => (name.startsWith(DESCRIBING) ? LONGEST_DESCRIBING_MS : 10_000);
  const stuck = held.filter((lock) => lock.alive && Math.abs(world.now() - lock.since) > longest(lock.name));
  if (stuck.length === 0) return [ok("locks", `${names.length} in use so far, ${held.length} held now`)];
  return stuck.map((lock) =>
    warn(
      "locks",
      `${lock.name} is held by process ${lock.pid} since ${new Date(lock.since).toISOString()}`,
      "it is taken over by the next process that needs it",
    ),
  );
};

const MAX_SHOWN = 10;

function damaged(path: string, error: unknown): NamedFinding {
  const code = systemCode(error);
  const why = code === "ENOTDIR" ? "is no folder" : `cannot be read (${code})`;
  return fail(
    "locks",
    `${path} ${why}, so nothing can be kept under this lock`,
    "delete it: it is made anew",
  );
}
