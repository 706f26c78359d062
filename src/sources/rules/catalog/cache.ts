import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { isRecord } from "../../../base/settings.ts";
import { quote } from "../../../compose/escape.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { readText } from "../../../store/read-file.ts";
import type { RuleFile } from "../files/discover.ts";
import { type RuleLimits, timer } from "../files/limits.ts";
import { loadRule } from "../files/load.ts";
import type { Lint, Parsed, Rule } from "../rule.ts";

/** Counts up whenever what `loadRule` makes of a file changes. */
const VERSION = 6;

/** A file this young may change again within the same tick of the clock: it is read again once it has settled. */
const SETTLED_MS = 2000;

/** Texts that are short are kept beside the conditions; others are read from the rule's file when the rule applies. */
const MAX_KEPT_TEXT = 8 * 1024;
const MAX_KEPT_TEXTS = 1024 * 1024;

/** Twice what the limits on conditions and texts let it become. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** One rule file, understood. */
export interface Entry {
  readonly stamp: string;
  readonly parsed: Understood;
  /** Hash of what the rule says and when: the same for the same rule in two places. */
  readonly content: string;
  /** Hash of its text alone. */
  readonly hash: string;
  readonly tokens: number;
  /** How many characters its conditions and guards take. */
  readonly size: number;
  /** It was read so soon after it had changed that it may have changed again unnoticed. */
  readonly isYoung?: true;
}

export type Understood =
  | { readonly kind: "rule"; readonly rule: KnownRule; readonly lints: readonly Lint[] }
  | Extract<Parsed, { kind: "refused" }>;

export interface KnownRule extends Omit<Rule, "body"> {
  /** Absent when it is not kept here. */
  readonly body?: string;
  readonly isEmpty: boolean;
}

/** In a long-lived host the same cache is asked for at every moment: it is parsed once. */
const inMemory = new Map<string, Record<string, Entry>>();

export interface CachePlace {
  readonly root: string;
  readonly home: string;
  readonly readOnly: boolean;
  readonly now: number;
}

export interface Loaded {
  /** By path. A file that is missing is not understood yet. */
  readonly entries: Readonly<Record<string, Entry>>;
  readonly pending: readonly RuleFile[];
}

/**
 * Loads rule files in the given order, reading only those that changed since the last time, in whatever process that was,
 * and of those no more than the limits allow: the rest is left to later calls, and what was understood is kept for them.
 * The cache is derived: deleting it, or losing a race for it, costs one more reading.
 */
export async function loadRules(
  files: readonly RuleFile[],
  place: CachePlace,
  limits: RuleLimits,
  clock: () => number,
): Promise<Loaded> {
  const path = join(place.home, "cache", "rules", `${fingerprint(place.root)}.json`);
  const known = inMemory.get(path) ?? readCache(path);
  const entries: Record<string, Entry> = {};
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
  // What was never read comes first; what may have changed unnoticed is used as it is when there is no time.
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
    inMemory.set(path, entries);
    if (isNew) writeCache(path, entries);
  }
  return { entries, pending };
}

function stampOf(file: RuleFile): string {
  return `${file.modified}:${file.changed}:${file.size}:${file.inode}`;
}

/** Whatever changes it from now on changes its times too. */
export function isSettled(
  { modified, changed }: Pick<RuleFile, "modified" | "changed">,
  now: number,
): boolean {
  return now - modified >= SETTLED_MS && now - changed >= SETTLED_MS;
}

function entryOf(file: RuleFile, parsed: Parsed, now: number): Entry {
  const isYoung = !isSettled(file, now);
  const common = { stamp: stampOf(file), ...(isYoung && { isYoung: true as const }) };
  if (parsed.kind === "refused") {
    return { ...common, parsed, tokens: 0, size: 0, hash: "", content: fingerprint(JSON.stringify(parsed)) };
  }
  const { body, ...rule } = parsed.rule;
  const conditions = JSON.stringify([rule.when, rule.guards]);
  return {
    ...common,
    parsed: { kind: "rule", rule: { ...rule, body, isEmpty: body === "" }, lints: parsed.lints },
    tokens: tokensOf(body),
    size: conditions.length,
    content: fingerprint(body + conditions),
    hash: fingerprint(body),
  };
}

/** Counting every character of a text that fits no budget would be most of what understanding it takes. */
const COUNTED = 64 * 1024;

function tokensOf(body: string): number {
  const counted = countTokens(quote(body.slice(0, COUNTED)).trim());
  return body.length <= COUNTED ? counted : Math.ceil((counted * body.length) / COUNTED);
}

/** Leaves out the rules whose conditions are more than what may be kept of all of them. */
function cutConditions(files: readonly RuleFile[], entries: Record<string, Entry>, limits: RuleLimits): void {
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

function isCut({ parsed }: Entry): boolean {
  return parsed.kind === "refused" && parsed.code === CUT;
}

/** Keeps the cache small enough to be read at every hook. */
function dropTexts(files: readonly RuleFile[], entries: Record<string, Entry>): void {
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

function readCache(path: string): Record<string, Entry> {
  try {
    const value: unknown = JSON.parse(readText(path, { maxBytes: MAX_CACHE_BYTES }));
    if (isRecord(value) && value["version"] === VERSION && isRecord(value["files"])) {
      return value["files"] as Record<string, Entry>;
    }
  } catch (error) {
    // Absent or damaged: it is made anew from the files.
    if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
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
