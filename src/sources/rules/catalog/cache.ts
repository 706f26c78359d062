import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { isRecord } from "../../../base/json.ts";
import { quote } from "../../../compose/escape.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { readText } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import type { RuleFile } from "../files/folders.ts";
import { type RuleLimits, timer } from "../files/limits.ts";
import { loadRule } from "../files/load.ts";
import type { Parsed } from "../rule.ts";
import type { CacheEntry } from "./catalog-rule.ts";

/** Increase it whenever the result of `loadRule` for a file changes. */
const VERSION = 9;

/** A file changed more recently than this may change again without a new time stamp, so it is read again later. */
const SETTLED_MS = 2000;

/** Short texts are cached; longer ones are read from the rule's file when the rule applies. */
const MAX_KEPT_TEXT = 8 * 1024;
const MAX_KEPT_TEXTS = 1024 * 1024;

/** Twice the size that the limits on conditions and texts allow. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** A long-running host needs the same cache at every moment, so the parsed caches of a few projects are kept. */
const MOST_PROJECTS = 8;
const inMemory = new Map<string, Record<string, CacheEntry>>();

export interface CachePlace {
  readonly root: string;
  readonly home: string;
  readonly readOnly: boolean;
  readonly now: number;
}

export interface Loaded {
  /** By path. A file without an entry is not parsed yet. */
  readonly entries: Readonly<Record<string, CacheEntry>>;
  readonly pending: readonly RuleFile[];
}

/**
 * Loads rule files in the given order. Only files that changed since the last call of any process are read, and no more
 * than the limits allow; later calls continue from the cache. The cache can be deleted at any time: that only costs
 * reading the files again.
 */
export async function loadRules(
  files: readonly RuleFile[],
  place: CachePlace,
  limits: RuleLimits,
  clock: () => number,
): Promise<Loaded> {
  const path = join(place.home, "cache", "rules", `${fingerprint(place.root)}.json`);
  const known = inMemory.get(path) ?? readCache(path);
  const entries: Record<string, CacheEntry> = {};
  const unread: RuleFile[] = [];
  const young: RuleFile[] = [];
  let size = 0;
  for (const file of files) {
    const before = known[file.path];
    if (before === undefined || before.stamp !== stampOf(file)) unread.push(file);
    else if (isCut(before) && size + before.size <= limits.conditions) unread.push(file);
    else {
      entries[file.path] = before;
      size += isCut(before) ? 0 : before.size;
      if (before.isYoung) young.push(file);
    }
  }
  const isOver = timer(limits.ms, clock);
  const pending: RuleFile[] = [];
  let [count, bytes, patterns] = [0, 0, 0];
  let isNew = Object.keys(known).length > Object.keys(entries).length;
  // New files come first. If there is no time left, recently changed files are used as cached.
  for (const file of [...unread, ...young]) {
    const isSure = count < limits.sureFiles && bytes < limits.sureBytes && patterns < limits.surePatterns;
    const isFull = bytes > limits.newBytes || patterns > limits.newPatterns;
    if (isFull || (!isSure && isOver())) {
      if (entries[file.path] === undefined) pending.push(file);
      continue;
    }
    count++;
    bytes += file.size;
    const { cost = 0, ...parsed } = await loadRule(file);
    patterns += cost;
    const entry = entryOf(file, parsed, place.now);
    isNew ||= !entry.isYoung || entries[file.path] === undefined;
    entries[file.path] = entry;
  }
  cutConditions(files, entries, limits);
  dropTexts(files, entries);
  if (!place.readOnly) {
    inMemory.delete(path); // moves it to the end: the first is the least recently used
    inMemory.set(path, entries);
    const [oldest] = inMemory.keys();
    if (inMemory.size > MOST_PROJECTS && oldest !== undefined) inMemory.delete(oldest);
    if (isNew) writeCache(path, entries);
  }
  return { entries, pending };
}

function stampOf(file: RuleFile): string {
  return `${file.modified}:${file.changed}:${file.size}:${file.inode}`;
}

/** Whether any further change of the file would also change its time stamps. */
export function isSettled(
  { modified, changed }: Pick<RuleFile, "modified" | "changed">,
  now: number,
): boolean {
  return now - modified >= SETTLED_MS && now - changed >= SETTLED_MS;
}

function entryOf(file: RuleFile, parsed: Parsed, now: number): CacheEntry {
  const isYoung = !isSettled(file, now);
  const common = { stamp: stampOf(file), ...(isYoung && { isYoung: true as const }) };
  if (parsed.kind === "refused") {
    return { ...common, parsed, tokens: 0, size: 0, hash: "", content: fingerprint(JSON.stringify(parsed)) };
  }
  const { body, ...rule } = parsed.rule;
  const conditions = JSON.stringify([rule.when, rule.checks]);
  return {
    ...common,
    parsed: { kind: "rule", rule: { ...rule, body, isEmpty: body === "" }, lints: parsed.lints },
    tokens: tokensOf(body),
    size: conditions.length,
    content: fingerprint(body + conditions),
    hash: fingerprint(body),
  };
}

/** A longer text fits no budget anyway, and counting all of it would take longer than parsing it. */
const COUNTED = 64 * 1024;

function tokensOf(body: string): number {
  const counted = countTokens(quote(body.slice(0, COUNTED)).trim());
  return body.length <= COUNTED ? counted : Math.ceil((counted * body.length) / COUNTED);
}

/** Drops rules whose conditions exceed the limit for all conditions together. */
function cutConditions(
  files: readonly RuleFile[],
  entries: Record<string, CacheEntry>,
  limits: RuleLimits,
): void {
  let size = 0;
  for (const { path } of files) {
    const entry = entries[path];
    if (entry === undefined || isCut(entry)) continue;
    if (size + entry.size <= limits.conditions) {
      size += entry.size;
      continue;
    }
    const message = `${path} is left out: the conditions of all rules together are too large`;
    entries[path] = { ...entry, tokens: 0, parsed: { kind: "refused", code: CUT, message } };
  }
}

const CUT = "rules-cut";

function isCut({ parsed }: CacheEntry): boolean {
  return parsed.kind === "refused" && parsed.code === CUT;
}

/** Removes texts until the cache is small enough to be read at every hook. */
function dropTexts(files: readonly RuleFile[], entries: Record<string, CacheEntry>): void {
  let kept = 0;
  for (const { path } of files) {
    const entry = entries[path];
    const body = entry?.parsed.kind === "rule" ? entry.parsed.rule.body : undefined;
    if (entry?.parsed.kind !== "rule" || body === undefined) continue;
    if (body.length <= MAX_KEPT_TEXT && kept + body.length <= MAX_KEPT_TEXTS) {
      kept += body.length;
      continue;
    }
    const { body: _, ...rule } = entry.parsed.rule;
    entries[path] = { ...entry, parsed: { ...entry.parsed, rule } };
  }
}

function readCache(path: string): Record<string, CacheEntry> {
  try {
    const value: unknown = JSON.parse(readText(path, { maxBytes: MAX_CACHE_BYTES }));
    if (isRecord(value) && value["version"] === VERSION && isRecord(value["files"])) {
      return value["files"] as Record<string, CacheEntry>;
    }
  } catch (error) {
    // Absent or damaged: it is rebuilt from the files.
    if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
  }
  return {};
}

function writeCache(path: string, files: Record<string, CacheEntry>): void {
  try {
    writeFileAtomic(path, JSON.stringify({ version: VERSION, files }), { durable: false });
  } catch {
    // Only speed is lost. An unwritable home is reported by the writes that matter.
  }
}
