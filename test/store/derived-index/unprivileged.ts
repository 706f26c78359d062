import { chownSync, lchownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const NOBODY = 65_534;

/** Runs `fn` bound by file permissions even where the tests run as root, as they do in most containers. */
export function unprivileged<T>(fn: () => T): T {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return fn();
  process.seteuid(NOBODY);
  let result: T;
  try {
    result = fn();
  } catch (error) {
    process.seteuid(0);
    throw error;
  }
  if (!(result instanceof Promise)) {
    process.seteuid(0);
    return result;
  }
  // Tests of one file run one after the other, so nobody else is nobody meanwhile.
  return result.finally(() => process.seteuid?.(0)) as T;
}

/** A folder, with all that is in it, becomes that of the one whom `unprivileged` runs as: permissions are then its own. */
export function giveAway(folder: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(folder, NOBODY, NOBODY);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, name), NOBODY, NOBODY);
}
