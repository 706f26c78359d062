import { pauses } from "../../../base/slices.ts";
import type { LedgerLine } from "../../../moments/state/ledger.ts";
import { parsedLine, readLedger } from "../../../moments/state/ledger.ts";
import { ledgerFiles } from "../../../moments/state/ledger-files.ts";
import type { Home } from "../../../store/home.ts";
import { readRecords } from "../../../store/journal.ts";
import { type ModelCall, modelCallsJournal } from "../../../store/model-calls.ts";
import type { SessionRef } from "../../api/events.ts";
import type { GivenDay, GivenDays, MeasuredCache } from "../../api/given.ts";
import { dayOf, sumOf, type UsageReader } from "./usage.ts";

/** The sums of one day from one file of the ledger. */
interface DaySum {
  readonly sessions: Map<string, SessionRef>;
  tokens: number;
  snapshots: number;
  additions: number;
  replays: number;
  compactions: number;
  moments: number;
  ms: number;
}

interface FileSums {
  /** The offset up to which lines are summed up. The ledger is append-only, so no line is read twice. */
  end: number;
  readonly days: Map<string, DaySum>;
}

const DAY_MS = 24 * 3_600_000;
/** The time limit for reading transcripts to measure the cache; the next request continues. */
const MEASURE_MS = 700;

export interface Days {
  of(count: number, now: number): Promise<GivenDays>;
}

export function createDays(home: Home, usage: UsageReader): Days {
  const files = new Map<string, FileSums>();
  let running = Promise.resolve();
  return {
    async of(count, now) {
      // In sequence: two at once would read the same lines.
      running = running.then(
        () => sumUp(home, files),
        () => sumUp(home, files),
      );
      await running;
      const names = Array.from({ length: count }, (_, i) => dayOf(now - (count - 1 - i) * DAY_MS));
      const sums = new Map(
        names.map((day) => [day, [...files.values()].flatMap((file) => file.days.get(day) ?? [])]),
      );
      const given = new Map([...sums.values()].flat().flatMap(({ sessions }) => [...sessions]));
      const { caches, sessions } = await measure([...given.values()].reverse(), usage);
      const calls = modelCalls(home);
      return {
        days: names.map((day) => dayFrom(day, sums.get(day) ?? [], calls.get(day) ?? 0, caches.get(day))),
        measured: { sessions, of: given.size },
      };
    },
  };
}

async function sumUp(home: Home, files: Map<string, FileSums>): Promise<void> {
  const pause = pauses();
  for (const file of ledgerFiles(home)) {
    let sums = files.get(file.name);
    if (sums === undefined || sums.end > file.size) sums = { end: 0, days: new Map() };
    files.set(file.name, sums);
    if (sums.end === file.size) continue;
    const { text, end } = file.linesFrom(sums.end);
    for (let from = 0; from < text.length; ) {
      const to = text.indexOf("\n", from);
      for (const line of readLedger(parsedLine(text.slice(from, to)))) addLine(sums.days, line);
      from = to + 1;
      await pause();
    }
    sums.end = end;
  }
}

function addLine(days: Map<string, DaySum>, line: LedgerLine): void {
  const at = Date.parse(line.at);
  if (Number.isNaN(at)) return;
  const day = dayOf(at);
  let sum = days.get(day);
  if (sum === undefined) {
    sum = {
      sessions: new Map(),
      tokens: 0,
      snapshots: 0,
      additions: 0,
      replays: 0,
      compactions: 0,
      moments: 0,
      ms: 0,
    };
    days.set(day, sum);
  }
  if (line.kind === "delivered") {
    sum.tokens += count(line.tokens);
    sum[line.what === "snapshot" ? "snapshots" : "additions"] += 1;
    sum.sessions.set(`${line.host} ${line.session}`, { host: line.host, id: line.session });
  } else if (line.kind === "replayed") sum.replays += 1;
  else if (line.kind === "compacted") sum.compactions += 1;
  if ("spent" in line && line.spent !== undefined) {
    sum.moments += count(line.spent.moments);
    sum.ms += count(line.spent.ms);
  }
}

const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);

async function measure(
  sessions: readonly SessionRef[],
  usage: UsageReader,
): Promise<{ caches: Map<string, MeasuredCache>; sessions: number }> {
  const until = performance.now() + MEASURE_MS;
  const caches = new Map<string, MeasuredCache>();
  let measured = 0;
  for (const session of sessions) {
    const found = await usage.of(session, () => performance.now() > until);
    if (found === undefined) continue;
    measured += 1;
    for (const [day, cache] of found) {
      const sum = sumOf([caches.get(day), cache].filter((one) => one !== undefined));
      if (sum !== undefined) caches.set(day, sum);
    }
  }
  return { caches, sessions: measured };
}

/** Requests to models by day. The journal is small, and empty unless the user configured a model. */
function modelCalls(home: Home): Map<string, number> {
  const calls = new Map<string, number>();
  for (const record of readRecords(modelCallsJournal(home.logs)).records) {
    const day = dayOf(Date.parse(String((record as Partial<ModelCall> | null)?.at)));
    calls.set(day, (calls.get(day) ?? 0) + 1);
  }
  return calls;
}

function dayFrom(
  day: string,
  sums: readonly DaySum[],
  modelCallsOfDay: number,
  cache: MeasuredCache | undefined,
): GivenDay {
  const total = (name: Exclude<keyof DaySum, "sessions">) => sums.reduce((sum, one) => sum + one[name], 0);
  return {
    day,
    sessions: new Set(sums.flatMap(({ sessions }) => [...sessions.keys()])).size,
    tokens: total("tokens"),
    snapshots: total("snapshots"),
    additions: total("additions"),
    replays: total("replays"),
    compactions: total("compactions"),
    moments: total("moments"),
    ms: total("ms"),
    modelCalls: modelCallsOfDay,
    cache,
  };
}
