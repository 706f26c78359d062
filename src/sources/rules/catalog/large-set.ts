import { existsSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { readAt, readText, withFile } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import type { Discovered } from "../files/discover.ts";
import type { RuleFile, RuleFolder } from "../files/folders.ts";
import type { RuleLimits } from "../files/limits.ts";
import { bucketsOf } from "../matching/file-matching.ts";
import { FOLDS_CASE } from "../matching/glob-matcher.ts";
import { foldedIn, foldKeyword } from "../matching/keywords.ts";
import type { RulesMemo } from "../memo.ts";
import { type CachePlace, isSettled, MAX_CACHE_BYTES } from "./cache.ts";
import type { Catalog, Reject } from "./catalog-rule.ts";
import {
  type Buckets,
  type Contents,
  type Digest,
  type DigestHead,
  type DigestInput,
  type FileRecord,
  fileFrom,
  type Keywords,
  openDigest,
  type RuleRecord,
  ruleFrom,
  toDigest,
} from "./digest.ts";

/**
 * A set above these limits is large. In an ordinary set, every hook checks every file. In a large set, it checks every
 * folder, so that an added, removed, renamed or replaced file is seen at once, and the files of rules that apply. Of
 * the other files it checks one group in rotation, and all of them when a session starts, is resumed or was compacted.
 */
const ORDINARY = { files: 300, folders: 100 };

/**
 * The rules of a large set that could apply, from its digest. Returns undefined if there is no digest or a checked file or
 * folder has changed; then the whole set must be read.
 */
export function readLargeSet(
  place: CachePlace,
  folders: readonly RuleFolder[],
  limits: RuleLimits,
  wanted: Wanted,
): Catalog | undefined {
  const path = digestPath(place, folders, limits);
  if (!existsSync(path)) return undefined; // the usual case: the set is not large
  try {
    return withFile(path, ({ descriptor, stats: { size } }) => {
      const digest = openDigest((from, to) =>
        readAt(descriptor, from, Math.max(0, Math.min(to, size) - from)).toString("latin1"),
      );
      return digest && fromDigest(digest, path, place, wanted);
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
    return undefined; // absent or damaged: it is rebuilt from the files
  }
}

function fromDigest(digest: Digest, path: string, place: CachePlace, wanted: Wanted): Catalog | undefined {
  const { head } = digest;
  if (!head.folders.every(([folder, stamp]) => folderStamp(folder) === stamp)) return undefined;
  const isWhole = wanted.kind === "moment" && wanted.isBeginning;
  const groups = isWhole ? head.groups : [head.groups[nextTurn(path, place, head.groups.length)] ?? [0, 0]];
  const isUnchanged = (record: FileRecord) => isSame(fileFrom(record, head));
  if (!groups.every((span) => digest.at<FileRecord[]>(span).every(isUnchanged))) return undefined;
  const records = [...couldApply(digest, wanted)].sort(([a], [b]) => a - b);
  const applying = records.filter(({ 9: when, 10: checks }) => when !== null || checks !== null);
  if (!isWhole && !applying.every(([, file]) => isUnchanged(file))) return undefined;
  if (!isWhole && !digest.at<FileRecord[]>(head.alwaysFiles).every(isUnchanged)) return undefined;
  const withChecks = wanted.kind === "moment" && wanted.withChecks === true;
  const replaced = withChecks || wanted.kind === "checks" ? digest.at<RuleRecord[]>(head.replaced) : [];
  if (!replaced.every(([, file]) => isUnchanged(file))) return undefined;
  return {
    ...(withChecks && {
      checked: digest.at<RuleRecord[]>(head.checked).map((record) => ruleFrom(record, head)),
    }),
    replaced: replaced.map((record) => ruleFrom(record, head)),
    rules: records.map((record) => ruleFrom(record, head)),
    rejects: isWhole ? digest.at<Reject[]>(head.rejects) : [],
    pending: [],
    repeated: [],
    tested: head.tested,
    always: head.always,
  };
}

export function isLarge({ files, folders }: Discovered): boolean {
  return files.length > ORDINARY.files || folders.length > ORDINARY.folders;
}

/** Writes the digest of a large set, unless one of its files or folders might change unnoticed. */
export function writeDigest(
  place: CachePlace,
  folders: readonly RuleFolder[],
  limits: RuleLimits,
  found: Discovered,
  whole: Omit<DigestInput, "folders">,
): void {
  if (!isLarge(found) || place.readOnly || !found.isCertain) return;
  if (found.files.some((file) => !isSettled(file, place.now) || whole.entries[file.path]?.isYoung)) return;
  // Checked after the folders were listed: a folder that changed meanwhile is too recent to be settled.
  const checked = found.folders.map((folder) => ({ folder, stats: statOf(folder) }));
  if (checked.some(({ stats }) => stats !== undefined && !isSettled(timesOf(stats), place.now))) return;
  const text = toDigest({
    ...whole,
    folders: checked.map(({ folder, stats }) => [folder, stats === undefined ? null : stampOf(stats)]),
  });
  if (text.length <= MAX_CACHE_BYTES) write(digestPath(place, folders, limits), text);
}

function digestPath({ home, root }: CachePlace, folders: readonly RuleFolder[], limits: RuleLimits): string {
  const kind = JSON.stringify([folders.map((one) => ({ ...one, ending: one.ending.source })), limits]);
  return join(home, "cache", "rules", `${fingerprint(root)}-${fingerprint(kind)}.digest`);
}

/** The group to check now. Two simultaneous hooks may take the same one. */
function nextTurn(digest: string, place: CachePlace, groups: number): number {
  if (groups <= 1) return 0;
  const path = `${digest.slice(0, -".digest".length)}.turn`;
  let last = -1;
  try {
    last = Number.parseInt(readText(path, { maxBytes: 100 }), 10);
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // otherwise this is the first one
  }
  const turn = Number.isSafeInteger(last) && last >= 0 ? (last + 1) % groups : 0;
  if (!place.readOnly) write(path, String(turn));
  return turn;
}

function write(path: string, text: string): void {
  try {
    writeFileAtomic(path, text, { durable: false });
  } catch {
    // Only speed is lost. An unwritable home is reported by the writes that matter.
  }
}

function isSame(file: RuleFile): boolean {
  const stats = statOf(file.path);
  return (
    stats?.isFile() === true &&
    stats.size === file.size &&
    stats.mtimeMs === file.modified &&
    stats.ctimeMs === file.changed &&
    stats.ino === file.inode
  );
}

function folderStamp(path: string): DigestHead["folders"][number][1] {
  const stats = statOf(path);
  return stats === undefined ? null : stampOf(stats);
}

function stampOf(stats: Stats): string {
  return `${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`;
}

function timesOf(stats: Stats): { modified: number; changed: number } {
  return { modified: stats.mtimeMs, changed: stats.ctimeMs };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // not accessible, which counts as absent
  }
}

/** Which rules a caller needs. */
export type Wanted =
  /** All rules with checks. */
  | { readonly kind: "checks" }
  | {
      readonly kind: "moment";
      /** A session starts, is resumed or was compacted: every file is checked. */
      readonly isBeginning: boolean;
      /** A call is judged, so rules with checks are needed whether they apply or not. */
      readonly withChecks?: boolean;
      readonly prompt?: string;
      /** Files of this moment and of the whole session. */
      readonly touched: readonly string[];
      readonly workingSet: readonly string[];
      readonly memo: RulesMemo;
    };

/** All rules that could apply, and few others. `evaluate` decides which ones do. */
function couldApply(digest: Digest, wanted: Wanted): Iterable<RuleRecord> {
  const { head } = digest;
  if (wanted.kind === "checks") return digest.at<RuleRecord[]>(head.checked);
  const { memo, prompt } = wanted;
  const chosen = new Set<number>();
  const take = ([, ...rules]: readonly [string, ...number[]]) => {
    for (const rule of rules) chosen.add(rule);
  };

  if (prompt !== undefined || memo.keywords.length > 0) {
    const keywords = digest.at<Keywords>(head.keywords);
    const found = new Set(memo.keywords.map(foldKeyword));
    const words = keywords.map(([folded]) => folded);
    for (const word of prompt === undefined ? [] : foldedIn(prompt, words)) found.add(word);
    for (const one of keywords) if (found.has(one[0])) take(one);
  }
  if (Object.keys(memo.files).length > 0)
    for (const [content, rule] of digest.at<Contents>(head.contents))
      if (typeof memo.files[content] === "string") chosen.add(rule);
  const seen = head.tested === memo.tested ? wanted.touched : wanted.workingSet;
  const paths = seen.filter((path) => !isAbsolute(path));
  if (paths.length > 0) {
    const buckets = digest.at<Buckets>(head.buckets);
    for (const path of paths)
      for (const bucket of bucketsOf(path))
        for (const one of buckets[bucket] ?? []) if (FOLDS_CASE || path.startsWith(one[0])) take(one);
  }
  // Rules that were delivered when the epoch began are not needed again.
  const isGiven = !wanted.isBeginning && memo.given === head.always;
  return [
    ...(isGiven ? [] : digest.at<RuleRecord[]>(head.alwaysOn)),
    ...digest.at<RuleRecord[]>(head.evaluated),
    ...(wanted.isBeginning ? digest.at<RuleRecord[]>(head.onRequest) : []),
    ...[...chosen].map((rule) => digest.at<RuleRecord>(head.rules[rule] ?? [0, 0])),
  ];
}
