import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Input, Outcome } from "../../command.ts";
import { exactly } from "../../terminal/options.ts";
import { throttled } from "../../terminal/progress.ts";
import { boundYoungGeneration, chosen, lookFirst, toJson, withSessions } from "./with-sessions.ts";

export function name(input: Input): Promise<Outcome> {
  const usage = "sessions name SESSION NAME…";
  const [, wanted, ...words] = input.positionals;
  if (wanted === undefined || words.length === 0)
    throw new ContinuoError("usage", "which session, and which name?", { hint: `usage: continuo ${usage}` });
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, [wanted], usage);
    const record = sessions.rename(session, words.join(" "));
    return { data: { record }, text: `${oneLine(session.id)} is now called "${oneLine(record.name)}"` };
  });
}

export function forget(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions forget SESSION");
    sessions.forget(session);
    const text = `forgotten: ${oneLine(session.id)} "${oneLine(session.name)}", and it will not be indexed again`;
    const rest = session.isGone
      ? ""
      : `\nits transcript is ${session.host}'s and stays: ${oneLine(session.path)}`;
    return { data: { forgotten: toJson(session, sessions) }, text: text + rest };
  });
}

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
