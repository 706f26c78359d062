import { statSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { type LedgerLine, ledgerJournal, parsedLine, readLedger } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import { journalFiles } from "../../../store/journal.ts";
import { readAt, withFile } from "../../../store/read-file.ts";
import type { WebEvent } from "../../api/events.ts";

/** What is read at once: parsing it takes a few milliseconds. */
const SLICE_BYTES = 256 * 1024;
/** A line is a few kilobytes. One that is longer than a slice is passed over. */
const NEWLINE = 0x0a;

/** Reads what other processes append to the ledger, only what is new. */
export interface LedgerFollower {
  /** The events of new lines. `isMore`: call again. */
  next(): { readonly events: readonly WebEvent[]; readonly isMore: boolean };
}

export function followLedger(home: Home): LedgerFollower {
  const journal = ledgerJournal(home);
  const look = (name: string): { readonly size: number; readonly identity: string } => {
    const stats = statSync(join(home.ledger, name), { throwIfNoEntry: false });
    // The number of a removed file is soon used again.
    return { size: stats?.size ?? 0, identity: `${stats?.ino} ${stats?.birthtimeMs}` };
  };
  // What is there already is no news.
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
      if (file === undefined) return { events: [], isMore: false };
      const name = file;
      const { size, identity: found } = look(name);
      if (found !== identity && name === current) offset = 0; // replaced by another file
      identity = found;
      if (size < offset) offset = size; // cut by hand: what was read stays read
      const { records, end } = recordsFrom(join(home.ledger, name), offset, size);
      offset = end;
      const following = files.find((one) => one > name);
      const isDone = end >= size || (following !== undefined && records.length === 0);
      if (isDone && following !== undefined) {
        file = following;
        offset = 0;
      }
      return { events: eventsOf(readLedger(records)), isMore: !isDone || following !== undefined };
    },
  };
}

/** Whole lines only: half of one is read when the rest is there. */
function recordsFrom(path: string, from: number, size: number): { records: unknown[]; end: number } {
  if (from >= size) return { records: [], end: from };
  const bytes = readSlice(path, from, Math.min(SLICE_BYTES, size - from));
  const last = bytes.lastIndexOf(NEWLINE);
  if (last < 0) return { records: [], end: bytes.length >= SLICE_BYTES ? from + bytes.length : from };
  const records = bytes.subarray(0, last).toString("utf8").split("\n").flatMap(parsedLine);
  return { records, end: from + last + 1 };
}

function readSlice(path: string, from: number, length: number): Buffer {
  try {
    return withFile(path, ({ descriptor }) => readAt(descriptor, from, length));
  } catch (error) {
    if (isSystemError(error)) return Buffer.alloc(0); // removed meanwhile, or not a file
    throw error;
  }
}

function eventsOf(lines: readonly LedgerLine[]): WebEvent[] {
  return lines.flatMap((line): WebEvent[] => {
    if (typeof line.host !== "string") return [];
    const session = { host: line.host, id: line.session };
    if (line.kind === "context") {
      const { reason, setName } = line;
      return [{ type: "context", session, reason, ...(setName === undefined ? {} : { setName }) }];
    }
    if (line.kind === "ended") return [{ type: "session", session, reason: "ended" }];
    return [{ type: "given", session, what: line.kind }];
  });
}
