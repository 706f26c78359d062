import { readdirSync } from "node:fs";
import { join } from "node:path";
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
  const stuck = held.filter((lock) => lock.alive && Math.abs(world.now() - lock.since) > 10_000);
  if (stuck.length === 0) return [ok("locks", `${names.length} in use so far, ${held.length} held now`)];
  return stuck.map((lock) =>
    warn(
      "locks",
      `${lock.name} is held by process ${lock.pid} since ${new Date(lock.since).toISOString()}`,
      "it is taken over by the next process that needs it",
    ),
  );
};
