import type { Home } from "../../store/home.ts";
import { ledgerFromEnd } from "../state/follow-ledger.ts";
import type { LedgerItem, LedgerLine } from "../state/ledger.ts";

/** A line of the ledger about a delivery. */
export type Delivery = Extract<LedgerLine, { readonly kind: "delivered" | "replayed" }> & {
  /** Set if the agent's transcript does not show it. */
  readonly isMissing?: true;
};

/** Whether a delivery is shown. */
export type Wanted = (delivery: Delivery) => boolean;

/** Without a match, a ledger of gigabytes is not read to its beginning: this many lines take a few seconds. */
const MAX_LINES = 200_000;

/** The newest deliveries, oldest first. */
export function newestDeliveries(home: Home, most: number, isWanted: Wanted): Delivery[] {
  const found: Delivery[] = [];
  const missing = new Set<string>();
  let read = 0;
  for (const line of ledgerFromEnd(home)) {
    if (found.length >= most || ++read > MAX_LINES) break;
    const keyOf = (text: string) => `${line.host}\n${line.session}\n${text}`;
    if (line.kind === "looked") for (const text of line.missing ?? []) missing.add(keyOf(text));
    if (!isDelivery(line)) continue;
    // What was looked for is the latest earlier delivery of this text.
    const isMissing = line.kind === "delivered" && missing.delete(keyOf(line.fingerprint));
    const delivery: Delivery = isMissing ? { ...line, isMissing } : line;
    if (isWanted(delivery)) found.push(delivery);
  }
  return found.reverse();
}

/** The ledger may be damaged or written by another version, so everything shown here is checked. */
export function isDelivery(line: LedgerLine): line is Delivery {
  if (typeof line.host !== "string" || Number.isNaN(Date.parse(line.at))) return false;
  if (line.kind === "replayed") return true;
  if (line.kind !== "delivered" || !Number.isSafeInteger(line.tokens)) return false;
  return Array.isArray(line.items) && line.items.every(isItem);
}

function isItem(item: unknown): item is LedgerItem {
  const { source, key, title } = (item ?? {}) as Partial<LedgerItem>;
  return typeof source === "string" && typeof key === "string" && (title ?? "") === String(title ?? "");
}
