import { closeSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { readLedgerLine } from "../../../moments/state/delivered-line.ts";
import { ledgerJournal } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import { journalFiles, MAX_JOURNAL_BYTES } from "../../../store/journal.ts";
import { type OpenFile, openFile, readAt } from "../../../store/read-file.ts";

/** How often each rule was delivered, by project and key. */
export interface RuleDeliveries {
  of(project: string, key: string): { readonly count: number; readonly last: string } | undefined;
  /** ISO time of the oldest line that was counted. */
  readonly since: string | undefined;
}

/** The newest files: years of ordinary work. */
const MOST_FILES = 8;
const CHUNK = 256 * 1024;

interface Counter {
  readonly counts: Map<string, { count: number; last: string }>;
  /** How far each file was read, and the beginning of a line that was not complete then. */
  readonly offsets: Map<string, { at: number; rest: Buffer }>;
  since: string | undefined;
  running: Promise<void> | undefined;
}

/** Counts the ledger's deliveries of rules. The ledger only grows, so each call reads what is new. */
export function ruleDeliveries(home: Home): () => Promise<RuleDeliveries> {
  const counter: Counter = { counts: new Map(), offsets: new Map(), since: undefined, running: undefined };
  return async () => {
    counter.running ??= readNew(home, counter).finally(() => {
      counter.running = undefined;
    });
    await counter.running;
    return {
      of: (project, key) => counter.counts.get(`${project}\n${key}`),
      since: counter.since,
    };
  };
}

async function readNew(home: Home, counter: Counter): Promise<void> {
  for (const name of journalFiles(ledgerJournal(home)).slice(-MOST_FILES)) {
    const before = counter.offsets.get(name) ?? { at: 0, rest: Buffer.alloc(0) };
    counter.offsets.set(name, await readFile(join(home.ledger, name), before, counter));
  }
}

async function readFile(
  path: string,
  { at, rest }: { at: number; rest: Buffer },
  counter: Counter,
): Promise<{ at: number; rest: Buffer }> {
  let file: OpenFile;
  try {
    file = openFile(path, { maxBytes: MAX_JOURNAL_BYTES });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return { at, rest }; // removed since it was listed, or not readable: `continuo doctor` reports that
  }
  try {
    let [from, left] = [at, rest];
    for (;;) {
      const piece = readAt(file.descriptor, from, CHUNK);
      if (piece.length === 0) return { at: from, rest: left };
      from += piece.length;
      const all = Buffer.concat([left, piece]);
      const end = all.lastIndexOf(10);
      for (const line of all.subarray(0, Math.max(0, end)).toString("utf8").split("\n")) count(line, counter);
      left = all.subarray(end + 1);
      await new Promise((resolve) => setImmediate(resolve)); // other requests get their turn
    }
  } finally {
    closeSync(file.descriptor);
  }
}

function count(line: string, counter: Counter): void {
  // Parsing the other lines would take longer than everything else.
  if (!line.includes('"rules"')) return;
  const reading = readLedgerLine(line);
  if (reading === "malformed") return;
  for (const { source, project, item, at } of reading.items) {
    if (source !== "rules" || project === null) continue;
    if (counter.since === undefined || at < counter.since) counter.since = at;
    const key = `${project}\n${item}`;
    const known = counter.counts.get(key);
    if (known === undefined) counter.counts.set(key, { count: 1, last: at });
    else {
      known.count += 1;
      if (at > known.last) known.last = at;
    }
  }
}
