import { ContinuoError, describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import type { OfferContext, Work } from "../../../moments/ports/offer.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import type { EndMoment, IdleMoment } from "../../../moments/types.ts";
import { type Home, homeAt } from "../../../store/home.ts";
import { openSessions, type SyncProgress, type SyncResult } from "../library.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";

/** When a session goes idle or ends nobody waits for an answer, but the deadline still applies. */
const SLICE_MS = { idle: 150, end: 150 } as const;
const BUSY_MS = 100;
/** Checking thousands of files takes tens of milliseconds, too long for every moment. */
const CHECK_EVERY_MS = 10 * 60_000;

/** One sync of all histories must not fill the log. */
const MOST_REPORTED = 5;

/** Indexes this session first and, in the remaining time, everything in all histories that is not indexed yet. */
export async function advanceIndex(
  { name, session, transcript }: IdleMoment | EndMoment,
  { home, env, history: loadHistory, settings, signal, deadlineMs, report, isOwnProcess }: SourceContext,
): Promise<void> {
  const place = homeAt(home);
  const deadline = Date.now() + Math.min(SLICE_MS[name], deadlineMs * 0.4);
  const reportSkipped = ({ passed }: SyncResult): void => {
    for (const text of passed.slice(0, MOST_REPORTED))
      report(
        "transcript-passed-over",
        text,
        "the rest of the transcript is indexed; nothing needs to be done",
      );
  };
  const history = await loadHistory();
  try {
    const library = openSessions({
      home: place,
      env,
      history,
      keep: typed(SESSIONS_SETTINGS, settings).keep,
      busyTimeoutMs: BUSY_MS,
      keepsOpen: isOwnProcess !== true,
      onFailure: report,
    });
    try {
      if (history.has(session.host)) {
        const key = { host: session.host as string, id: session.id };
        const only = {
          ...key,
          ...(transcript !== undefined && session.parent === undefined && { transcript }),
        };
        reportSkipped(await library.sync({ only, sliceMs: Math.max(1, deadline - Date.now()), signal }));
        if (name === "end") library.record(key);
      }
      const since = Date.now() - library.indexedAt();
      // If the clock was set back, `since` is negative: check then too, instead of waiting until the clock has caught
      // up.
      const isDue = since > CHECK_EVERY_MS || since < 0;
      if (isDue && Date.now() < deadline)
        reportSkipped(await library.sync({ sliceMs: deadline - Date.now(), signal }));
    } finally {
      library.close();
    }
  } catch (error) {
    // Another process is indexing, which serves the same purpose.
    if (!(error instanceof ContinuoError) || error.code !== "index-busy") throw error;
  }
}

/** Indexing blocks the host's process. Slices this short are not noticeable while typing. */
const JOB_SLICE_MS = 25;
const PAUSE_MS = 25;

/** Progress by home, while this process indexes. */
const progressByHome = new Map<string, SyncProgress>();

/** A job for an idle agent: indexes what is new in all hosts' histories, in slices, until nothing is left. */
export async function indexAll(context: OfferContext, work: Work): Promise<void> {
  if (progressByHome.has(context.home.root)) return;
  try {
    await readAll(context, work);
  } catch (error) {
    // Another process is indexing, which serves the same purpose.
    if (describeError(error).code !== "index-busy") throw error;
  }
}

async function readAll({ home, env, history }: OfferContext, { signal, changed }: Work): Promise<void> {
  const library = openSessions({ home, env, history: await history(), busyTimeoutMs: BUSY_MS });
  try {
    for (let isComplete = false; !isComplete && !signal.aborted; ) {
      const before = progressByHome.get(home.root)?.doneSessions;
      ({ isComplete } = await library.sync({
        sliceMs: JOB_SLICE_MS,
        signal,
        onProgress: (progress) => progressByHome.set(home.root, progress),
      }));
      if (progressByHome.get(home.root)?.doneSessions !== before) changed();
      if (!isComplete) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  } finally {
    progressByHome.delete(home.root);
    library.close();
    changed();
  }
}

export function indexingStatus(home: Home): string {
  const progress = progressByHome.get(home.root);
  if (progress === undefined || progress.doneSessions >= progress.sessions) return "";
  return `indexing ${progress.doneSessions}/${progress.sessions}`;
}
