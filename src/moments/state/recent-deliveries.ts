import { statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import type { Home } from "../../store/home.ts";
import { journalFiles, linesOf, MAX_JOURNAL_BYTES } from "../../store/journal.ts";
import { isRefused, readText } from "../../store/read-file.ts";
import { type DeliveredItem, readLedgerLine } from "./delivered-line.ts";
import { ledgerJournal, parsedLine, readLedger } from "./ledger.ts";
import { receivedOf } from "./received.ts";

export interface SessionDeliveries {
  readonly host: string;
  readonly session: string;
  readonly project: string | null;
  readonly first: string;
  readonly last: string;
  readonly snapshots: number;
  readonly additions: number;
  readonly items: number;
  /** The total cost of all deliveries, framing included. */
  readonly tokens: number;
}

interface LedgerReading {
  /** Sessions by their latest delivery, newest first. */
  readonly sessions: readonly SessionDeliveries[];
  /** Number of older files that were skipped because of the byte limit. The sums do not include them. */
  readonly skipped: number;
  /** Number of parsed lines that are not valid ledger lines. */
  readonly malformed: number;
  /** Files that could not be read. */
  readonly unreadable: readonly string[];
}

/** About 40,000 deliveries, which takes a quarter of a second. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads the ledger's newest files, as many as the byte limit allows, and at least one. With `most` it returns only that
 * many sessions, and parses only the lines needed for these.
 */
export function recentDeliveries(
  home: Home,
  { maxBytes = MAX_BYTES, most = Number.POSITIVE_INFINITY } = {},
): LedgerReading {
  const all = journalFiles(ledgerJournal(home));
  const names = newestWithin(home.ledger, all, maxBytes);
  const bySession = new Map<string, SessionLines>();
  const unreadable: string[] = [];
  let malformed = 0;
  for (const name of names) {
    const text = textOf(join(home.ledger, name));
    if (text === undefined) unreadable.push(name);
    else malformed += addLines(bySession, text);
  }
  const sessions: SessionDeliveries[] = [];
  // A session's last delivery is not later than its last line, so the others cannot be among the first.
  for (const { last, lines } of [...bySession.values()].sort((a, b) => (a.last < b.last ? 1 : -1))) {
    const least = sessions[most - 1];
    if (least !== undefined && least.last > last) break;
    const sum = sumOf(lines);
    malformed += sum.malformed;
    if (sum.session === undefined) continue;
    sessions.push(sum.session);
    if (sessions.length > most) sessions.sort(byLast).pop();
    else if (sessions.length === most) sessions.sort(byLast);
  }
  return { sessions: sessions.sort(byLast), skipped: all.length - names.length, malformed, unreadable };
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

interface SessionLines {
  /** The time of the session's newest line. */
  last: string;
  readonly lines: string[];
}

/** The beginning of a line as Continuo writes it. Parsing every line as JSON would take several times as long. */
const HEAD =
  /^\{"v":1,"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)","host":"([^"\\]+)","session":"([^"\\]+)"/;

/** Returns how many lines could not be understood. Lines with a known beginning are parsed later. */
function addLines(bySession: Map<string, SessionLines>, text: string): number {
  const lines = text.split("\n");
  lines.pop(); // empty, or a line that is being written
  let malformed = 0;
  for (const line of lines) {
    const [, at, host, session] = HEAD.exec(line) ?? [];
    const head = at && host && session ? { at, host, session } : headOf(line);
    if (head === "malformed") malformed += 1;
    else if (head !== undefined) addLine(bySession, head, line);
  }
  return malformed;
}

interface Head {
  readonly at: string;
  readonly host: string;
  readonly session: string;
}

/** Undefined for a line that is not a delivery. */
function headOf(line: string): Head | undefined | "malformed" {
  const reading = readLedgerLine(line);
  return reading === "malformed" ? reading : reading.items[0];
}

function addLine(bySession: Map<string, SessionLines>, { at, host, session }: Head, line: string): void {
  const key = `${host}\n${session}`;
  const known = bySession.get(key);
  if (known === undefined) {
    bySession.set(key, { last: at, lines: [line] });
    return;
  }
  if (at > known.last) known.last = at;
  known.lines.push(line);
}

/** `session` is undefined if nothing was delivered to it. */
function sumOf(lines: readonly string[]): { session: SessionDeliveries | undefined; malformed: number } {
  let sum: Sum | undefined;
  let malformed = 0;
  const missing = missingIn(lines);
  for (const line of lines) {
    const reading = readLedgerLine(line);
    if (reading === "malformed") malformed += 1;
    else sum = added(sum, reading.items, missing.has(line));
  }
  return { session: sum && summary(sum), malformed };
}

/** What did not reach the agent cost nothing. Very few sessions have such lines. */
function missingIn(lines: readonly string[]): ReadonlySet<string> {
  if (!lines.some((line) => line.includes('"missing":["'))) return new Set();
  const entries = lines.flatMap((line) => readLedger(parsedLine(line)).map((entry) => ({ line, entry })));
  const { isMissing } = receivedOf(entries.map(({ entry }) => entry));
  const missing = entries.filter(({ entry }) => entry.kind === "delivered" && isMissing(entry));
  return new Set(missing.map(({ line }) => line));
}

interface Sum {
  /** The newest delivery, for the fields that all of a session's deliveries share, and its project. */
  latest: DeliveredItem;
  first: string;
  readonly epochs: Set<number>;
  additions: number;
  items: number;
  tokens: number;
}

function added(
  before: Sum | undefined,
  items: readonly DeliveredItem[],
  isMissing: boolean,
): Sum | undefined {
  const [one] = items;
  if (one === undefined) return before;
  const sum = before ?? emptySum(one);
  if (one.at >= sum.latest.at) sum.latest = one;
  if (one.at < sum.first) sum.first = one.at;
  if (isMissing) return sum;
  if (one.kind === "snapshot") sum.epochs.add(one.epoch);
  else sum.additions += 1;
  sum.items += items.length;
  sum.tokens += one.cost;
  return sum;
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

/** Enough to find what the user has just seen. */
const MOST_LINES = 2_000;

/** The most recent deliveries, newest first, each item once. */
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
