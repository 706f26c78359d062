import { describeError } from "../../../base/errors.ts";
import { boundYoungGeneration } from "../../../base/young-generation.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { Input } from "../../command.ts";
import { interruptible, progressBar } from "../../terminal/progress.ts";

export interface Indexed {
  readonly sessions: number;
  /** False after Ctrl-C, or if another process writes the index now: the next search does the rest. */
  readonly isComplete: boolean;
  readonly isInterrupted: boolean;
}

/** Indexes all past sessions, with a progress bar if it takes longer than a second. */
export async function indexHistory(input: Input, sessions: Sessions): Promise<Indexed> {
  const show = progressBar(input);
  return interruptible(async (signal) => {
    let isComplete = false;
    try {
      ({ isComplete } = await sessions.sync({
        signal,
        onProgress({ doneSessions, sessions: all, doneBytes, bytes }) {
          boundYoungGeneration();
          const share = bytes > 0 ? doneBytes / bytes : undefined;
          show(() => ({ share, label: `${doneSessions} of ${all} past sessions indexed` }));
        },
      }));
    } catch (error) {
      if (describeError(error).code !== "index-busy") throw error;
    }
    return { sessions: sessions.size().sessions, isComplete, isInterrupted: signal.aborted };
  });
}
