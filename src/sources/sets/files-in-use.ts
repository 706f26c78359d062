import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fingerprint } from "../../base/fingerprint.ts";
import { isRecord } from "../../base/json.ts";
import type { SourceContext } from "../../moments/ports/source.ts";
import { type FileUse, hottestFiles, rankFiles } from "../../moments/working-set.ts";
import { readBytes } from "../../store/read-file.ts";

/** Folders of generated or third-party files, which a session reads but does not work on. */
const VENDORED = /(^|\/)(node_modules|vendor|third_party|\.git|dist|build|target|\.venv|__pycache__)\//;

/** How many files of the working set are considered; more would not be shown. */
const MAX_CONSIDERED = 60;

interface FilesInUse {
  /** Edited before read, most recent first: the files that must not be lost. */
  readonly ranked: readonly string[];
  /** The files that a session is most likely to use again. */
  readonly hottest: readonly string[];
  readonly renamed: readonly (readonly [from: string, to: string])[];
  readonly uncommitted: readonly string[];
}

/**
 * The working set as shown: existing files under their current names, without vendored or ignored ones. Only this
 * function runs git. Without git, or if git takes too long, names stay unchanged.
 */
export async function filesInUse(root: string, sourceContext: SourceContext): Promise<FilesInUse> {
  const set = sourceContext.workingSet.filter((use) => !VENDORED.test(use.path));
  const hot = hottestFiles(set, MAX_CONSIDERED).map((use) => use.path);
  const ranked = rankFiles(set)
    .slice(0, MAX_CONSIDERED)
    .map((use) => use.path);
  const used = [...new Set([...hot, ...ranked])];
  const isThere = (path: string) => existsSync(isAbsolute(path) ? path : join(root, path));
  const missing = used.filter((path) => !isThere(path));
  const { gitFacts } = await import("./git-facts.ts");
  const git = await gitFacts(root, used, missing, since(set), (message) =>
    sourceContext.report("git-failed", message, "the session continues without information from git"),
  );
  const names = new Map(
    missing.flatMap((path) => {
      const now = git.renamed.get(path);
      return now !== undefined && isThere(now) ? [[path, now] as const] : [];
    }),
  );
  const shown = (paths: readonly string[]) =>
    [...new Set(paths.map((path) => names.get(path) ?? path))].filter(
      (path) => isThere(path) && !git.ignored.has(path),
    );
  return { ranked: shown(ranked), hottest: shown(hot), renamed: [...names], uncommitted: git.uncommitted };
}

/** Renames are searched from the time when the first file was touched. */
function since(set: readonly FileUse[]): string {
  return new Date(Math.min(...set.map((use) => use.at), Date.now())).toISOString();
}

/** The state of a file when the session was last idle. */
export interface Stamp {
  readonly size: number;
  readonly lines: number;
  readonly fingerprint: string;
}

export type Stamps = Readonly<Record<string, Stamp>>;

const MAX_BYTES = 2 * 1024 * 1024;

/** undefined if the path does not exist, is not a file or is too large. */
export function stampOf(path: string): Stamp | undefined {
  try {
    const bytes = readBytes(path, { maxBytes: MAX_BYTES });
    const text = bytes.toString("utf8");
    return { size: bytes.length, lines: text.split("\n").length, fingerprint: fingerprint(text) };
  } catch {
    return undefined; // deleted or unreadable: nothing to compare
  }
}

export function stampAll(paths: readonly string[]): Stamps {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stampOf(path);
      return stamp === undefined ? [] : [[path, stamp]];
    }),
  );
}

/** How much a file changed since its stamp, in words; undefined if it did not change. */
export function changeSince(before: Stamp, now: Stamp | undefined): string | undefined {
  if (now === undefined) return "deleted, or no longer readable";
  if (before.fingerprint === now.fingerprint) return undefined;
  const lines = now.lines - before.lines;
  const bytes = now.size - before.size;
  const counted = (value: number, word: string) =>
    `${value > 0 ? "+" : "−"}${Math.abs(value)} ${word}${Math.abs(value) === 1 ? "" : "s"}`;
  if (lines !== 0) return counted(lines, "line");
  return bytes === 0 ? "same size, other content" : counted(bytes, "byte");
}

export function readStamps(value: unknown): Stamps {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Stamp] => {
      const stamp = entry[1];
      return (
        isRecord(stamp) &&
        typeof stamp["size"] === "number" &&
        typeof stamp["lines"] === "number" &&
        typeof stamp["fingerprint"] === "string"
      );
    }),
  );
}
