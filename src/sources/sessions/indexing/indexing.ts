import { describeError } from "../../../base/errors.ts";
import type { OfferContext, Work } from "../../../moments/ports/offer.ts";
import type { Home } from "../../../store/home.ts";
import { openSessions, type SyncProgress } from "../library.ts";

/** Short enough that a person who types notices nothing: reading a history blocks the host's process. */
const SLICE_MS = 25;
const PAUSE_MS = 25;
/** Waiting for another process blocks the host's as well. */
const BUSY_MS = 100;

/** How far the index of each home has come, while somebody works on it. */
const under = new Map<string, SyncProgress>();

/** The agent rests: what is new in any host's history is read, a slice at a time, until nothing is left. */
export async function indexAll(context: OfferContext, work: Work): Promise<void> {
  if (under.has(context.home.root)) return;
  try {
    await readAll(context, work);
  } catch (error) {
    // Another process is indexing: that is as good.
    if (describeError(error).code !== "index-busy") throw error;
  }
}

async function readAll({ home, env, history }: OfferContext, { signal, changed }: Work): Promise<void> {
  const library = openSessions({ home, env, history: await history(), busyTimeoutMs: BUSY_MS });
  try {
    for (let isComplete = false; !isComplete && !signal.aborted; ) {
      const before = under.get(home.root)?.doneSessions;
      ({ isComplete } = await library.sync({
        sliceMs: SLICE_MS,
        signal,
        onProgress: (progress) => under.set(home.root, progress),
      }));
      if (under.get(home.root)?.doneSessions !== before) changed();
      if (!isComplete) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    under.delete(home.root);
    library.close();
    changed();
  }
}

export function indexingStatus(home: Home): string {
  const progress = under.get(home.root);
  if (progress === undefined || progress.doneSessions >= progress.sessions) return "";
  return `indexing ${progress.doneSessions}/${progress.sessions}`;
}
