import { readdirSync, type Stats, statSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import { readAt, withFile } from "./read-file.ts";

/** The files and folders that a value is made from. Each is named before it is read, so that no change is missed. */
export type Basis = ReturnType<typeof createBasis>;

/** What was found at a path, and how it is compared. */
interface Stamp {
  readonly path: string;
  readonly found: string;
  readonly by?: "existence" | "names" | "short-names" | "lines";
  /** By names: their fingerprint. By lines: that of the file's end. */
  readonly content?: string;
  /** By lines: the types that do not count. */
  readonly ignored?: readonly string[];
}

/** Checking this many takes a few milliseconds. */
const MAX_STAMPS = 1_000;
/**
 * A file that changed this short before it was stamped may change again without another time. Some file systems store
 * whole seconds, or every second one.
 */
const SETTLED_MS = 20;
const SETTLED_WHOLE_SECONDS_MS = 2_000;
/** Of a file that grows: what is compared before the place where it grew, and how much may be added. */
const END_BYTES = 1024;
const MAX_ADDED = 64 * 1024;

export function createBasis(now: () => number = Date.now) {
  const stamps = new Map<string, Stamp>();
  let isUsable = true;
  const add = (path: string, more: Pick<Stamp, "by" | "ignored"> = {}): void => {
    const key = `${more.by ?? ""} ${path}`;
    if (!isUsable || stamps.has(key)) return;
    const stats = statsOf(path);
    const content = typeof stats === "string" ? undefined : contentOf(path, stats, more.by);
    stamps.set(key, {
      path,
      found: foundIn(stats, more.by),
      ...more,
      ...(content === undefined ? {} : { content }),
    });
    if (stamps.size > MAX_STAMPS || (more.by === undefined && isYoung(stats, now()))) isUsable = false;
  };
  return {
    /** A file, a folder, or a path where nothing is yet: any change counts. */
    watch(...paths: readonly string[]): void {
      for (const path of paths) add(path);
    },
    /** Only whether something is there counts. */
    watchExistence(...paths: readonly string[]): void {
      for (const path of paths) add(path, { by: "existence" });
    },
    /** The names in a folder count. Those that contain the id of the session that asks do not. */
    watchNames(...folders: readonly string[]): void {
      for (const folder of folders) add(folder, { by: "names" });
    },
    /** The same where names contain only the first eight characters of the id. */
    watchShortNames(...folders: readonly string[]): void {
      for (const folder of folders) add(folder, { by: "short-names" });
    },
    /** A file that only grows: lines of these types (`type` or `type/subtype`) that are added at its end do not count. */
    watchLines(path: string, ignored: readonly string[]): void {
      add(path, { by: "lines", ignored });
    },
    /** The value cannot be checked: it is not stored. */
    giveUp(): void {
      isUsable = false;
    },
    /** Undefined if the value cannot be checked later. */
    stamps: (): readonly Stamp[] | undefined => (isUsable ? [...stamps.values()] : undefined),
  };
}

/** Whether what is at the path is as it was, for the session with this id. False for anything that is no stamp. */
export function isAsStamped(stamp: unknown, self: string): boolean {
  if (!isStamp(stamp)) return false;
  const { path, found, by, content, ignored = [] } = stamp;
  const stats = statsOf(path);
  if (foundIn(stats, by) === found) return true;
  if (typeof stats === "string" || content === undefined) return false;
  if (by === "names") return namesIn(path, self) === content;
  if (by === "short-names") return namesIn(path, self.slice(0, SHORT_ID)) === content;
  return by === "lines" && isOnlyLonger(path, found, stats, content, ignored);
}

const KINDS: readonly unknown[] = ["existence", "names", "short-names", "lines"];

function isStamp(value: unknown): value is Stamp {
  if (!isRecord(value) || typeof value["path"] !== "string") return false;
  const { by, content, ignored } = value;
  return (
    typeof value["found"] === "string" &&
    (by === undefined || KINDS.includes(by)) &&
    (content === undefined || typeof content === "string") &&
    (ignored === undefined || Array.isArray(ignored))
  );
}

/** The code of the error if there are none. */
function statsOf(path: string): Stats | string {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? "";
  } catch (error) {
    return systemCode(error) ?? "unreadable";
  }
}

function foundIn(stats: Stats | string, by: Stamp["by"]): string {
  if (typeof stats === "string") return stats;
  if (by === "existence") return "exists";
  return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

function contentOf(path: string, stats: Stats, by: Stamp["by"]): string | undefined {
  if (by === "names" || by === "short-names") return namesIn(path, "");
  return by === "lines" ? endAt(path, stats.size) : undefined;
}

function isYoung(stats: Stats | string, now: number): boolean {
  if (typeof stats === "string") return false;
  const changedAt = Math.max(stats.mtimeMs, stats.ctimeMs);
  return now - changedAt <= (stats.mtimeMs % 1000 === 0 ? SETTLED_WHOLE_SECONDS_MS : SETTLED_MS);
}

/** Hosts name the file of a session after its id. One uses only this much of it, which others may share. */
const SHORT_ID = 8;

/** Without those that contain the id of the session itself. A shorter id may be part of any name. */
function namesIn(folder: string, self: string): string | undefined {
  try {
    const names = readdirSync(folder).sort();
    const others = self.length < SHORT_ID ? names : names.filter((name) => !name.includes(self));
    return fingerprint(others.join("/"));
  } catch {
    return undefined; // not a folder, or it cannot be listed: any change counts
  }
}

function endAt(path: string, size: number): string | undefined {
  try {
    const from = Math.max(0, size - END_BYTES);
    return fingerprint(
      withFile(path, ({ descriptor }) => readAt(descriptor, from, size - from)).toString("latin1"),
    );
  } catch {
    return undefined; // it cannot be read: any change counts
  }
}

/** The same file, to which only lines were added that do not count. */
function isOnlyLonger(
  path: string,
  found: string,
  stats: Stats,
  end: string,
  ignored: readonly unknown[],
): boolean {
  const [inode, before] = found.split(":").map(Number);
  if (before === undefined || stats.ino !== inode || stats.size <= before) return false;
  if (stats.size - before > MAX_ADDED || endAt(path, before) !== end) return false;
  try {
    const added = withFile(path, ({ descriptor }) => readAt(descriptor, before, stats.size - before));
    const text = added.toString("utf8");
    return (
      text.endsWith("\n") &&
      text
        .trim()
        .split("\n")
        .every((line) => ignored.includes(typeOf(line)))
    );
  } catch {
    return false; // unreadable, or no JSON
  }
}

function typeOf(line: string): string | undefined {
  const entry = parseBounded(line);
  if (!isRecord(entry)) return undefined;
  const { type, subtype } = entry;
  return typeof subtype === "string" ? `${String(type)}/${subtype}` : String(type);
}
