import type { DeliveredItem } from "../../compose/compose.ts";
import type { BlockKind } from "../../compose/render.ts";
import type { Home } from "../../store/home.ts";
import { appendRecord, type Journal } from "../../store/journal.ts";
import { redactDeep } from "../../store/redact.ts";
import type { Kept } from "../summary.ts";

interface Line {
  readonly host: string;
  readonly session: string;
  readonly project: string;
  readonly epoch: number;
}

/** What happened, as the ledger keeps it. Every line gets `v` and `at`. See docs/design/state.md. */
export type LedgerEntry = Line &
  (
    | {
        readonly kind: "delivered";
        readonly what: BlockKind;
        readonly tokens: number;
        readonly fingerprint: string;
        readonly items: readonly LedgerItem[];
        readonly dropped: readonly LedgerItem[];
      }
    | { readonly kind: "replayed"; readonly fingerprint: string }
    | { readonly kind: "compacting"; readonly trigger: string }
    | {
        readonly kind: "compacted";
        /** Keys of what was delivered before, and what of it the new snapshot has, has no room for, and has not. */
        readonly active: readonly string[];
        readonly reasserted: readonly string[];
        readonly noRoom: readonly string[];
        /** Composed for the new epoch, but not shown when it began: a later output carries it. */
        readonly waiting?: readonly string[];
        readonly lost: readonly string[];
        readonly workingSet: readonly string[];
      }
    | ({ readonly kind: "summarised" } & Kept)
    | {
        /** A session's sets were told to it, or changed. */
        readonly kind: "context";
        readonly reason: "load" | "resume" | "changed";
        readonly setName?: string;
        readonly added: readonly string[];
        readonly removed: readonly string[];
      }
    | { readonly kind: "guarded"; readonly action: string; readonly tool: string; readonly why: string }
    | { readonly kind: "ended"; readonly why: string }
  );

/** An entry without what the engine knows anyway. */
export type EntryBody = LedgerEntry extends infer E
  ? E extends LedgerEntry
    ? Omit<E, "host" | "session" | "project" | "epoch">
    : never
  : never;

export interface LedgerItem {
  readonly source: string;
  readonly key: string;
  readonly title: string;
  readonly reason: string;
  readonly tokens: number;
}

export function ledgerItem(item: DeliveredItem): LedgerItem {
  const { source, key, name, reason, tokens, piece } = item;
  const title = piece === undefined ? name : `${name} (part ${piece.part} of ${piece.of})`;
  return { source, key, title, reason, tokens };
}

export function appendLedger(home: Home, at: number, entry: LedgerEntry): void {
  appendRecord(ledgerJournal(home), { v: 1, at: new Date(at).toISOString(), ...redactDeep(entry) });
}

/** An entry as it is read back. */
export type LedgerLine = LedgerEntry & { readonly at: string };

const KINDS: readonly LedgerEntry["kind"][] = [
  "delivered",
  "replayed",
  "compacting",
  "compacted",
  "summarised",
  "context",
  "guarded",
  "ended",
];

/** The entries among records; what a newer or older version wrote and we do not know is passed over. */
export function readLedger(records: readonly unknown[]): LedgerLine[] {
  return records.filter((record): record is LedgerLine => {
    const line = record as Partial<LedgerLine & { v: number }> | null;
    return line?.v === 1 && typeof line.session === "string" && KINDS.some((kind) => kind === line.kind);
  });
}

export function ledgerJournal(home: Home): Journal {
  return { folder: home.ledger, prefix: "ledger", maxBytes: 4_000_000 };
}
