import { statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import type { Home } from "../../store/home.ts";
import { journalFiles, MAX_JOURNAL_BYTES } from "../../store/journal.ts";
import { isRefused, readText } from "../../store/read-file.ts";
import { type DeliveredItem, readLedgerLine } from "./delivered-line.ts";
import { ledgerJournal } from "./ledger.ts";

export interface SessionDeliveries {
  readonly host: string;
  readonly session: string;
  readonly project: string | null;
  readonly first: string;
  readonly last: string;
  readonly snapshots: number;
  readonly additions: number;
  readonly items: number;
  /** What all deliveries cost together, framing included. */
  readonly tokens: number;
}

export interface LedgerReading {
  /** The sessions that were last given something, newest first. */
  readonly sessions: readonly SessionDeliveries[];
  /** Older files that were not read: the byte limit was reached. What is only in them is not in the sums. */
  readonly skipped: number;
  /** Lines that are no ledger line. */
  readonly malformed: number;
  /** Files that could not be read. */
  readonly unreadable: readonly string[];
}

/** About 40,000 deliveries, which takes a quarter of a second. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads the ledger's newest files, as many as the byte limit allows, and at least one. */
export function recentDeliveries(home: Home, { maxBytes = MAX_BYTES } = {}): LedgerReading {
  const all = journalFiles(ledgerJournal(home));
  const names = newestWithin(home.ledger, all, maxBytes);
  const sums = new Map<string, Sum>();
  const unreadable: string[] = [];
  let malformed = 0;
  for (const name of names) {
    const text = textOf(join(home.ledger, name));
    if (text === undefined) unreadable.push(name);
    else malformed += addAll(sums, text);
  }
  const sessions = [...sums.values()].map(summary).sort(byLast);
  return { sessions, skipped: all.length - names.length, malformed, unreadable };
}

function newestWithin(folder: string, names: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const tooOld = names.findLastIndex((name, index) => {
    bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    return bytes > maxBytes && index < names.length - 1;
  });
  return names.slice(tooOld + 1);
}

function textOf(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: MAX_JOURNAL_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return ""; // removed since it was listed
    if (isRefused(error) || systemCode(error) !== undefined) return undefined;
    throw error;
  }
}

interface Sum {
  /** The newest delivery, for what all of a session's have in common, and its project. */
  latest: DeliveredItem;
  first: string;
  readonly epochs: Set<number>;
  additions: number;
  items: number;
  tokens: number;
}

/** Returns how many lines could not be understood. */
function addAll(sums: Map<string, Sum>, text: string): number {
  const lines = text.split("\n");
  lines.pop(); // empty, or a line that is being written
  let malformed = 0;
  for (const line of lines) {
    const reading = readLedgerLine(line);
    if (reading === "malformed") malformed += 1;
    else if (reading.items.length > 0) add(sums, reading.items);
  }
  return malformed;
}

function add(sums: Map<string, Sum>, items: readonly DeliveredItem[]): void {
  const [one] = items;
  if (one === undefined) return;
  const key = JSON.stringify([one.host, one.session]);
  const sum = sums.get(key) ?? emptySum(one);
  sums.set(key, sum);
  if (one.at >= sum.latest.at) sum.latest = one;
  if (one.at < sum.first) sum.first = one.at;
  if (one.kind === "snapshot") sum.epochs.add(one.epoch);
  else sum.additions += 1;
  sum.items += items.length;
  sum.tokens += one.cost;
}

function emptySum(one: DeliveredItem): Sum {
  return { latest: one, first: one.at, epochs: new Set(), additions: 0, items: 0, tokens: 0 };
}

function summary({ latest, first, epochs, additions, items, tokens }: Sum): SessionDeliveries {
  const { host, session, project, at: last } = latest;
  return { host, session, project, first, last, snapshots: epochs.size, additions, items, tokens };
}

function byLast(a: SessionDeliveries, b: SessionDeliveries): number {
  if (a.last !== b.last) return a.last < b.last ? 1 : -1;
  return a.session < b.session ? -1 : 1;
}
