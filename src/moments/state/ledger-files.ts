import { join } from "node:path";
import { isSystemError } from "../../base/errors.ts";
import { pauses } from "../../base/slices.ts";
import type { Home } from "../../store/home.ts";
import { journalFiles, MAX_JOURNAL_BYTES } from "../../store/journal.ts";
import { readAt, statFile, withFile } from "../../store/read-file.ts";
import type { Session } from "../types.ts";
import { type LedgerLine, ledgerJournal, parsedLine, readLedger } from "./ledger.ts";

export interface LedgerFile {
  readonly name: string;
  readonly size: number;
  /** Whole lines from this byte on, and the byte after the last of them. A line that is being written comes next time. */
  linesFrom(offset: number): { readonly text: string; readonly end: number };
}

/** The ledger's files, oldest first. */
export function ledgerFiles(home: Home): LedgerFile[] {
  return journalFiles(ledgerJournal(home)).flatMap((name) => {
    const path = join(home.ledger, name);
    const size = statFile(path)?.size;
    return size === undefined ? [] : { name, size, linesFrom: (offset) => linesFrom(path, offset) };
  });
}

function linesFrom(path: string, offset: number): { text: string; end: number } {
  try {
    const rest = withFile(
      path,
      ({ descriptor, stats }) => readAt(descriptor, offset, Math.max(0, stats.size - offset)),
      { maxBytes: MAX_JOURNAL_BYTES },
    );
    const end = rest.lastIndexOf(0x0a) + 1;
    return { text: rest.toString("utf8", 0, end), end: offset + end };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { text: "", end: offset }; // gone, too large or unreadable: `continuo doctor` reports it
  }
}

/** One session's lines of the ledger, oldest first. Lines of others are not parsed. */
export async function sessionLines(
  home: Home,
  { host, id }: Pick<Session, "host" | "id">,
): Promise<LedgerLine[]> {
  const wanted = `"session":${JSON.stringify(id)}`;
  const pause = pauses();
  const records: unknown[] = [];
  for (const file of ledgerFiles(home)) {
    const { text } = file.linesFrom(0);
    for (let at = text.indexOf(wanted); at >= 0; ) {
      const from = text.lastIndexOf("\n", at) + 1;
      const to = text.indexOf("\n", at);
      records.push(...parsedLine(text.slice(from, to)));
      at = text.indexOf(wanted, to);
      await pause();
    }
    await pause();
  }
  return readLedger(records).filter((line) => line.session === id && line.host === host);
}
