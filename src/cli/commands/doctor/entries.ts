import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** A home has thousands of entries at most; checking more is not worth the wait. */
const MOST_ENTRIES = 50_000;

/**
 * What Continuo wrote in the home, in folders that are wanted; links are left out and not followed. `models` and `chat` are
 * installed by the user, and what is in the trash keeps its permissions until it is put back.
 */
export function* entriesBelow(
  root: string,
  isWanted: (folder: Stats) => boolean,
): Generator<{ readonly path: string; readonly stat: Stats }> {
  const others = ["models", "chat", "trash"].map((name) => join(root, name));
  const waiting = [root];
  for (let looked = 0; looked < MOST_ENTRIES && waiting.length > 0; looked++) {
    const path = waiting.pop() ?? "";
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isSymbolicLink()) continue;
    yield { path, stat };
    if (stat.isDirectory() && isWanted(stat) && !others.includes(path))
      waiting.push(...namesIn(path).map((name) => join(path, name)));
  }
}

export function foldersBelow(folder: string, depth: number): string[] {
  if (depth === 0) return [folder];
  const below = namesIn(folder).filter((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory(),
  );
  return [folder, ...below.flatMap((name) => foldersBelow(join(folder, name), depth - 1))];
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // unreadable or gone
  }
}
