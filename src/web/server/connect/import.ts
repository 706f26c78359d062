import { describeError } from "../../../base/errors.ts";
import type { ImportState } from "../../api/connect.ts";
import type { Web } from "../web.ts";

/**
 * Indexes past sessions in this process, in small steps: with a time limit, `sync` writes few turns at a time and lets
 * other requests run in between.
 */
const SLICE_MS = 10 * 60_000;
/** Progress is published at most this often. */
const EVERY_MS = 250;

interface Importer {
  state(): Promise<ImportState>;
  /** Starts an import; does nothing while one runs. */
  start(): void;
}

export function createImporter(web: Web): Importer {
  let running: Promise<void> | undefined;
  let seen = { done: 0, total: 0, isComplete: true };
  const stop = new AbortController();
  web.onClose(async () => {
    stop.abort();
    await running;
  });
  // Another area may import too, and its progress is shown as well.
  web.subscribe((event) => {
    if (event.type === "import") seen = event;
  });

  async function run(): Promise<void> {
    let last = 0;
    try {
      const sessions = await web.sessions();
      for (let isComplete = false; !isComplete && !stop.signal.aborted; ) {
        const result = await sessions.sync({
          sliceMs: SLICE_MS,
          signal: stop.signal,
          onProgress({ doneSessions, sessions: total }) {
            if (web.now() - last < EVERY_MS) return;
            last = web.now();
            web.publish({ type: "import", done: doneSessions, total, isComplete: false });
          },
        });
        isComplete = result.isComplete || result.bytes === 0;
      }
    } catch (error) {
      const { code, message, hint } = describeError(error);
      web.report(code, `indexing past sessions: ${message}`, hint);
    } finally {
      running = undefined;
      const { done, total } = seen;
      if (!stop.signal.aborted)
        web.publish({ type: "import", done: Math.max(done, total), total, isComplete: true });
    }
  }

  return {
    async state() {
      const sessions = await web.sessions();
      const { done, total, isComplete } = seen;
      return {
        indexed: sessions.size().sessions,
        isRunning: running !== undefined || !isComplete,
        done,
        total,
        indexedAt: sessions.indexedAt(),
      };
    },
    start() {
      running ??= run();
    },
  };
}
