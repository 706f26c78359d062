import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";

/** Where a path leads when the system follows its links, even if nothing exists there yet. */
export interface Followed {
  /** The parts below the folder; undefined if the path leads outside. */
  readonly rest: readonly string[] | undefined;
  /** Whether a part of it is a link, or cannot be checked. */
  readonly isLinked: boolean;
  readonly target: string;
}

/** As many links as Linux follows. */
const MOST_LINKS = 40;
const SEPARATORS = process.platform === "win32" ? /[\\/]+/ : /\/+/;

/**
 * Checks every part. A dangling link counts too, because writing through it creates a file at its target. Links above
 * the folder do not count, such as /tmp on macOS: the user chose that folder.
 */
export function followed(path: string, folder: string): Followed {
  const root = realOr(folder);
  const asked = isAbsolute(path) ? path : join(folder, sep) + path;
  const base = [folder, root].find((one) => asked.startsWith(join(one, sep)));
  const start = base === undefined ? parse(resolve(asked)).root : root;
  const parts = asked.slice(base === undefined ? start.length : join(base, sep).length).split(SEPARATORS);
  const { at, isLinked } = walk(start, parts);
  const below = base === undefined ? undefined : wayInside(root, at);
  return {
    rest: below?.split(sep).filter((part) => part !== ""),
    isLinked,
    target: at,
  };
}

function walk(start: string, parts: readonly string[]): { at: string; isLinked: boolean } {
  const left = [...parts];
  let at = start;
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const link = linkAt(next);
    if (link === undefined) {
      at = next;
      continue;
    }
    if (link === "" || ++links > MOST_LINKS) return { at: join(next, ...left), isLinked: true };
    left.unshift(...link.slice(isAbsolute(link) ? parse(link).root.length : 0).split(SEPARATORS));
    if (isAbsolute(link)) at = parse(link).root;
  }
  return { at, isLinked: links > 0 };
}

/** A link's target; undefined if it is not a link or does not exist; empty if it cannot be read. */
function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "") ? undefined : "";
  }
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path); // deleted, so nothing in it is a link
  }
}
