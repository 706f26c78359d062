import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { type LedgerLine, ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import { journalFiles, MAX_JOURNAL_BYTES } from "../../../store/journal.ts";
import type { SessionRef } from "../../api/events.ts";
import { pauses } from "./slices.ts";

export interface LedgerFile {
  readonly name: string;
  readonly size: number;
  /** Whole lines from this byte on, and the byte after the last of them. */
  linesFrom(offset: number): Promise<{ readonly text: string; readonly end: number }>;
}

/** The ledger's files, oldest first. */
export async function* ledgerFiles(home: Home): AsyncGenerator<LedgerFile> {
  for (const name of journalFiles(ledgerJournal(home))) {
    const path = join(home.ledger, name);
    try {
      const file = await open(path, "r");
      try {
        const stats = await file.stat();
        if (!stats.isFile() || stats.size > MAX_JOURNAL_BYTES) continue;
        yield {
          name,
          size: stats.size,
          async linesFrom(offset) {
            const bytes = Buffer.alloc(Math.max(0, stats.size - offset));
            const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
            // A line that is being written comes next time.
            const end = bytes.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
            return { text: bytes.toString("utf8", 0, end), end: offset + end };
          },
        };
      } finally {
        await file.close();
      }
    } catch (error) {
      if (systemCode(error) === undefined) throw error; // gone or unreadable: `continuo doctor` reports it
    }
  }
}

/** One session's lines of the ledger, oldest first. Lines of others are not parsed. */
export async function sessionLines(home: Home, { host, id }: SessionRef): Promise<LedgerLine[]> {
  const wanted = `"session":${JSON.stringify(id)}`;
  const pause = pauses();
  const records: unknown[] = [];
  for await (const file of ledgerFiles(home)) {
    const { text } = await file.linesFrom(0);
    for (let at = text.indexOf(wanted); at >= 0; ) {
      const from = text.lastIndexOf("\n", at) + 1;
      const to = text.indexOf("\n", at);
      records.push(...parsed(text.slice(from, to)));
      at = text.indexOf(wanted, to);
      await pause();
    }
    await pause();
  }
  return readLedger(records).filter((line) => line.session === id && line.host === host);
}

export function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // an incomplete line from a full disk; `continuo doctor` counts those
  }
}
