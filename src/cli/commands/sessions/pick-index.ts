import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { type Candidate, type PickState, wantsIndex } from "./pick-state.ts";

// The list knows names and first requests. The index knows all that was said, and what it means: what it finds is offered
// below what the list finds. One search takes milliseconds, but on the thread that reads the keys.

/** A search starts when nobody has typed for this long. */
const PAUSE_MS = 200;
/** After a slow search, the next one waits for a pause this many times as long. */
const PATIENCE = 4;
/** A search that takes longer is the last one: keys would wait. */
const TOO_SLOW_MS = 1500;
const MOST = 8;

export interface IndexSearch {
  /** To be called after every change of the query. A search that was due for an older one is dropped. */
  typed(state: PickState): void;
  stop(): void;
}

export interface IndexSearchOptions {
  readonly sessions: Pick<Sessions, "search">;
  readonly all: readonly Candidate[];
  /** What the index found for this query, best first; only sessions that can be picked. */
  found(query: string, found: readonly PastSession[]): void;
  readonly clock?: () => number;
}

export function indexSearch({
  sessions,
  all,
  found,
  clock = () => performance.now(),
}: IndexSearchOptions): IndexSearch {
  const pickable = new Map(all.map(({ session }) => [keyOf(session), session]));
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = PAUSE_MS;
  let isOff = false;
  const look = (query: string) => {
    const begun = clock();
    const hits = hitsFor(sessions, query);
    const tookMs = clock() - begun;
    pauseMs = Math.max(PAUSE_MS, PATIENCE * tookMs);
    isOff ||= hits === undefined || tookMs > TOO_SLOW_MS;
    found(
      query,
      (hits ?? []).flatMap((session) => pickable.get(keyOf(session)) ?? []),
    );
  };
  return {
    typed(state) {
      clearTimeout(timer);
      if (!wantsIndex(state)) return;
      const { query } = state;
      // Without the index, the answer is that it found nothing.
      timer = isOff ? setTimeout(found, 0, query, []) : setTimeout(look, pauseMs, query);
    },
    stop: () => clearTimeout(timer),
  };
}

const keyOf = ({ host, id }: PastSession): string => `${host}\n${id}`;

function hitsFor(sessions: Pick<Sessions, "search">, query: string): PastSession[] | undefined {
  try {
    return sessions.search(query, { limit: MOST }).hits.map(({ session }) => session);
  } catch {
    return undefined; // locked or damaged: the picker works without it, and doctor tells
  }
}
