import type { LedgerItem, LedgerLine } from "./ledger.ts";

type Compacted = Extract<LedgerLine, { readonly kind: "compacted" }>;

/** What of a compaction's loss report is back by now, and what of it still waits for an output that has room. */
export function restoredAfter(
  compacted: Compacted,
  ledger: readonly LedgerLine[],
): { restored: readonly string[]; waiting: readonly string[] } {
  const shown = new Set(
    ledger.flatMap((line) =>
      line.kind === "delivered" &&
      line.session === compacted.session &&
      line.host === compacted.host &&
      line.epoch === compacted.epoch
        ? line.items.filter(isWhole).map((item) => `${item.source}/${item.key}`)
        : [],
    ),
  );
  const waiting = compacted.waiting ?? [];
  return {
    restored: [...compacted.reasserted, ...waiting.filter((key) => shown.has(key))],
    waiting: waiting.filter((key) => !shown.has(key)),
  };
}

/** Of an item in pieces, the last one completes it. */
function isWhole({ title }: LedgerItem): boolean {
  const [, part, of] = /\(part (\d+) of (\d+)\)$/.exec(title) ?? [];
  return part === of;
}
