import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago, count } from "../../../base/when.ts";
import { fields, optional, text } from "../../../moments/actions/fields.ts";
import { notAsked } from "../../../moments/actions/not-asked.ts";
import { action } from "../../../moments/ports/action.ts";
import { exact, type Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { removeMutesOf } from "../../../store/mutes.ts";
import { withSessions } from "../access.ts";
import { shownName } from "../labels.ts";
import type { Forgotten } from "../records/forgotten.ts";
import type { PastSession } from "../session.ts";
import { chosen } from "./choose.ts";
import { HOST, MOST, SESSION } from "./fields.ts";
import { syncFirst, withFresh } from "./fresh.ts";
import { agentNames, factsOf, listed, namesFor, shortIds, toJson } from "./shown.ts";

export const forget = action({
  name: "sessions forget",
  about: "remove a session from the index",
  guide:
    "The agent's own transcript is kept. Continuo does not index it again until you run `continuo sessions remember`.",
  examples: [["continuo sessions forget 3f2a91", "forget the session whose id begins like this"]],
  effect: "decides",
  input: fields({ session: SESSION, host: HOST }),
  asks: (wanted, place) =>
    withFresh(place, async (library) => {
      const session = chosen(place, library, wanted);
      const names = await namesFor(place, library);
      const subagents = library
        .descendants(session)
        .filter(({ isChild, parent }) => isChild && parent === session.id).length;
      const also = subagents === 0 ? "" : `, and ${count(subagents, "session")} of its subagents`;
      const lines = [
        `"${oneLine(shownName(session))}" (${factsOf(session, names.agent, place.now())})`,
        `  Deletes: what Continuo stored about it (index, summary, mutes)${also}`,
        ...(session.isGone
          ? ["  Its agent has deleted the transcript, so this cannot be undone"]
          : [
              `  Keeps: the transcript ${transcriptOf(session, place)}`,
              `  Undo: ${remembering(names.short(session.id))}`,
              "  (it reads the transcript again; a summary by a model and mutes do not come back)",
            ]),
        "Forget it?",
      ];
      return {
        ask: lines.join("\n"),
        unasked: notAsked(),
        declined: { data: { forgotten: null }, text: "Nothing was changed." },
        // Uses the id from here on: after the question, the name could be another session's.
        input: { session: session.id, host: session.host },
      };
    }),
  run: (wanted, place) =>
    withFresh(place, async (library) => {
      const session = chosen(place, library, wanted);
      const { short } = await namesFor(place, library);
      const undo = session.isGone ? null : remembering(short(session.id));
      const forgotten = listed(session, library);
      library.forget(session);
      await removeMutesOf(place.home, session.host, session.id);
      return { forgotten, undo };
    }),
  json: ({ forgotten, undo }) => ({ forgotten: toJson(forgotten), undo }),
  view: ({ forgotten, undo }, shown) =>
    [
      `Removed "${oneLine(shownName(forgotten))}" from the index. It will not be indexed again.`,
      ...(undo === null
        ? ["This cannot be undone."]
        : [
            `The original transcript is kept: ${transcriptOf(forgotten, shown)}`,
            `Undo: ${shown.paint("cyan", undo)}`,
          ]),
    ].map((line) => ({ text: line, hang: 2 })),
});

const remembering = (short: string) => `continuo sessions remember ${short}`;

const transcriptOf = ({ path }: PastSession, { env }: Pick<Shown, "env">): string =>
  oneLine(shortPath(path, env));

export const remember = action({
  name: "sessions remember",
  about: "undo forget; without a session, list the forgotten ones",
  examples: [["continuo sessions remember 3f2a91", "index the session again"]],
  effect: "decides",
  input: fields({
    session: optional(
      text("its id, or the beginning of it; last: the last one forgotten", { typed: "word", most: MOST }),
    ),
    host: HOST,
  }),
  run: ({ session: wanted, host: of }, place) =>
    withSessions(place, 0, async (library) => {
      const all = library
        .forgotten()
        .filter(({ host, parent }) => parent === undefined && (of === undefined || host === of));
      // Tombstones contain no names, so only ids can be shown.
      if (wanted === undefined) return { forgotten: all, agent: await agentNames(place) };
      const { host, id } = found(all, wanted);
      if (!library.remember({ host, id }))
        throw new ContinuoError(
          "transcript-gone",
          "its agent has deleted the transcript, so nothing can be read",
          { hint: "only a copy of that file, put back in its place, would bring the session back" },
        );
      await library.sync({ only: { host, id } });
      await syncFirst(place, library);
      const session = library.get({ host, id });
      if (session === undefined) return { waiting: { host, id } };
      const { short } = await namesFor(place, library);
      return { remembered: listed(session, library), short: short(id) };
    }),
  json(data) {
    if (data.forgotten !== undefined) return { forgotten: data.forgotten };
    return { remembered: data.waiting ?? toJson(data.remembered) };
  },
  view(data, { now, paint }) {
    if (data.remembered !== undefined)
      return [
        `"${oneLine(shownName(data.remembered))}" is indexed again.`,
        { next: [[`continuo sessions show ${data.short}`, "Show it"]] },
      ];
    if (data.waiting !== undefined)
      return [
        exact(`${oneLine(data.waiting.id)} will be indexed with the next sessions: continuo sessions index`),
      ];
    const { forgotten, agent } = data;
    if (forgotten.length === 0) return ["No session was forgotten."];
    const short = shortIds(forgotten.map(({ id }) => id));
    return [
      {
        columns: ["id", "agent", "forgotten"],
        rows: forgotten.map(({ host, id, at }) => [
          oneLine(short.get(id) ?? id),
          agent(host),
          paint("dim", ago(at, now)),
        ]),
        fit: { flexible: 0 },
      },
      { next: [["continuo sessions remember ID", "Index one again"]] },
    ];
  },
});

function found(all: readonly Forgotten[], wanted: string): Forgotten {
  const named = wanted === "last" ? all.slice(0, 1) : all.filter(({ id }) => id === wanted);
  const matching =
    named.length > 0 ? named : all.filter(({ id }) => wanted.length >= LEAST && id.startsWith(wanted));
  const [one] = matching;
  if (one !== undefined && matching.length === 1) return one;
  throw new ContinuoError(
    one === undefined ? "no-such-session" : "session-ambiguous",
    one === undefined ? `no forgotten session "${wanted}"` : `several forgotten sessions match "${wanted}"`,
    { hint: "list them: continuo sessions remember" },
  );
}

/** As elsewhere, a shorter prefix of an id is not accepted. */
const LEAST = 6;
