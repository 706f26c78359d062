import { statSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../base/errors.ts";
import type { Home } from "../../store/home.ts";
import { journalFiles } from "../../store/journal.ts";
import { readAt, withFile } from "../../store/read-file.ts";
import { type LedgerLine, ledgerJournal, parsedLine, readLedger } from "./ledger.ts";

/** How much is read at once: parsing it takes a few milliseconds. */
const SLICE_BYTES = 256 * 1024;
/** Lines have a few kilobytes. A line longer than a slice is skipped. */
const NEWLINE = 0x0a;

/** Reads what other processes append to the ledger. */
interface LedgerFollower {
  /** The new lines. `isMore`: call it again. */
  next(): { readonly lines: readonly LedgerLine[]; readonly isMore: boolean };
}

export function followLedger(home: Home): LedgerFollower {
  const journal = ledgerJournal(home);
  const look = (name: string): { readonly size: number; readonly identity: string } => {
    const stats = statSync(join(home.ledger, name), { throwIfNoEntry: false });
    // Includes the time of creation, because the inode of a removed file is soon reused.
    return { size: stats?.size ?? 0, identity: `${stats?.ino} ${stats?.birthtimeMs}` };
  };
  // Existing lines are not news.
  let file = journalFiles(journal).at(-1);
  let { size: offset, identity } = file === undefined ? { size: 0, identity: "" } : look(file);

  return {
    next() {
      const files = journalFiles(journal);
      const current = file;
      if (current === undefined || !files.includes(current)) {
        file = files.find((name) => current === undefined || name > current) ?? files.at(-1);
        offset = 0;
      }
      if (file === undefined) return { lines: [], isMore: false };
      const name = file;
      const { size, identity: found } = look(name);
      if (found !== identity && name === current) offset = 0; // replaced by another file
      identity = found;
      if (size < offset) offset = size; // truncated by hand: nothing is read twice
      const { records, end } = recordsFrom(join(home.ledger, name), offset, size);
      offset = end;
      const following = files.find((one) => one > name);
      const isDone = end >= size || (following !== undefined && records.length === 0);
      if (isDone && following !== undefined) {
        file = following;
        offset = 0;
      }
      return { lines: readLedger(records), isMore: !isDone || following !== undefined };
    },
  };
}

/** Whole lines only: a partial line is read once it is complete. */
function recordsFrom(path: string, from: number, size: number): { records: unknown[]; end: number } {
  if (from >= size) return { records: [], end: from };
  const bytes = readSlice(path, from, Math.min(SLICE_BYTES, size - from));
  const last = bytes.lastIndexOf(NEWLINE);
  if (last < 0) return { records: [], end: bytes.length >= SLICE_BYTES ? from + bytes.length : from };
  const records = bytes.subarray(0, last).toString("utf8").split("\n").flatMap(parsedLine);
  return { records, end: from + last + 1 };
}

/** Newest lines first, read from the end in slices, so that only one slice is in memory, however long the ledger is. */
export function* ledgerFromEnd(home: Home): Generator<LedgerLine> {
  for (const name of journalFiles(ledgerJournal(home)).reverse()) {
    const path = join(home.ledger, name);
    // A slice begins in the middle of a line, whose beginning is in the next slice to read.
    let rest = Buffer.alloc(0);
    for (let to = statSync(path, { throwIfNoEntry: false })?.size ?? 0; to > 0; ) {
      const from = Math.max(0, to - SLICE_BYTES);
      const bytes = Buffer.concat([readSlice(path, from, to - from), rest]);
      if (bytes.length === 0) break;
      const first = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
      const hasLines = first > 0 || from === 0;
      // A line longer than a slice is skipped: its remainder is not valid JSON.
      rest = hasLines && first <= SLICE_BYTES ? Buffer.from(bytes.subarray(0, first)) : Buffer.alloc(0);
      const records = bytes.subarray(first).toString("utf8").split("\n").flatMap(parsedLine);
      yield* readLedger(hasLines ? records : []).reverse();
      to = from;
    }
  }
}

function readSlice(path: string, from: number, length: number): Buffer {
  try {
    return withFile(path, ({ descriptor }) => readAt(descriptor, from, length));
  } catch (error) {
    if (isSystemError(error)) return Buffer.alloc(0); // removed meanwhile, or not a file
    throw error;
  }
}
