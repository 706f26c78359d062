import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Home } from "../../src/store/home.ts";

/** Files that were written a moment ago are not relied on: after this, those that exist are. */
export const settle = (): Promise<void> => sleep(30);

const folderOf = (home: Home): string => join(home.root, "cache", "prepared");

export function preparedFiles(home: Home): string[] {
  return existsSync(folderOf(home)) ? readdirSync(folderOf(home)) : [];
}

/** Puts another text in place of one in the prepared values: where it appears, a value was used. */
export function mark(home: Home, text: string, by: string): void {
  for (const name of preparedFiles(home)) {
    const path = join(folderOf(home), name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(text, by));
  }
}

/** The same without any prepared value. */
export async function unprepared<T>(home: Home, work: () => Promise<T>): Promise<T> {
  const aside = `${folderOf(home)}-aside`;
  const isThere = existsSync(folderOf(home));
  if (isThere) renameSync(folderOf(home), aside);
  try {
    return await work();
  } finally {
    if (isThere) renameSync(aside, folderOf(home));
  }
}
