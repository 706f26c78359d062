import { describeError } from "../../../base/errors.ts";
import { boundYoungGeneration } from "../../../base/young-generation.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { Input } from "../../command.ts";
import { interruptible, progressBar } from "../../terminal/progress.ts";

export interface Indexed {
  readonly sessions: number;
  /** Ctrl-C, or another process that writes the index now: what is missing comes with the next search. */
  readonly isComplete: boolean;
  readonly isInterrupted: boolean;
}

/** Reads all past sessions into the index, with a bar if it takes longer than a second. */
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
