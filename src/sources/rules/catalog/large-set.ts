import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { readAt, readText, withFile } from "../../../store/read-file.ts";
import type { Discovered, RuleFile } from "../files/discover.ts";
import type { RuleFolder } from "../files/folders.ts";
import type { RuleLimits } from "../files/limits.ts";
import { type CachePlace, isSettled, MAX_CACHE_BYTES } from "./cache.ts";
import type { Catalog } from "./catalog.ts";
import type { Reject } from "./catalog-rule.ts";
import { couldApply, type Wanted } from "./could-apply.ts";
import {
  type Digest,
  type DigestHead,
  type FileRecord,
  fileFrom,
  openDigest,
  ruleFrom,
  toDigest,
  type Whole,
} from "./digest.ts";

/**
 * Above these a set is large. In an ordinary set every file is looked at at every hook. In a large one every folder is,
 * so that a file which was added, removed, renamed or replaced is seen at once, as are the files of rules that apply;
 * of the other files one group in turn, and all of them when a session starts, is resumed or was compacted.
 */
const ORDINARY = { files: 300, folders: 100 };

/**
 * The rules of a large set that could apply, from what is kept of it; undefined when nothing is kept, or when anything
 * that was looked at has changed. Then the whole set is looked at.
 */
export function glance(
  place: CachePlace,
  folders: readonly RuleFolder[],
  limits: RuleLimits,
  wanted: Wanted,
): Catalog | undefined {
  const path = digestPath(place, folders, limits);
  try {
    return withFile(path, ({ descriptor, stats: { size } }) => {
      const digest = openDigest((from, to) =>
        readAt(descriptor, from, Math.max(0, Math.min(to, size) - from)).toString("latin1"),
      );
      return digest && fromDigest(digest, path, place, wanted);
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) && systemCode(error) === undefined) throw error;
    return undefined; // absent or damaged: it is made anew from the files
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
  const applying = records.filter(({ 9: when, 10: guards }) => when !== null || guards !== null);
  if (!isWhole && !applying.every(([, file]) => isUnchanged(file))) return undefined;
  if (!isWhole && !digest.at<FileRecord[]>(head.alwaysFiles).every(isUnchanged)) return undefined;
  return {
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

/** Keeps what a look at a whole set found, if the set is large and nothing about it may change unnoticed. */
export function keepDigest(
  place: CachePlace,
  folders: readonly RuleFolder[],
  limits: RuleLimits,
  found: Discovered,
  whole: Omit<Whole, "folders">,
): void {
  if (!isLarge(found) || place.readOnly || !found.isCertain) return;
  if (found.files.some((file) => !isSettled(file, place.now) || whole.entries[file.path]?.isYoung)) return;
  // Asked after the folders were listed: one that changed meanwhile is younger than this call, and so not settled.
  const looks = found.folders.map((folder) => ({ folder, stats: statOf(folder) }));
  if (looks.some(({ stats }) => stats !== undefined && !isSettled(timesOf(stats), place.now))) return;
  const text = toDigest({
    ...whole,
    folders: looks.map(({ folder, stats }) => [folder, stats === undefined ? null : stampOf(stats)]),
  });
  if (text.length <= MAX_CACHE_BYTES) write(digestPath(place, folders, limits), text);
}

function digestPath({ home, root }: CachePlace, folders: readonly RuleFolder[], limits: RuleLimits): string {
  const kind = JSON.stringify([folders.map((one) => ({ ...one, ending: one.ending.source })), limits]);
  return join(home, "cache", "rules", `${fingerprint(root)}-${fingerprint(kind)}.digest`);
}

/** Which group is looked at now. Two hooks at the same time may take the same one. */
function nextTurn(digest: string, place: CachePlace, groups: number): number {
  if (groups <= 1) return 0;
  const path = `${digest.slice(0, -".digest".length)}.turn`;
  let last = -1;
  try {
    last = Number.parseInt(readText(path, { maxBytes: 100 }), 10);
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // the first turn
  }
  const turn = Number.isSafeInteger(last) && last >= 0 ? (last + 1) % groups : 0;
  if (!place.readOnly) write(path, String(turn));
  return turn;
}

function write(path: string, text: string): void {
  try {
    writeFileAtomic(path, text, { durable: false });
  } catch {
    // Only speed is lost; a home that cannot be written is reported by what must be written.
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
    return undefined; // not ours to look at: the same as absent, until it changes
  }
}
