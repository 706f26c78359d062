import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { findHome } from "../../../store/home.ts";
import { removeMutesOf } from "../../../store/mutes.ts";
import type { Input, Outcome } from "../../command.ts";
import { exactly } from "../../terminal/options.ts";
import { throttled } from "../../terminal/progress.ts";
import { counted } from "../../terminal/table.ts";
import { chosen, syncFirst, toJson, withSessions } from "./with-sessions.ts";
import { boundYoungGeneration } from "./young-generation.ts";

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
        ? `Removed the name of ${oneLine(session.id)}; it is "${oneLine(now)}" now.`
        : `Renamed ${oneLine(session.id)} to "${oneLine(now)}".`;
    return { data: { record: sessions.record(session) }, text: what };
  });
}

export function forget(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions forget SESSION");
    sessions.forget(session);
    await removeMutesOf(findHome(input.env), session.host, session.id);
    const text = `Removed ${oneLine(session.id)} "${oneLine(session.name)}". It will not be indexed again.`;
    const rest = session.isGone ? "" : `\nThe original transcript is kept: ${oneLine(session.path)}`;
    return { data: { forgotten: toJson(session, sessions) }, text: text + rest };
  });
}

const MB = 1024 * 1024;

/** Indexes all transcripts on disk. It can be stopped at any time, and continues where it stopped. */
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
      progress(`${counted(records, "summary", "summaries")} checked`);
    }
    for (const notice of done.notices) input.tell?.(`continuo: ${notice}`);
    const size = sessions.size();
    const ms = Math.round(input.now() - started);
    const what =
      done.changed === 0
        ? `${counted(done.sessions, "session")} found, none new`
        : `${done.changed} of ${counted(done.sessions, "session")} read (${megabytes(done.bytes)}) in ${ms} ms`;
    const text = [
      `${what}${removed(done.forgotten)}`,
      `Total: ${counted(size.sessions, "session")}, ${counted(size.passages, "passage")}, ${counted(records, "summary", "summaries")}, index ${megabytes(size.bytes)}`,
    ].join("\n");
    return { data: { ...done, ms, records, index: size }, text };
  });
}

/** Sessions that their host has deleted, unless the settings keep them. */
const removed = (count: number): string => (count === 0 ? "" : `, ${count} deleted by the host removed`);

const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
