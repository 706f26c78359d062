import { ContinuoError } from "../../base/errors.ts";
import { typed } from "../../base/settings.ts";
import type { Surroundings } from "../../moments/ports/source.ts";
import type { EndMoment, IdleMoment } from "../../moments/types.ts";
import { homeAt } from "../../store/home.ts";
import { openSessions, type SyncResult } from "./library.ts";
import { SESSIONS_SETTINGS } from "./settings.ts";

/** At rest and at the end nobody waits for an answer, but the deadline stands. */
const SLICE_MS = { idle: 150, end: 150 } as const;
const BUSY_MS = 100;
/** Looking at thousands of files takes some tens of milliseconds: not at every moment. */
const LOOK_EVERY_MS = 10 * 60_000;

/** One reading of all histories must not fill the log. */
const MOST_TOLD = 5;

/** This session first; then, in the time that is left, whatever of all histories is not indexed yet. */
export async function advanceIndex(
  { name, session, transcript }: IdleMoment | EndMoment,
  { home, env, history: loadHistory, settings, signal, deadlineMs, report }: Surroundings,
): Promise<void> {
  const place = homeAt(home);
  const deadline = Date.now() + Math.min(SLICE_MS[name], deadlineMs * 0.4);
  const tell = ({ passed }: SyncResult): void => {
    for (const text of passed.slice(0, MOST_TOLD))
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
      onTrouble: report,
    });
    try {
      if (history.has(session.host)) {
        const key = { host: session.host as string, id: session.id };
        const only = {
          ...key,
          ...(transcript !== undefined && session.parent === undefined && { transcript }),
        };
        tell(await library.sync({ only, sliceMs: Math.max(1, deadline - Date.now()), signal }));
        if (name === "end") library.record(key);
      }
      const since = Date.now() - library.lookedAt();
      // A clock that was put back must not keep us from looking until it is there again.
      const isDue = since > LOOK_EVERY_MS || since < 0;
      if (isDue && Date.now() < deadline)
        tell(await library.sync({ sliceMs: deadline - Date.now(), signal }));
    } finally {
      library.close();
    }
  } catch (error) {
    // Another process is indexing: that is as good.
    if (!(error instanceof ContinuoError) || error.code !== "index-busy") throw error;
  }
}
