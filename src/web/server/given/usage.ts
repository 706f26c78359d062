import { pauses } from "../../../base/slices.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { SessionRef } from "../../api/events.ts";
import type { MeasuredCache } from "../../api/given.ts";

/** What the model read in one session, by local day; undefined if its host does not record it. */
export type Usage = ReadonlyMap<string, MeasuredCache>;

interface Kept {
  /** Size and time of the transcript when it was read. */
  readonly stamp: string;
  readonly usage: Usage;
}

const MOST_KEPT = 500;

export interface UsageReader {
  /** Reads the transcript, unless it is unchanged since the last time. */
  of(session: SessionRef, isOver: () => boolean): Promise<Usage | undefined>;
}

export function usageReader(library: () => Promise<Sessions>): UsageReader {
  const kept = new Map<string, Kept>();
  return {
    async of({ host, id }, isOver) {
      const sessions = await library();
      const session = sessions.get({ host, id });
      if (session === undefined || session.isGone) return undefined;
      const key = `${host} ${id}`;
      const stamp = `${session.modified} ${session.size}`;
      const before = kept.get(key);
      if (before?.stamp === stamp) return notEmpty(before.usage);
      if (isOver()) return undefined;
      const { usage, isWhole } = await readUsage(sessions, { host, id }, isOver);
      if (isWhole) {
        if (kept.size >= MOST_KEPT) kept.clear();
        kept.set(key, { stamp, usage });
      }
      return notEmpty(usage);
    },
  };
}

async function readUsage(
  sessions: Sessions,
  session: SessionRef,
  isOver: () => boolean,
): Promise<{ usage: Usage; isWhole: boolean }> {
  const pause = pauses();
  const usage = new Map<string, MeasuredCache>();
  const counted = new Set<string>();
  for (const turn of sessions.turns(session)) {
    await pause();
    if (isOver()) return { usage: partial(usage), isWhole: false };
    const answer = turn.group ?? turn.id;
    // A subagent and a copied turn were paid for in other sessions.
    if (turn.usage === undefined || turn.marks.sidechain || turn.marks.copied || counted.has(answer))
      continue;
    counted.add(answer);
    const { input, cacheRead, cacheWrite } = turn.usage;
    const day = dayOf(turn.at ?? 0);
    const sum = usage.get(day) ?? { input: 0, cached: 0, requests: 0 };
    usage.set(day, {
      input: sum.input + input + cacheRead + cacheWrite,
      cached: sum.cached + cacheRead,
      requests: sum.requests + 1,
    });
  }
  return { usage, isWhole: true };
}

function partial(usage: Map<string, MeasuredCache>): Usage {
  return new Map([...usage].map(([day, sum]) => [day, { ...sum, isPartial: true }]));
}

/** A host that records nothing has turns without usage, or only zeros. */
function notEmpty(usage: Usage): Usage | undefined {
  return [...usage.values()].some(({ input }) => input > 0) ? usage : undefined;
}

export function sumOf(sums: Iterable<MeasuredCache>): MeasuredCache | undefined {
  let all: MeasuredCache | undefined;
  for (const one of sums)
    all = {
      input: (all?.input ?? 0) + one.input,
      cached: (all?.cached ?? 0) + one.cached,
      requests: (all?.requests ?? 0) + one.requests,
      ...(all?.isPartial === true || one.isPartial === true ? { isPartial: true } : {}),
    };
  return all;
}

/** The local day: 2026-11-16. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
