import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { boundYoungGeneration } from "../../../base/young-generation.ts";
import type { Input, Outcome } from "../../command.ts";
import { exactly } from "../../terminal/options.ts";
import { progressBar } from "../../terminal/progress.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { chosen, noSessions, syncFirst, withSessions } from "./with-sessions.ts";

export function name(input: Input): Promise<Outcome> {
  const usage = "sessions name SESSION NAME…";
  const [, wanted, ...words] = input.positionals;
  if (wanted === undefined || words.length === 0)
    throw new ContinuoError("usage", `${wanted === undefined ? "SESSION" : "NAME"} is missing`, {
      hint: `usage: continuo ${usage}`,
    });
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, [wanted], usage);
    const name = words.join(" ").trim();
    const now = await sessions.rename(session, name);
    const what =
      name === ""
        ? `Removed the name "${oneLine(session.name)}"; it is "${oneLine(now)}" now.`
        : `Renamed "${oneLine(session.name)}" to "${oneLine(now)}".`;
    return { data: { record: sessions.record(session) }, text: wrapOn(what, input.screen ?? PLAIN) };
  });
}

const MB = 1024 * 1024;

/** Indexes all transcripts on disk. It can be stopped at any time, and continues where it stopped. */
export function indexAll(input: Input): Promise<Outcome> {
  exactly(input, 1, "sessions index");
  return withSessions(input, async (sessions) => {
    const started = input.now();
    const show = progressBar(input);
    const done = await sessions.sync({
      onProgress({ doneSessions, sessions: all, doneBytes, bytes }) {
        boundYoungGeneration();
        show(() => ({
          ...(bytes > 0 && { share: doneBytes / bytes }),
          label: `${doneSessions} of ${counted(all, "session")}, ${megabytes(doneBytes)} of ${megabytes(bytes)}`,
        }));
      },
    });
    let records = 0;
    const all = sessions.list();
    const showRecords = progressBar(input);
    for (const [at, session] of all.entries()) {
      if (sessions.record(session) !== undefined) records++;
      showRecords(() => ({
        share: (at + 1) / all.length,
        label: `${counted(records, "summary", "summaries")} checked`,
      }));
    }
    for (const notice of done.notices) input.tell?.(`continuo: ${notice}`);
    const size = sessions.size();
    const ms = Math.round(input.now() - started);
    if (size.sessions === 0)
      return { data: { ...done, ms, records, index: size }, text: await noSessions(input) };
    const what =
      done.changed === 0
        ? `The index is up to date: ${counted(done.sessions, "session")}, none new`
        : `${done.changed} of ${counted(done.sessions, "session")} read (${megabytes(done.bytes)}) in ${seconds(ms)}`;
    const text = [
      `${what}${removed(done.forgotten)}`,
      `Total: ${counted(size.sessions, "session")}, ${counted(size.passages, "passage")}, ${counted(records, "summary", "summaries")}, index ${megabytes(size.bytes)}`,
    ].join("\n");
    return { data: { ...done, ms, records, index: size }, text };
  });
}

/** Sessions that their host has deleted, unless the settings keep them. */
const removed = (count: number): string => (count === 0 ? "" : `, ${count} deleted by the host removed`);

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
