import { type LedgerItem, type LedgerLine, restoredAfter } from "../state/ledger.ts";
import { receivedOf } from "../state/received.ts";

export type Line<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>;

/** What the model sees because of Continuo in a session: the current epoch, from the ledger. */
export interface ThisEpoch {
  readonly epoch: number;
  readonly tokens: number;
  /** For all epochs together. */
  readonly sessionTokens: number;
  readonly snapshot: Line<"delivered"> | undefined;
  /** What was passed to the agent but is not in its transcript. */
  readonly missing: readonly Line<"delivered">[];
  /** The delivered parts of the snapshot after the first. */
  readonly furtherParts: readonly Line<"delivered">[];
  readonly additions: readonly Line<"delivered">[];
  /** What had no room and was not delivered later either. */
  readonly noRoom: readonly LedgerItem[];
  /** The compaction that began this epoch. */
  readonly compaction: Line<"compacted"> | undefined;
  /** What was restored after it, and what is waiting. */
  readonly restored: ReturnType<typeof restoredAfter> | undefined;
  readonly summary: Line<"summarised"> | undefined;
  readonly guarded: readonly Line<"guarded">[];
  /** The latest breaches, without places that were reported before. `isTold`: the agent was reminded. */
  readonly broken: readonly (Line<"broken"> & { readonly isTold: boolean })[];
}

const MAX_BROKEN = 20;

/** Undefined if the ledger has nothing about the session. */
export function thisEpoch(
  ledger: readonly LedgerLine[],
  host: string,
  session: string,
): ThisEpoch | undefined {
  const all = linesOf(ledger, host, session);
  if (all.length === 0) return undefined;
  const epoch = Math.max(...all.map((line) => line.epoch));
  const lines = all.filter((line) => line.epoch === epoch);
  const { isMissing, isTold } = receivedOf(all);
  const isHere = (line: LedgerLine) => line.kind !== "delivered" || !isMissing(line);
  const delivered = ofKind(lines.filter(isHere), "delivered");
  const given = new Set(delivered.flatMap((line) => line.items.map(keyOf)));
  const dropped = new Map(delivered.flatMap((line) => line.dropped.map((item) => [keyOf(item), item])));
  const compaction = ofKind(lines, "compacted").at(-1);
  return {
    epoch,
    tokens: tokensOf(delivered),
    sessionTokens: tokensOf(ofKind(all.filter(isHere), "delivered")),
    missing: missingIn(ofKind(lines, "delivered"), isMissing),
    snapshot: delivered.find((line) => line.what === "snapshot"),
    furtherParts: delivered.filter((line) => line.what === "snapshot").slice(1),
    additions: delivered.filter((line) => line.what === "addition"),
    noRoom: [...dropped.values()].filter((item) => !given.has(keyOf(item))),
    compaction,
    restored: compaction && restoredAfter(compaction, lines),
    summary: ofKind(lines, "summarised").at(-1),
    guarded: ofKind(lines, "guarded"),
    broken: ofKind(lines, "broken")
      .filter(({ reaction }) => reaction !== "none")
      .slice(-MAX_BROKEN)
      .map((line) => ({ ...line, isTold: isTold(line) })),
  };
}

/** What the transcript did not show, unless a later event delivered it. */
function missingIn(
  delivered: readonly Line<"delivered">[],
  isMissing: (line: Line<"delivered">) => boolean,
): Line<"delivered">[] {
  const newest = new Map(delivered.map((line) => [line.fingerprint, line]));
  return [...newest.values()].filter(isMissing);
}

/** The titles of delivered items, by `source/key`. */
export function titlesIn(
  ledger: readonly LedgerLine[],
  host: string,
  session: string,
): ReadonlyMap<string, string> {
  const items = ofKind(linesOf(ledger, host, session), "delivered").flatMap((line) => line.items);
  return new Map(items.map((item) => [keyOf(item), item.title]));
}

function linesOf(ledger: readonly LedgerLine[], host: string, session: string): LedgerLine[] {
  return ledger.filter((line) => line.session === session && line.host === host);
}

function tokensOf(delivered: readonly Line<"delivered">[]): number {
  return delivered.reduce((sum, line) => sum + line.tokens, 0);
}

function ofKind<K extends LedgerLine["kind"]>(lines: readonly LedgerLine[], kind: K): Line<K>[] {
  return lines.filter((line): line is Line<K> => line.kind === kind);
}

function keyOf(item: LedgerItem): string {
  return `${item.source}/${item.key}`;
}
