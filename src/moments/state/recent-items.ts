import { join } from "node:path";
import type { Home } from "../../store/home.ts";
import { journalFiles, linesOf } from "../../store/journal.ts";
import { readLedgerLine } from "./delivered-line.ts";
import { ledgerJournal } from "./ledger.ts";

/** Enough to find what somebody has just seen. */
const MOST_LINES = 2_000;

/** What was delivered last, newest first, each once. */
export function recentItems(
  home: Home,
): { readonly source: string; readonly key: string; readonly title: string }[] {
  const newest = journalFiles(ledgerJournal(home)).at(-1);
  if (newest === undefined) return [];
  const lines = linesOf(join(home.ledger, newest)).slice(-MOST_LINES).reverse();
  const found = new Map<string, { source: string; key: string; title: string }>();
  for (const line of lines) {
    const reading = readLedgerLine(line);
    if (reading === "malformed") continue;
    for (const { source, item, title } of reading.items)
      if (!found.has(`${source}/${item}`))
        found.set(`${source}/${item}`, { source, key: item, title: title ?? item });
  }
  return [...found.values()];
}
