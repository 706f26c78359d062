import { closeSync, fstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { MAX_JOURNAL_BYTES } from "../journal.ts";
import { openFile } from "../read-file.ts";
import type { Database } from "../sqlite/types.ts";
import { readLedgerLine } from "./ledger-line.ts";
import { addItem, forget, type Known, knownFile, knownFiles, saveFile } from "./ledger-rows.ts";
import { BEGINNING, readSlice, type Slice } from "./ledger-slice.ts";

/** Its transaction takes about 40 ms, which a hook in another process may wait; larger ones are no faster. */
const SLICE_BYTES = 256 * 1024;

export interface SyncResult {
  /** Ledger files there are. */
  files: number;
  /** Rows added. */
  rows: number;
  /** Lines read now that are no ledger line. */
  malformed: number;
  /** Files that could not be read; what is indexed of them stays. */
  unreadable: string[];
}

/**
 * Brings the index up to the ledger, reading only what was appended since. May run in several processes at
 * once and be killed at any point: a slice's rows and its new offset are one transaction.
 */
export function syncLedger(db: Database, ledgerDir: string, sliceBytes = SLICE_BYTES): SyncResult {
  const names = ledgerNames(ledgerDir);
  const result: SyncResult = { files: names.length, rows: 0, malformed: 0, unreadable: [] };
  forgetVanished(db, ledgerDir, new Set(names));
  for (const name of names) {
    try {
      syncFile(db, ledgerDir, name, sliceBytes, result);
    } catch (error) {
      if (!isFileError(error)) throw error;
      // Vanished since it was listed: the next sync forgets it. Any other failure must not hold up the rest.
      if (systemCode(error) !== "ENOENT") result.unreadable.push(name);
    }
  }
  return result;
}

function syncFile(db: Database, dir: string, name: string, sliceBytes: number, result: SyncResult): void {
  const { descriptor: fd } = openFile(join(dir, name), { maxBytes: MAX_JOURNAL_BYTES });
  try {
    for (;;) {
      const known = knownFile(db, name);
      const slice = readSlice(fd, known ?? BEGINNING, sliceBytes);
      if (slice === "end") return;
      if (slice === "rewritten") {
        if (known !== undefined) forget(db, known);
        continue;
      }
      const added = store(db, name, fstatSync(fd).size, known, slice);
      if (added === undefined) continue;
      result.rows += added.rows;
      result.malformed += added.malformed;
    }
  } finally {
    closeSync(fd);
  }
}

/** Undefined when another process has moved the file's offset meanwhile: then this slice is not ours to add. */
function store(db: Database, name: string, size: number, known: Known | undefined, slice: Slice) {
  const readings = slice.lines.map(({ offset, text }) => ({ offset, reading: readLedgerLine(text) }));
  return db.tx(() => {
    const current = knownFile(db, name);
    if (current?.id !== known?.id || current?.offset !== known?.offset || current?.tail !== known?.tail)
      return undefined;
    const file = saveFile(db, { name, size, ...slice.next });
    let rows = 0;
    let malformed = slice.malformed;
    for (const { offset, reading } of readings) {
      if (reading === "malformed") malformed += 1;
      else for (const item of reading.items) rows += addItem(db, file, offset, item);
    }
    return { rows, malformed };
  });
}

function forgetVanished(db: Database, dir: string, present: ReadonlySet<string>): void {
  for (const file of knownFiles(db)) {
    // Looked at again: another process may have written and indexed it after our listing.
    if (!present.has(file.name) && !isFile(join(dir, file.name))) forget(db, file);
  }
}

function ledgerNames(dir: string): string[] {
  try {
    const names = readdirSync(dir).filter((name) => name.endsWith(".jsonl"));
    return names.filter((name) => isFile(join(dir, name))).sort();
  } catch (error) {
    // No session has been given anything yet.
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Told by the system call it names: SQLite's errors, and ours, have a `code` too. */
const isFileError = (error: unknown): boolean => error instanceof Error && "syscall" in error;
