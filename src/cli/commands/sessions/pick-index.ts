import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { type Candidate, type PickState, wantsIndex } from "./pick-state.ts";

// The list knows names and first requests. The index knows everything that was said, and its meaning; its results are
// shown below the list's. One search takes milliseconds, but on the thread that reads the keys.

/** A search starts after this long without typing. */
const PAUSE_MS = 200;
/** After a slow search, the next one waits for a pause this many times as long. */
const PATIENCE = 4;
/** A search that takes longer is the last one, because it blocks the keys. */
const TOO_SLOW_MS = 1500;
const MOST = 8;

export interface IndexSearch {
  /** Call it after every change of the query. Cancels a pending search for an older one. */
  typed(state: PickState): void;
  stop(): void;
}

export interface IndexSearchOptions {
  readonly sessions: Pick<Sessions, "search">;
  readonly all: readonly Candidate[];
  /** The index's results for this query, best first; only sessions that can be picked. */
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
      // Without the index, report that nothing was found.
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
    return undefined; // locked or damaged: the picker works without it, and doctor reports it
  }
}
