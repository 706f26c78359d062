import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, text } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { withSessions } from "../access.ts";
import { chosen } from "./choose.ts";
import { HOST, MOST, SESSION_WORD } from "./fields.ts";
import { withFresh } from "./fresh.ts";
import { agentNames, noSessions } from "./shown.ts";

export const name = action({
  name: "sessions name",
  about: "rename a session",
  examples: [["continuo sessions name last webhook retries", "name the newest session"]],
  effect: "writes",
  input: fields({
    session: SESSION_WORD,
    name: text("the new name", { typed: "rest", least: 0, most: MOST }),
    host: HOST,
  }),
  run: ({ name: given, ...wanted }, place) =>
    withFresh(place, async (library) => {
      const session = chosen(place, library, wanted);
      const now = await library.rename(session, given.trim());
      return { record: library.record(session), before: session.name, now, isRemoved: given.trim() === "" };
    }),
  json: ({ record }) => ({ record }),
  view: ({ before, now, isRemoved }) => [
    isRemoved
      ? `Removed the name "${oneLine(before)}"; it is "${oneLine(now)}" now.`
      : `Renamed "${oneLine(before)}" to "${oneLine(now)}".`,
  ],
});

const MB = 1024 * 1024;

/** Can be stopped at any time, and continues where it stopped. */
export const index = action({
  name: "sessions index",
  about: "index all new sessions now",
  guide: "Usually not needed: every search first indexes what is new, for a few seconds.",
  examples: [["continuo sessions index", "index everything, even a large history"]],
  effect: "writes",
  input: fields({}),
  run: (_input, place) =>
    withSessions(place, 0, async (library) => {
      const started = place.now();
      const show = place.progress?.();
      const done = await library.sync({
        ...(place.signal && { signal: place.signal }),
        onProgress({ doneSessions, sessions, doneBytes, bytes }) {
          show?.(() => ({
            ...(bytes > 0 && { share: doneBytes / bytes }),
            label: `${doneSessions} of ${count(sessions, "session")}, ${megabytes(doneBytes)} of ${megabytes(bytes)}`,
          }));
        },
      });
      let records = 0;
      const all = library.list();
      const showRecords = place.progress?.();
      for (const [at, session] of all.entries()) {
        if (library.record(session) !== undefined) records++;
        showRecords?.(() => ({
          share: (at + 1) / all.length,
          label: `${count(records, "summary", "summaries")} checked`,
        }));
      }
      for (const notice of done.notices) place.tell?.(`continuo: ${notice}`);
      const ms = Math.round(place.now() - started);
      return { done, ms, records, index: library.size(), agent: await agentNames(place) };
    }),
  json: ({ done, ms, records, index }) => ({ ...done, ms, records, index }),
  view({ done, ms, records, index, agent }) {
    if (index.sessions === 0) return [noSessions(agent)];
    const what =
      done.changed === 0
        ? `The index is up to date: ${count(done.sessions, "session")}, none new`
        : `${done.changed} of ${count(done.sessions, "session")} read (${megabytes(done.bytes)}) in ${seconds(ms)}`;
    // Sessions that their host has deleted, unless the settings keep them.
    const removed = done.forgotten === 0 ? "" : `, ${done.forgotten} deleted by the host removed`;
    const size = megabytes(index.bytes);
    return [
      exact(`${what}${removed}`),
      exact(
        `Total: ${count(index.sessions, "session")}, ${count(index.passages, "passage")}, ${count(records, "summary", "summaries")}, index ${size}`,
      ),
    ];
  },
});

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
