import { type LedgerItem, type LedgerLine, restoredAfter } from "../../../moments/state/ledger.ts";

type Line<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>;

/** What is in front of a session's model because of us: the current epoch, as the ledger tells it. */
export interface ThisEpoch {
  readonly epoch: number;
  readonly tokens: number;
  readonly snapshot: Line<"delivered"> | undefined;
  /** The parts of the snapshot after the first, as far as they were shown. */
  readonly furtherParts: readonly Line<"delivered">[];
  readonly additions: readonly Line<"delivered">[];
  /** What had no room, and did not come later either. */
  readonly noRoom: readonly LedgerItem[];
  /** The compaction that began this epoch, and what the host's summary kept. */
  readonly compaction: Line<"compacted"> | undefined;
  /** What of it is back, and what waits. */
  readonly restored: ReturnType<typeof restoredAfter> | undefined;
  readonly summary: Line<"summarised"> | undefined;
  readonly guarded: readonly Line<"guarded">[];
}

/** Undefined when the ledger knows nothing of the session. */
export function thisEpoch(
  ledger: readonly LedgerLine[],
  host: string,
  session: string,
): ThisEpoch | undefined {
  const all = ledger.filter((line) => line.session === session && line.host === host);
  if (all.length === 0) return undefined;
  const epoch = Math.max(...all.map((line) => line.epoch));
  const lines = all.filter((line) => line.epoch === epoch);
  const delivered = ofKind(lines, "delivered");
  const given = new Set(delivered.flatMap((line) => line.items.map(keyOf)));
  const dropped = new Map(delivered.flatMap((line) => line.dropped.map((item) => [keyOf(item), item])));
  const compaction = ofKind(lines, "compacted").at(-1);
  return {
    epoch,
    tokens: delivered.reduce((sum, line) => sum + line.tokens, 0),
    snapshot: delivered.find((line) => line.what === "snapshot"),
    furtherParts: delivered.filter((line) => line.what === "snapshot").slice(1),
    additions: delivered.filter((line) => line.what === "addition"),
    noRoom: [...dropped.values()].filter((item) => !given.has(keyOf(item))),
    compaction,
    restored: compaction && restoredAfter(compaction, lines),
    summary: ofKind(lines, "summarised").at(-1),
    guarded: ofKind(lines, "guarded"),
  };
}

function ofKind<K extends LedgerLine["kind"]>(lines: readonly LedgerLine[], kind: K): Line<K>[] {
  return lines.filter((line): line is Line<K> => line.kind === kind);
}

function keyOf(item: LedgerItem): string {
  return `${item.source}/${item.key}`;
}
