import { count } from "../../../base/when.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { catchUp, withSessions } from "../access.ts";
import type { Sessions } from "../library.ts";

/** How long an action may index new sessions before it answers. An empty index finds nothing, so filling it may take longer. */
export interface SyncTime {
  readonly emptyMs: number;
  readonly usualMs: number;
}

const FOR_PEOPLE: SyncTime = { emptyMs: 30_000, usualMs: 1500 };

/** Opens the library for one action, and indexes what is new. */
export function withFresh<T>(
  place: Pick<Place, "home" | "env" | "now" | "history" | "tell" | "progress" | "signal">,
  work: (library: Sessions) => T | Promise<T>,
  time?: SyncTime,
): Promise<T> {
  return withSessions(place, 0, async (library) => {
    await syncFirst(place, library, time);
    return work(library);
  });
}

/** Indexes sessions that changed on disk, within the given time. Reports if some are left. */
export async function syncFirst(
  { tell, progress, signal }: Pick<Place, "tell" | "progress" | "signal">,
  library: Sessions,
  { emptyMs, usualMs } = FOR_PEOPLE,
): Promise<void> {
  const show = progress?.();
  const { isComplete } = await catchUp(library, {
    sliceMs: library.size().sessions === 0 ? emptyMs : usualMs,
    ...(signal && { signal }),
    onProgress({ doneSessions, sessions, doneBytes, bytes }) {
      // Usually nothing is new, and showing progress would load more code.
      if (doneSessions + doneBytes > 0)
        show?.(() => ({
          ...(bytes > 0 && { share: doneBytes / bytes }),
          label: `${doneSessions} of ${count(sessions, "session")} read`,
        }));
    },
  });
  if (!isComplete) tell?.("continuo: not all sessions are indexed yet; to finish: continuo sessions index");
}
