import { readdirSync, type Stats, statSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import { readAt, withFile } from "./read-file.ts";

/** The files and folders that a value is made from. Each is added before it is read, so that no change is missed. */
export type Basis = ReturnType<typeof createBasis>;

/** What was found at a path, and how it is compared. */
interface Stamp {
  readonly path: string;
  readonly found: string;
  readonly by?: "existence" | "names" | "short-names" | "lines";
  /** For names: their fingerprint. For lines: that of the file's end. */
  readonly content?: string;
  /** For lines: the types to ignore. */
  readonly ignored?: readonly string[];
}

/** Checking this many takes a few milliseconds. */
const MAX_STAMPS = 1_000;
/**
 * A file changed this recently may change again without getting a new time: some file systems store whole seconds, or
 * even two.
 */
const SETTLED_MS = 20;
const SETTLED_WHOLE_SECONDS_MS = 2_000;
/** For a growing file: how many bytes before the appended part are compared, and how many bytes may be appended. */
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
    /** Any change counts: of a file, of a folder, or at a path where nothing exists yet. */
    watch(...paths: readonly string[]): void {
      for (const path of paths) add(path);
    },
    /** Only creation and removal count. */
    watchExistence(...paths: readonly string[]): void {
      for (const path of paths) add(path, { by: "existence" });
    },
    /** Depends on the names in a folder, except those that contain the id of the asking session. */
    watchNames(...folders: readonly string[]): void {
      for (const folder of folders) add(folder, { by: "names" });
    },
    /** The same for names that contain only the first eight characters of the id. */
    watchShortNames(...folders: readonly string[]): void {
      for (const folder of folders) add(folder, { by: "short-names" });
    },
    /** For a file that only grows: lines of these types (`type` or `type/subtype`) appended at its end do not count. */
    watchLines(path: string, ignored: readonly string[]): void {
      add(path, { by: "lines", ignored });
    },
    /** The value cannot be checked later, so it is not stored. */
    giveUp(): void {
      isUsable = false;
    },
    /** Undefined if the value cannot be checked later. */
    stamps: (): readonly Stamp[] | undefined => (isUsable ? [...stamps.values()] : undefined),
  };
}

/**
 * Whether the path is unchanged since it was stamped, for the session with this id. False for anything that is not a
 * stamp.
 */
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

/** The stats, or the error's code. */
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

/**
 * Hosts name a session's file after its id. One host uses only this many characters of it, which several sessions may
 * share.
 */
const SHORT_ID = 8;

/**
 * The names without those that contain the session's own id. Shorter ids are not removed: they may be part of any name.
 */
function namesIn(folder: string, self: string): string | undefined {
  try {
    const names = readdirSync(folder).sort();
    const others = self.length < SHORT_ID ? names : names.filter((name) => !name.includes(self));
    return fingerprint(others.join("/"));
  } catch {
    return undefined; // not a folder, or not readable: any change counts
  }
}

function endAt(path: string, size: number): string | undefined {
  try {
    const from = Math.max(0, size - END_BYTES);
    return fingerprint(
      withFile(path, ({ descriptor }) => readAt(descriptor, from, size - from)).toString("latin1"),
    );
  } catch {
    return undefined; // not readable: any change counts
  }
}

/** Whether it is the same file, with only ignored lines appended. */
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
    return false; // unreadable, or not JSON
  }
}

function typeOf(line: string): string | undefined {
  const entry = parseBounded(line);
  if (!isRecord(entry)) return undefined;
  const { type, subtype } = entry;
  return typeof subtype === "string" ? `${String(type)}/${subtype}` : String(type);
}
