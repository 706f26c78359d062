import { findHome } from "../../store/home.ts";
import { readRecords } from "../../store/journal.ts";
import { ledgerJournal, readLedger } from "../../store/ledger.ts";

/** What one session was given, for a person at pi's prompt; `continuo sessions receipt` has more. */
export function receiptOf(env: NodeJS.ProcessEnv, session: string): string {
  const lines = readLedger(readRecords(ledgerJournal(findHome(env))).records).filter(
    (line) => line.session === session,
  );
  const delivered = lines.flatMap((line) => (line.kind === "delivered" ? [line] : []));
  if (delivered.length === 0) return "Continuo has delivered nothing to this session.";
  const tokens = delivered.reduce((sum, line) => sum + line.tokens, 0);
  return [
    `Continuo: ${delivered.length} deliveries, ${tokens} tokens`,
    ...delivered.flatMap((line) => [
      `${line.what}, ${line.tokens} tokens`,
      ...line.items.map((item) => `  ${item.title}: ${item.reason}`),
    ]),
  ].join("\n");
}
