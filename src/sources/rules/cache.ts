import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../compose/hash.ts";
import type { Surroundings } from "../../moments/source.ts";
import type { Moment } from "../../moments/types.ts";
import { writeFileAtomic } from "../../store/atomic-file.ts";
import { isRecord } from "../../store/settings.ts";
import type { RuleFile } from "./discover.ts";
import { type Loaded, loadRule } from "./load.ts";

/** Counts up whenever what `loadRule` makes of a file changes. */
const VERSION = 1;

/** A file this young may change again within the same tick of the clock: it is read again until it has settled. */
const SETTLED_MS = 2000;

interface Entry {
  readonly stamp: string;
  readonly loaded: Loaded;
}

/**
 * Loads rule files, reading only those that changed since the last time, in whatever process that was. The cache is
 * derived: deleting it, or losing a race for it, costs one more reading.
 */
export async function loadRules(
  files: readonly RuleFile[],
  moment: Pick<Moment, "project" | "at">,
  surroundings: Pick<Surroundings, "home" | "readOnly">,
): Promise<Loaded[]> {
  const now = moment.at;
  const path = join(surroundings.home, "cache", "rules", `${sha256(moment.project.root).slice(0, 24)}.json`);
  const known = readCache(path);
  const entries: Record<string, Entry> = {};
  let isNew = Object.keys(known).length !== files.length;
  const all: Loaded[] = [];
  for (const file of files) {
    const stamp = `${file.modified}:${file.changed}:${file.size}:${file.inode}`;
    const before = known[file.path];
    const isFresh = before?.stamp === stamp;
    const loaded = isFresh ? before.loaded : await loadRule(file);
    all.push(loaded);
    if (!isFresh) isNew = true;
    if (now - file.modified > SETTLED_MS && now - file.changed > SETTLED_MS)
      entries[file.path] = { stamp, loaded };
  }
  if (isNew && !surroundings.readOnly) writeCache(path, entries);
  return all;
}

function readCache(path: string): Record<string, Entry> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isRecord(value) && value["version"] === VERSION && isRecord(value["files"])) {
      return value["files"] as Record<string, Entry>;
    }
  } catch {
    // Absent or damaged: it is made anew from the files.
  }
  return {};
}

function writeCache(path: string, files: Record<string, Entry>): void {
  try {
    writeFileAtomic(path, JSON.stringify({ version: VERSION, files }), { durable: false });
  } catch {
    // Only speed is lost; a home that cannot be written is reported by what must be written.
  }
}
