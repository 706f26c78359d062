import { describeError } from "../base/errors.ts";
import { appendRecord, type Journal, readRecords } from "./journal.ts";
import { redact, redactDeep } from "./redact.ts";
import { spareFolder } from "./spare-folder.ts";

/** One failure that nobody saw, kept for `continuo doctor` and for one short line in the next snapshot. */
export interface HealthRecord {
  readonly at: string;
  readonly where: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly session?: string;
  /** In the temporary folder: the home that could not be written. Other homes of this user have no part in it. */
  readonly home?: string;
}

const MAX_MESSAGE = 500;

/** Records a failure. Never throws: it is what is left when everything else has failed. */
export function recordHealth(logs: string | undefined, record: HealthRecord): boolean {
  // Redacted before it is cut: half a token is not recognised.
  const message = redact(record.message.slice(0, 20 * MAX_MESSAGE)).slice(0, MAX_MESSAGE);
  const clean = redactDeep({ ...record, message });
  const spare = fallbackJournal();
  for (const journal of [logs === undefined ? undefined : healthJournal(logs), spare]) {
    if (journal === undefined) continue;
    try {
      appendRecord(journal, journal === spare && logs !== undefined ? { ...clean, home: logs } : clean);
      return true;
    } catch {
      // A home that cannot be written is often the very failure: the temporary folder is the second try.
    }
  }
  return false;
}

export function failure(where: string, error: unknown, at: number, session?: string): HealthRecord {
  const told = describeError(error);
  return { at: new Date(at).toISOString(), where, ...told, ...(session === undefined ? {} : { session }) };
}

/** Everything recorded, oldest first, from the home and from the fallback place. */
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
