import type { Input, Outcome } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { exactly } from "../notes/words.ts";
import { withSessions } from "./with-sessions.ts";
import { boundYoungGeneration } from "./young-generation.ts";

const MB = 1024 * 1024;

/** Everything that is on the disk. It may be stopped at any time, and goes on where it stopped. */
export function indexAll(input: Input): Promise<Outcome> {
  exactly(input, 1, "sessions index");
  return withSessions(input, async (sessions) => {
    const started = input.now();
    const progress = throttled(input);
    const done = await sessions.sync({
      onProgress({ doneSessions, sessions: all, doneBytes, bytes }) {
        boundYoungGeneration();
        progress(`${doneSessions} of ${all} sessions, ${megabytes(doneBytes)} of ${megabytes(bytes)}`);
      },
    });
    let records = 0;
    for (const session of sessions.list()) {
      if (sessions.record(session) !== undefined) records++;
      progress(`${records} records looked at`);
    }
    for (const notice of done.notices) input.tell?.(`continuo: ${notice}`);
    const size = sessions.size();
    const ms = Math.round(input.now() - started);
    const text = [
      `${done.changed} of ${done.sessions} sessions read (${megabytes(done.bytes)})${left(done.forgotten)}, in ${ms} ms`,
      `${size.sessions} sessions, ${size.passages} passages, ${megabytes(size.bytes)} of index, ${records} records`,
    ].join("\n");
    return { data: { ...done, ms, records, index: size }, text };
  });
}

/** Sessions that their hosts have deleted, where such are not kept. */
const left = (count: number): string => (count === 0 ? "" : `, ${count} that are gone taken out`);

const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
