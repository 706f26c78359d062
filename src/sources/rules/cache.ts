import { join } from "node:path";
import { quote } from "../../compose/escape.ts";
import { fingerprint } from "../../compose/fingerprint.ts";
import { countTokens } from "../../compose/tokens.ts";
import { writeFileAtomic } from "../../store/atomic-file.ts";
import { readText } from "../../store/read-file.ts";
import { isRecord } from "../../store/settings.ts";
import type { RuleFile } from "./discover.ts";
import { loadRule } from "./load.ts";
import type { Parsed } from "./rule.ts";

/** Counts up whenever what `loadRule` makes of a file changes. */
const VERSION = 3;

/** A file this young may change again within the same tick of the clock: it is read again until it has settled. */
const SETTLED_MS = 2000;

/** One rule file, understood. */
export interface Entry {
  readonly stamp: string;
  readonly parsed: Parsed;
  /** Hash of what the rule says and when: the same for the same rule in two places. */
  readonly content: string;
  readonly tokens: number;
}

/** In a long-lived host the same cache is asked for at every moment: it is parsed once. */
const inMemory = new Map<string, Record<string, Entry>>();

export interface CachePlace {
  readonly root: string;
  readonly home: string;
  readonly readOnly: boolean;
  readonly now: number;
}

/**
 * Loads rule files, reading only those that changed since the last time, in whatever process that was. The cache is
 * derived: deleting it, or losing a race for it, costs one more reading.
 */
export async function loadRules(files: readonly RuleFile[], place: CachePlace): Promise<Entry[]> {
  const path = join(place.home, "cache", "rules", `${fingerprint(place.root)}.json`);
  const known = inMemory.get(path) ?? readCache(path);
  const entries: Record<string, Entry> = {};
  let isNew = false;
  const all: Entry[] = [];
  for (const file of files) {
    const stamp = `${file.modified}:${file.changed}:${file.size}:${file.inode}`;
    const before = known[file.path];
    const entry = before?.stamp === stamp ? before : entryOf(stamp, await loadRule(file));
    all.push(entry);
    if (place.now - file.modified < SETTLED_MS || place.now - file.changed < SETTLED_MS) continue;
    entries[file.path] = entry;
    isNew ||= entry !== before;
  }
  if (place.readOnly) return all;
  inMemory.set(path, entries);
  if (isNew || Object.keys(known).some((name) => !(name in entries))) writeCache(path, entries);
  return all;
}

function entryOf(stamp: string, parsed: Parsed): Entry {
  const said = parsed.kind === "rule" ? [parsed.rule.body, parsed.rule.when, parsed.rule.guards] : parsed;
  const tokens = parsed.kind === "rule" ? countTokens(quote(parsed.rule.body).trim()) : 0;
  return { stamp, parsed, tokens, content: fingerprint(JSON.stringify(said)) };
}

function readCache(path: string): Record<string, Entry> {
  try {
    const value: unknown = JSON.parse(readText(path, { maxBytes: 64 * 1024 * 1024 }));
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
