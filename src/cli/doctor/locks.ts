import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DESCRIBING, LONGEST_DESCRIBING_MS } from "../../sources/sessions/describe/turn-taking.ts";
import { lockHolder } from "../../store/lock.ts";
import { type Check, ok, warn } from "./check.ts";

export const checkLocks: Check = (world, home) => {
  if (home === undefined) return [];
  let names: string[];
  try {
    names = readdirSync(home.locks);
  } catch {
    return [ok("locks", "none yet")]; // nothing was ever locked here
  }
  const held = names.flatMap((name) => {
    const holder = lockHolder(join(home.locks, name));
    return holder === undefined ? [] : [{ name, ...holder }];
  });
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
