import { statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import { type HealthRecord, healthJournal, readHealth } from "./health.ts";
import type { Home } from "./home.ts";
import { journalFiles } from "./journal.ts";
import { readText } from "./read-file.ts";

/** One short line about failures that no snapshot has told of yet. */
export function pendingNote(home: Home): string | undefined {
  const unseen = pendingFailures(home);
  if (unseen.length === 0) return undefined;
  // The newest: they say what is wrong now.
  const codes = [...new Set(unseen.map((record) => record.code).reverse())].slice(0, 3).join(", ");
  return `Continuo had ${unseen.length} failure(s) that nobody saw (${codes}). The user can run "continuo doctor".`;
}

/**
 * Failures that neither a snapshot nor `doctor` has told of. The marker is compared with the log's time first, so that
 * a start without failures reads one small file.
 */
export function pendingFailures(home: Home): readonly HealthRecord[] {
  const told = readTold(home);
  if (newestFailure(home) < Date.parse(told)) return [];
  return readHealth(home.logs).records.filter((record) => record.at > told);
}

/** From now on everything recorded so far counts as told: a snapshot carried it, or the user saw it in `doctor`. */
export function markTold(home: Home, now: number): void {
  writeFileAtomic(marker(home), `${new Date(now).toISOString()}\n`);
}

function readTold(home: Home): string {
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
