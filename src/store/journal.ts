import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { ensureFolder } from "./folder.ts";
import { isRefused, readText } from "./read-file.ts";
import { appendLines } from "./write-file.ts";

/**
 * An append-only journal of JSON lines in numbered files. Rotation starts the next number and renames nothing, so
 * appending needs no lock and readers can continue from a stored offset.
 */
export interface Journal {
  readonly folder: string;
  readonly prefix: string;
  readonly maxBytes: number;
  /** How many files to keep (default: all). */
  readonly keep?: number;
}

export function appendRecord(journal: Journal, record: object): void {
  ensureFolder(journal.folder);
  appendLines(currentFile(journal), `${JSON.stringify(record)}\n`);
}

/** All readable records, oldest first, and the number of damaged lines. */
export function readRecords(journal: Journal): { records: unknown[]; damaged: number } {
  const records: unknown[] = [];
  let damaged = 0;
  for (const name of journalFiles(journal)) {
    for (const line of linesOf(join(journal.folder, name))) {
      if (line === "") continue;
      try {
        records.push(JSON.parse(line));
      } catch {
        damaged++; // an incomplete line from a full disk: counted, and reported by the caller
      }
    }
  }
  return { records, damaged };
}

/** Far above the size at which a journal's file is rotated. */
export const MAX_JOURNAL_BYTES = 32 * 1024 * 1024;

/** The lines of a journal's file; none if it is not a regular file or too large to be one of Continuo's journals. */
export function linesOf(path: string): string[] {
  try {
    return readText(path, { maxBytes: MAX_JOURNAL_BYTES }).split("\n");
  } catch (error) {
    if (isRefused(error)) return [];
    throw error;
  }
}

export function journalFiles(journal: Journal): string[] {
  try {
    return readdirSync(journal.folder)
      .filter((name) => name.startsWith(`${journal.prefix}-`) && name.endsWith(".jsonl"))
      .sort();
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(systemCode(error) ?? "")) return [];
    throw error;
  }
}

function currentFile(journal: Journal): string {
  const files = journalFiles(journal);
  const newest = files.at(-1);
  if (newest === undefined) return join(journal.folder, fileName(journal, 1));
  const path = join(journal.folder, newest);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < journal.maxBytes) return path;
  if (journal.keep !== undefined) {
    for (const old of files.slice(0, Math.max(0, files.length - journal.keep + 1)))
      rmSync(join(journal.folder, old), { force: true });
  }
  return join(journal.folder, fileName(journal, Number(/-(\d+)\.jsonl$/.exec(newest)?.[1] ?? 0) + 1));
}

function fileName(journal: Journal, number: number): string {
  return `${journal.prefix}-${String(number).padStart(6, "0")}.jsonl`;
}
