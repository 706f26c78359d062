import type { LedgerLine } from "./ledger.ts";

type Line<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>;

/** What of these lines, oldest first, reached the agent. Everything that reports this to the user uses it. */
interface Received {
  /** Whether the agent's transcript was checked and does not show it: this event did not bring it to the model. */
  isMissing(line: Line<"delivered">): boolean;
  /** Whether the agent was told about a rule that it broke, in this event or a later one. */
  isTold(line: Line<"broken">): boolean;
}

export function receivedOf(lines: readonly LedgerLine[]): Received {
  const missing = new Set<LedgerLine>();
  const last = new Map<string, Line<"delivered">>();
  const keyOf = ({ host, session }: LedgerLine, fingerprint: string) => `${host}\n${session}\n${fingerprint}`;
  for (const line of lines) {
    if (line.kind === "delivered") last.set(keyOf(line, line.fingerprint), line);
    if (line.kind !== "looked") continue;
    for (const one of line.missing ?? []) {
      const given = last.get(keyOf(line, one));
      if (given !== undefined) missing.add(given);
    }
    // Includes what a resume replayed, which is not a delivery of its own.
    for (const one of line.seen ?? []) missing.delete(last.get(keyOf(line, one)) ?? line);
  }
  const told = new Set<LedgerLine>();
  let waiting: Line<"broken">[] = [];
  for (const line of lines) {
    if (line.kind === "broken" && line.reaction === "remind") waiting.push(line);
    if (line.kind !== "delivered" || waiting.length === 0 || missing.has(line)) continue;
    const names = new Set(line.items.filter(isReminder).map(({ title }) => title));
    if (names.size === 0) continue;
    const isNamed = (one: Line<"broken">) =>
      one.session === line.session &&
      one.host === line.host &&
      (names.has(one.name) || line.items.some(isRest));
    for (const one of waiting.filter(isNamed)) told.add(one);
    waiting = waiting.filter((one) => !told.has(one));
  }
  return {
    isMissing: (line) => missing.has(line),
    isTold: (line) => line.reaction === "remind" && told.has(line),
  };
}

type Named = { readonly source: string; readonly key: string };

function isReminder({ source, key }: Named): boolean {
  return source === "rules" && String(key).startsWith("broken/");
}

/** A single line represents all items that had no room. */
function isRest(item: Named): boolean {
  return isReminder(item) && item.key.endsWith("/rest");
}
