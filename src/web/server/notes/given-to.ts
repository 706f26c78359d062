import { join } from "node:path";
import { type LedgerLine, ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import { journalFiles, linesOf } from "../../../store/journal.ts";
import type { GivenTo } from "../../api/notes.ts";

const MOST = 20;

/** The last sessions to which a note was delivered, each once. Reads only the ledger's newest file: 4 MB. */
export function givenTo(home: Home, uri: string): GivenTo[] {
  const file = journalFiles(ledgerJournal(home)).at(-1);
  if (file === undefined) return [];
  const key = `"key":${JSON.stringify(uri)}`;
  const lines = linesOf(join(home.ledger, file)).filter((line) => line.includes(key));
  const found = new Map<string, GivenTo>();
  for (const line of readLedger(lines.flatMap(parsed)).reverse()) {
    if (found.size === MOST) break;
    if (!hasNote(line, uri)) continue;
    const session = JSON.stringify([line.host, line.session]);
    if (!found.has(session))
      found.set(session, { host: line.host, session: line.session, at: line.at, what: line.what });
  }
  return [...found.values()];
}

type Delivered = Extract<LedgerLine, { readonly kind: "delivered" }>;

function hasNote(line: LedgerLine, uri: string): line is Delivered {
  return line.kind === "delivered" && line.items.some((item) => item.source === "memory" && item.key === uri);
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // an incomplete line; `continuo doctor` counts those
  }
}
