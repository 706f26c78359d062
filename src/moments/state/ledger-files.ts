import { join } from "node:path";
import { isSystemError } from "../../base/errors.ts";
import { pauses } from "../../base/slices.ts";
import type { Home } from "../../store/home.ts";
import { journalFiles, MAX_JOURNAL_BYTES } from "../../store/journal.ts";
import { readAt, statFile, withFile } from "../../store/read-file.ts";
import type { Session } from "../types.ts";
import { type LedgerLine, ledgerJournal, parsedLine, readLedger } from "./ledger.ts";

interface LedgerFile {
  readonly name: string;
  readonly size: number;
  /** In milliseconds since 1970: nothing in the file is newer. */
  readonly modified: number;
  /**
   * Whole lines from this byte offset on, and the offset after the last. An incomplete line is left for the next time.
   */
  linesFrom(offset: number): { readonly text: string; readonly end: number };
}

/** The ledger's files, oldest first. */
export function ledgerFiles(home: Home): LedgerFile[] {
  return journalFiles(ledgerJournal(home)).flatMap((name) => {
    const path = join(home.ledger, name);
    const stat = statFile(path);
    return stat === undefined ? [] : { name, ...stat, linesFrom: (offset) => linesFrom(path, offset) };
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

/** One session's lines of the ledger, oldest first. Lines of other sessions are not parsed. */
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

/**
 * Calls `use` with every entry since a time whose line contains one of these texts, oldest first. Only one file is in
 * memory at a time, and other lines are not parsed.
 */
export async function eachEntry(
  home: Home,
  { since, having }: { readonly since: number; readonly having: readonly string[] },
  use: (line: LedgerLine, at: number) => void,
): Promise<void> {
  const pause = pauses();
  for (const file of ledgerFiles(home)) {
    if (file.modified < since) continue;
    const { text } = file.linesFrom(0);
    for (let from = 0, to = 0; from < text.length; from = to + 1) {
      to = text.indexOf("\n", from);
      const line = text.slice(from, to);
      if (!having.some((one) => line.includes(one))) continue;
      for (const entry of readLedger(parsedLine(line))) {
        const at = Date.parse(entry.at);
        if (at >= since) use(entry, at);
      }
      await pause();
    }
  }
}
