import { join } from "node:path";
import { systemCode } from "../../../../base/errors.ts";
import { isRecord } from "../../../../base/settings.ts";
import type { SourceContext } from "../../../../moments/ports/source.ts";
import type { Moment } from "../../../../moments/types.ts";
import { writeFileAtomic } from "../../../../store/atomic-file.ts";
import { homeAt } from "../../../../store/home.ts";
import { withLock } from "../../../../store/lock.ts";
import { readText } from "../../../../store/read-file.ts";
import { propose } from "../propose.ts";
import { tagFor } from "../scope.ts";
import { coreOf } from "./core-of.ts";
import { candidatesIn, type Found } from "./find-candidates.ts";
import { addRepeats, formatRepeats, type Place, parseRepeats, type Repeat } from "./repeats.ts";
import { historyOf, type SessionHistory } from "./session-history.ts";

/** The host waits at a rest: what is not read in this time is read at the next one. */
const READING_MS = 200;
/** Nobody types a longer one. */
const MAX_LINE_BYTES = 1024 * 1024;
/** A person is asked about a few things, not about everything they said. */
export const PER_SESSION = 3;
const LOCK_WAIT_MS = 200;

/** What is remembered about a session: where to read on, and how many proposals it has led to. */
export interface Progress {
  readonly resumeAt: number;
  /** That lies inside a line that is too long. */
  readonly isWithin?: boolean;
  readonly proposed: number;
  /** Nothing is taken from it: a subagent's, which only its history tells. */
  readonly isChild?: boolean;
}

type At = Pick<Moment, "session" | "project" | "cwd" | "at" | "transcript">;
type Around = Pick<SourceContext, "env" | "home" | "history" | "signal">;

/** Puts before the human what they said since the last time; undefined when there was nothing to read. */
export async function extract(
  seedPath: string,
  moment: At,
  before: Progress,
  { env, home, history: loadHistory, signal }: Around,
): Promise<Progress | undefined> {
  if (before.isChild || moment.session.parent !== undefined || before.proposed >= PER_SESSION)
    return undefined;
  const history = historyOf(moment, env, await loadHistory());
  if (history === undefined) return undefined;
  if (before.resumeAt === 0 && history.reader.headerOf(history.file).parent !== undefined)
    return { ...before, isChild: true };
  const { found, ...place } = readOn(history, before, signal);
  const project = tagFor(moment.project, env);
  const { host, id } = moment.session;
  const repeated = await noteRepeats(home, found, { session: `${host}/${id}`, project, at: moment.at });
  const candidates = [...found.filter((one) => !one.isWeak), ...repeated];
  if (candidates.length === 0) return { proposed: before.proposed, ...place };
  const { proposed } = await propose(
    candidates.toSorted((a, b) => b.confidence - a.confidence),
    {
      seedPath,
      sessionId: id,
      host,
      project,
      now: moment.at,
      lockWaitMs: LOCK_WAIT_MS,
      atMost: PER_SESSION - before.proposed,
      coreOf,
    },
  );
  return { ...place, proposed: before.proposed + proposed.length };
}

export function readProgress(memo: unknown): Progress {
  const kept = isRecord(memo) ? memo["extraction"] : undefined;
  const count = (key: string): number => {
    const value = isRecord(kept) ? kept[key] : undefined;
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
  };
  const isChild = isRecord(kept) && kept["isChild"] === true;
  const isWithin = isRecord(kept) && kept["isWithin"] === true;
  return {
    resumeAt: count("resumeAt"),
    ...(isWithin && { isWithin }),
    proposed: count("proposed"),
    ...(isChild ? { isChild } : {}),
  };
}

/** What another process of this session found meanwhile counts too. */
export function withProgress(memo: unknown, before: Progress, after: Progress): unknown {
  const now = readProgress(memo);
  const proposed = now.proposed + after.proposed - before.proposed;
  return { ...(isRecord(memo) ? memo : {}), extraction: { ...after, proposed } };
}

function readOn(
  { reader, file }: SessionHistory,
  { resumeAt: from, isWithin = false }: Progress,
  signal: AbortSignal,
): { found: Found[]; resumeAt: number; isWithin?: boolean } {
  const until = Date.now() + READING_MS;
  const isOver = (): boolean => Date.now() > until || signal.aborted;
  const reading = reader.read(file, { from, isWithin, maxLineBytes: MAX_LINE_BYTES, isOver });
  const found: Found[] = [];
  for (const turn of reading) {
    if (isOver()) return { found, resumeAt: turn.offset };
    found.push(...candidatesIn(turn));
  }
  const report = reading.report();
  return { found, resumeAt: report.resumeAt, ...(report.isWithin === true && { isWithin: true }) };
}

/** Beside our state and not beside the seed: what was said in passing is not the seed's business yet. */
async function noteRepeats(home: string, found: readonly Found[], place: Place): Promise<Found[]> {
  const weak = found.filter((one) => one.isWeak);
  if (weak.length === 0) return [];
  const path = join(home, "seed-repeats.jsonl");
  return withLock(
    join(homeAt(home).locks, "seed-repeats"),
    () => {
      const { memory, due } = addRepeats(readRepeats(path), weak, place);
      writeFileAtomic(path, formatRepeats(memory), { durable: false });
      return due;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

function readRepeats(path: string): Repeat[] {
  try {
    return parseRepeats(readText(path, { maxBytes: 16 * 1024 * 1024 }));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
