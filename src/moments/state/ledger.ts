import { join } from "node:path";
import type { DeliveredItem } from "../../compose/compose.ts";
import type { BlockKind } from "../../compose/render.ts";
import type { Home } from "../../store/home.ts";
import { appendRecord, type Journal, journalFiles, linesOf } from "../../store/journal.ts";
import { redactDeep } from "../../store/redact.ts";
import type { MomentName, Session } from "../types.ts";
import { receivedOf } from "./received.ts";
import type { Spent } from "./spent.ts";

export interface Line {
  readonly host: string;
  readonly session: string;
  readonly project: string;
  readonly epoch: number;
}

/** One event in the ledger. Every line also gets `v` and `at`. See docs/design/state.md. */
export type LedgerEntry = Line &
  (
    | {
        readonly kind: "delivered";
        readonly what: BlockKind;
        readonly tokens: number;
        readonly fingerprint: string;
        readonly items: readonly LedgerItem[];
        readonly dropped: readonly LedgerItem[];
        /** The moment of the delivery, and the tool if it was a tool call; absent in lines of version 0.1. */
        readonly moment?: MomentName;
        readonly tool?: string;
        readonly spent?: Spent;
      }
    | {
        /**
         * Fingerprints of delivered texts that were looked for in the host's transcript: those found, and those
         * missing.
         */
        readonly kind: "looked";
        readonly seen: readonly string[];
        readonly missing: readonly string[];
      }
    | { readonly kind: "replayed"; readonly fingerprint: string; readonly spent?: Spent }
    | {
        readonly kind: "compacting";
        readonly trigger: string;
        /** Tokens of the handover; absent if there was none. */
        readonly tokens?: number;
        readonly fingerprint?: string;
      }
    | {
        readonly kind: "compacted";
        /** Keys of what was delivered before; which of these the new snapshot contains, has no room for, or lacks. */
        readonly active: readonly string[];
        readonly reasserted: readonly string[];
        readonly noRoom: readonly string[];
        /** Composed for the new epoch, but not shown at its beginning; a later output shows it. */
        readonly waiting?: readonly string[];
        readonly lost: readonly string[];
        /** Not restored, because the user muted it meanwhile. */
        readonly muted?: readonly string[];
        readonly workingSet: readonly string[];
      }
    | ({ readonly kind: "summarised" } & SummaryComparison)
    | {
        /** A session's context sets were delivered, or changed. */
        readonly kind: "context";
        readonly reason: "load" | "resume" | "changed";
        readonly setName?: string;
        readonly added: readonly string[];
        readonly removed: readonly string[];
      }
    /** Written until checks replaced guards. */
    | { readonly kind: "guarded"; readonly action: string; readonly tool: string; readonly why: string }
    | Broken
    /** How often each check (`rule key#check id`) was applied since the session's last such entry. */
    | {
        readonly kind: "checked";
        readonly counts: Readonly<Record<string, number>>;
        /** For checks that were counted, now or before: commands that could not do their work. */
        readonly noResult?: Readonly<Record<string, number>>;
      }
    | { readonly kind: "ended"; readonly why: string; readonly spent?: Spent }
  );

/** A rule was broken, or a call that would have broken it was refused. */
export interface Broken {
  readonly kind: "broken";
  /** The rule's key and name, the check's id and kind. */
  readonly rule: string;
  readonly name: string;
  readonly check: string;
  readonly on: string;
  /**
   * The reaction. `question`: the user is asked, after reminders without effect. `none`: this breach was reported
   * before.
   */
  readonly reaction: "remind" | "deny" | "ask" | "report" | "question" | "none";
  readonly tool?: string;
  readonly path?: string;
  readonly line?: number;
  /** The offending text, clipped. */
  readonly text: string;
  /** How many more breaches of the same check the same call has. */
  readonly more?: number;
  /** Whether the session was compacted before. */
  readonly isAfterCompaction?: boolean;
  /** Whether the model was reminded of the same rule earlier in this session. */
  readonly isAfterReminder?: boolean;
}

/** A breach in a few words for the user: place, rule, text. Not yet safe for a terminal. */
export function describeBroken({ name, path, line, tool, on, text }: Broken): string {
  const place = [path, line].filter((one) => one !== undefined).join(":") || (tool ?? on);
  return `rule "${name}": ${place}${text === "" ? "" : `: ${text}`}`;
}

/** What the host's summary kept of what mattered before a compaction. */
export interface SummaryComparison {
  readonly characters: number;
  /** Files of the working set that the summary mentions, and those that it does not. */
  readonly keptFiles: readonly string[];
  readonly lostFiles: readonly string[];
  /** Items of the snapshot that the summary repeats although it was asked to omit them. */
  readonly restated: readonly string[];
}

/** An entry without the fields that the engine adds. */
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
  /** Whether it says that the item no longer holds. */
  readonly withdraws?: boolean;
}

export function ledgerItem(item: DeliveredItem): LedgerItem {
  const { source, key, name, reason, tokens, piece, withdraws } = item;
  const title = piece === undefined ? name : `${name} (part ${piece.part} of ${piece.of})`;
  return { source, key, title, reason, tokens, ...(withdraws === true ? { withdraws } : {}) };
}

export function appendLedger(home: Home, at: number, entry: LedgerEntry): void {
  appendRecord(ledgerJournal(home), { v: 1, at: new Date(at).toISOString(), ...redactDeep(entry) });
}

/** An entry as read from the ledger. */
export type LedgerLine = LedgerEntry & { readonly at: string };

const KINDS: readonly LedgerEntry["kind"][] = [
  "delivered",
  "looked",
  "replayed",
  "compacting",
  "compacted",
  "summarised",
  "context",
  "guarded",
  "broken",
  "checked",
  "ended",
];

/** The known entries among these records. Others, written by a newer or older version, are skipped. */
export function readLedger(records: readonly unknown[]): LedgerLine[] {
  return records.filter((record): record is LedgerLine => {
    const line = record as Partial<LedgerLine & { v: number }> | null;
    return line?.v === 1 && typeof line.session === "string" && KINDS.some((kind) => kind === line.kind);
  });
}

export function ledgerJournal(home: Home): Journal {
  return { folder: home.ledger, prefix: "ledger", maxBytes: 4_000_000 };
}

/** One session's lines of the ledger, oldest first, from its `files` newest files. */
export function sessionLedger(home: Home, session: Session, files = Number.POSITIVE_INFINITY): LedgerLine[] {
  const id = JSON.stringify(session.id);
  const records = journalFiles(ledgerJournal(home))
    .slice(-files)
    .flatMap((name) => linesOf(join(home.ledger, name)))
    .filter((line) => line.includes(id)) // parsing the other lines would take longer than everything else
    .flatMap(parsedLine);
  return readLedger(records).filter((line) => line.session === session.id && line.host === session.host);
}

/** The record of a line, as a list: none if the line is damaged. */
export function parsedLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // an incomplete line from a full disk; `continuo doctor` counts those
  }
}

type Compacted = Extract<LedgerLine, { readonly kind: "compacted" }>;

/** What of a compaction's loss report is restored by now, and what is still waiting for an output with room. */
export function restoredAfter(
  compacted: Compacted,
  ledger: readonly LedgerLine[],
): { restored: readonly string[]; waiting: readonly string[] } {
  const { isMissing } = receivedOf(ledger);
  const shown = new Set<string>();
  const dropped = new Set<string>();
  for (const line of ledger) {
    if (line.kind !== "delivered" || line.session !== compacted.session || line.host !== compacted.host)
      continue;
    if (line.epoch !== compacted.epoch) continue;
    const keys = isMissing(line) ? dropped : shown;
    for (const item of line.items.filter(isWhole)) keys.add(`${item.source}/${item.key}`);
  }
  // A text that the host dropped is waiting to be delivered again.
  const isGone = (key: string) => dropped.has(key) && !shown.has(key);
  const later = compacted.waiting ?? [];
  const { reasserted } = compacted;
  return {
    restored: [...reasserted.filter((key) => !isGone(key)), ...later.filter((key) => shown.has(key))],
    waiting: [...reasserted.filter(isGone), ...later.filter((key) => !shown.has(key))],
  };
}

/** An item delivered in pieces is complete with its last piece. */
function isWhole({ title }: LedgerItem): boolean {
  const [, part, of] = /\(part (\d+) of (\d+)\)$/.exec(title) ?? [];
  return part === of;
}
