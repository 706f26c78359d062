import { join } from "node:path";
import type { Home } from "../../store/home.ts";
import { journalFiles, linesOf } from "../../store/journal.ts";
import type { Session } from "../types.ts";
import { type LedgerLine, ledgerJournal, readLedger } from "./ledger.ts";

/** One session's lines of the ledger, oldest first, from its newest files. Without an index, for those that look often. */
export function sessionLedger(home: Home, session: Session, files = Number.POSITIVE_INFINITY): LedgerLine[] {
  const id = JSON.stringify(session.id);
  const records = journalFiles(ledgerJournal(home))
    .slice(-files)
    .flatMap((name) => linesOf(join(home.ledger, name)))
    .filter((line) => line.includes(id)) // parsing all the others would take longer than everything else
    .flatMap(parsed);
  return readLedger(records).filter((line) => line.session === session.id && line.host === session.host);
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // half a line from a full disk; `continuo doctor` counts those
  }
}
