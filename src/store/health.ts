import { statSync } from "node:fs";
import { join } from "node:path";
import { describeError, systemCode } from "../base/errors.ts";
import { collapse } from "../base/text.ts";
import { count } from "../base/when.ts";
import { spareFolder } from "./folder.ts";
import type { Home } from "./home.ts";
import { appendRecord, type Journal, journalFiles, readRecords } from "./journal.ts";
import { readText } from "./read-file.ts";
import { redact, redactDeep } from "./redact.ts";
import { writeFileAtomic } from "./write-file.ts";

/** A failure, recorded for `continuo doctor` and for one short line to the user when a session starts. */
export interface HealthRecord {
  readonly at: string;
  readonly where: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly session?: string;
  /**
   * Only in the temporary folder: the home that could not be written, so that other homes of this user ignore the
   * record.
   */
  readonly home?: string;
}

const MAX_MESSAGE = 500;

/** Records a failure. Never throws: there is nowhere else to report to. */
export function recordHealth(logs: string | undefined, record: HealthRecord): boolean {
  // Redacted before it is cut, because half a token would not be recognised.
  const message = redact(record.message.slice(0, 20 * MAX_MESSAGE)).slice(0, MAX_MESSAGE);
  const clean = redactDeep({ ...record, message });
  const spare = fallbackJournal();
  for (const journal of [logs === undefined ? undefined : healthJournal(logs), spare]) {
    if (journal === undefined) continue;
    try {
      appendRecord(journal, journal === spare && logs !== undefined ? { ...clean, home: logs } : clean);
      return true;
    } catch {
      // Often the failure is that the home cannot be written, so the temporary folder is tried next.
    }
  }
  return false;
}

export function failure(where: string, error: unknown, at: number, session?: string): HealthRecord {
  const described = describeError(error);
  return {
    at: new Date(at).toISOString(),
    where,
    ...described,
    ...(session === undefined ? {} : { session }),
  };
}

/** All records, oldest first, from the home and from the temporary folder. */
export function readHealth(logs: string | undefined): { records: HealthRecord[]; damaged: number } {
  const journals = [logs === undefined ? undefined : healthJournal(logs), fallbackJournal()];
  const read = journals.filter((journal) => journal !== undefined).map(readRecords);
  return {
    records: read
      .flatMap((one) => one.records)
      .filter(isHealthRecord)
      .filter((record) => record.home === undefined || record.home === logs)
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    damaged: read.reduce((sum, one) => sum + one.damaged, 0),
  };
}

export function healthJournal(logs: string): Journal {
  return { folder: logs, prefix: "health", maxBytes: 1_000_000, keep: 2 };
}

function fallbackJournal(): Journal | undefined {
  const folder = spareFolder();
  return folder === undefined ? undefined : healthJournal(folder);
}

function isHealthRecord(value: unknown): value is HealthRecord {
  const record = value as Partial<HealthRecord> | null;
  return (
    typeof record === "object" &&
    record !== null &&
    [record.at, record.where, record.code, record.message].every((field) => typeof field === "string")
  );
}

/** One short line about failures that the user has not seen yet. */
export function pendingNote(home: Home): string | undefined {
  const unseen = pendingFailures(home);
  if (unseen.length === 0) return undefined;
  // The newest codes, because they show what is wrong now.
  const codes = [...new Set(unseen.map((record) => record.code).reverse())]
    .slice(0, 3)
    .map(collapse)
    .join(", ");
  return `Continuo had ${count(unseen.length, "failure")} lately (${codes}). To see why: continuo doctor`;
}

/**
 * Failures that neither a session's start nor `doctor` has shown. The marker's time is compared with the log's first,
 * so that a start without failures reads one small file.
 */
export function pendingFailures(home: Home): readonly HealthRecord[] {
  const reported = lastReported(home);
  if (newestFailure(home) < Date.parse(reported)) return [];
  return readHealth(home.logs).records.filter((record) => record.at > reported);
}

/** Marks everything recorded so far as reported: when a session started, or in `doctor`. */
export function markReported(home: Home, now: number): void {
  // Failures recorded during this moment are later than `now`, its beginning.
  const upTo = new Date(Math.max(now, newestFailure(home)));
  writeFileAtomic(marker(home), `${upTo.toISOString()}\n`);
}

function lastReported(home: Home): string {
  try {
    const text = readText(marker(home), { maxBytes: 4096 }).trim();
    return Number.isNaN(Date.parse(text)) ? NEVER : text;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return NEVER;
    throw error;
  }
}

const NEVER = new Date(0).toISOString();

function newestFailure(home: Home): number {
  const newest = journalFiles(healthJournal(home.logs)).at(-1);
  return newest === undefined ? -1 : statSync(join(home.logs, newest)).mtimeMs;
}

function marker(home: Home): string {
  return join(home.logs, "told");
}

type Warn = (code: string, message: string, hint: string) => void;

/** Passes on each kind of warning once a day: every hook is a separate process, and would otherwise repeat it. */
export function dailyWarning(home: Home, about: string, now: number, warn: Warn): Warn {
  const path = join(home.state, `${about}-warned.json`);
  const today = new Date(now).toISOString().slice(0, 10);
  return (code, message, hint) => {
    const mark = JSON.stringify({ today, code });
    if (read(path) === mark) return;
    warn(code, message, hint);
    try {
      writeFileAtomic(path, mark, { durable: false });
    } catch {
      // Then the warning is repeated, which is better than losing it.
    }
  };
}

function read(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: 64 * 1024 });
  } catch {
    return undefined; // no warning was recorded yet, or the mark cannot be read: warn again
  }
}

export interface FailureKind {
  readonly last: HealthRecord;
  readonly count: number;
}

const MOST_KINDS = 200;

/** Failures by kind, the newest first. */
export function failureKinds(records: readonly HealthRecord[]): FailureKind[] {
  const kinds = new Map<string, FailureKind>();
  for (const record of records) {
    const kind = `${record.code} ${record.where}`;
    kinds.set(kind, { last: record, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  return [...kinds.values()].sort((a, b) => (a.last.at < b.last.at ? 1 : -1)).slice(0, MOST_KINDS);
}

/** Older failures are not reported. */
export const FAILURE_DAYS = 7;

export function failuresSince(now: number): string {
  return new Date(now - FAILURE_DAYS * 24 * 3600 * 1000).toISOString();
}
