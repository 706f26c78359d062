import { pauses } from "../../../base/slices.ts";
import { readLedgerLine } from "../../../moments/state/delivered-line.ts";
import { ledgerFiles } from "../../../moments/state/ledger-files.ts";
import type { Home } from "../../../store/home.ts";

/** How often each rule was delivered, by project and key. */
export interface RuleDeliveries {
  of(project: string, key: string): { readonly count: number; readonly last: string } | undefined;
  /** ISO time of the oldest counted line. */
  readonly since: string | undefined;
}

/** Only the newest files: years of ordinary work. */
const MOST_FILES = 8;

interface Counter {
  readonly counts: Map<string, { count: number; last: string }>;
  /** How far each file was read. */
  readonly offsets: Map<string, number>;
  since: string | undefined;
  running: Promise<void> | undefined;
}

/** Counts the ledger's deliveries of rules. The ledger only grows, so each call reads only what is new. */
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
  const pause = pauses();
  for (const file of ledgerFiles(home).slice(-MOST_FILES)) {
    const { text, end } = file.linesFrom(counter.offsets.get(file.name) ?? 0);
    counter.offsets.set(file.name, end);
    for (const line of text.split("\n")) {
      count(line, counter);
      await pause();
    }
  }
}

function count(line: string, counter: Counter): void {
  // Parsing all other lines would take longer than everything else.
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
