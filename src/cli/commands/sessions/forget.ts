import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { ago } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { shownName } from "../../../sources/sessions/labels.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { Forgotten } from "../../../sources/sessions/records/forgotten.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { findHome } from "../../../store/home.ts";
import { removeMutesOf } from "../../../store/mutes.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { confirmed } from "../../terminal/input.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { choiceOption, tooManyArguments } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { shortIds } from "./short-ids.ts";
import { chosen, factsOf, HOSTS, shortener, syncFirst, toJson, withSessions } from "./with-sessions.ts";

export function forget(input: Input): Promise<Outcome> {
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const session = chosen(input, sessions, input.positionals.slice(1), "sessions forget SESSION");
    const subagents = sessions
      .descendants(session)
      .filter(({ isChild, parent }) => isChild && parent === session.id).length;
    const undo = session.isGone ? undefined : `continuo sessions remember ${shortener(sessions)(session.id)}`;
    const { screen = PLAIN } = input;
    const lines = [
      `"${oneLine(shownName(session))}" (${factsOf(session, { now: input.now(), agent: await agentNamer(input) })})`,
      ...consequences(input, session, subagents, undo),
      "Forget it?",
    ];
    if (!(await confirmed(input, wrapped(lines, screen))))
      return { data: { forgotten: null }, text: "Nothing was changed.", exitCode: 1 };
    const data = { forgotten: toJson(session, sessions), undo: undo ?? null };
    sessions.forget(session);
    await removeMutesOf(findHome(input.env), session.host, session.id);
    const paint = paintFor(screen);
    const text = [
      `Removed "${oneLine(shownName(session))}" from the index. It will not be indexed again.`,
      ...(session.isGone ? [] : [`The original transcript is kept: ${transcriptOf(input, session)}`]),
      undo === undefined ? "This cannot be undone." : `Undo: ${paint("cyan", undo)}`,
    ];
    return { data, text: wrapped(text, screen) };
  });
}

const wrapped = (lines: readonly string[], screen: Screen): string =>
  wrapOn(lines.join("\n"), screen, { hang: 2 });

/** What is deleted, what is kept, and whether it can be undone. */
function consequences(
  input: Input,
  session: PastSession,
  subagents: number,
  undo: string | undefined,
): string[] {
  const also = subagents === 0 ? "" : `, and ${counted(subagents, "session")} of its subagents`;
  return [
    `  Deletes: what Continuo stored about it (index, summary, mutes)${also}`,
    ...(session.isGone
      ? ["  Its agent has deleted the transcript, so this cannot be undone"]
      : [
          `  Keeps: the transcript ${transcriptOf(input, session)}`,
          `  Undo: ${undo}`,
          "  (it reads the transcript again; a summary by a model and mutes do not come back)",
        ]),
  ];
}

const transcriptOf = ({ env }: Input, { path }: PastSession): string => oneLine(shortPath(path, env));

/** Takes `forget` back. Without a session, lists what was forgotten. */
export function remember(input: Input): Promise<Outcome> {
  const [, wanted, ...rest] = input.positionals;
  if (rest.length > 0) throw tooManyArguments("sessions remember [SESSION]");
  return withSessions(input, async (sessions) => {
    const of = choiceOption(input, "host", HOSTS);
    const all = sessions
      .forgotten()
      .filter(({ host, parent }) => parent === undefined && (of === undefined || host === of));
    if (wanted === undefined) return listed(input, all, await agentNamer(input));
    const one = found(all, wanted);
    if (!sessions.remember(one))
      throw new ContinuoError(
        "transcript-gone",
        "its agent has deleted the transcript, so nothing can be read",
        {
          hint: "only a copy of that file, put back in its place, would bring the session back",
        },
      );
    return again(input, sessions, one);
  });
}

async function again(input: Input, sessions: Sessions, { host, id }: Forgotten): Promise<Outcome> {
  await sessions.sync({ only: { host, id } });
  await syncFirst(input, sessions);
  const session = sessions.get({ host, id });
  const data = { remembered: session === undefined ? { host, id } : toJson(session, sessions) };
  if (session === undefined)
    return { data, text: `${oneLine(id)} will be indexed with the next sessions: continuo sessions index` };
  const { screen = PLAIN } = input;
  const steps = nextSteps(screen, [`continuo sessions show ${shortener(sessions)(id)}`, "Show it"]);
  const done = wrapOn(`"${oneLine(shownName(session))}" is indexed again.`, screen);
  return { data, text: [done, ...steps].join("\n") };
}

function found(all: readonly Forgotten[], wanted: string): Forgotten {
  const exact = wanted === "last" ? all.slice(0, 1) : all.filter(({ id }) => id === wanted);
  const matching =
    exact.length > 0 ? exact : all.filter(({ id }) => wanted.length >= LEAST && id.startsWith(wanted));
  const [one] = matching;
  if (one !== undefined && matching.length === 1) return one;
  throw new ContinuoError(
    one === undefined ? "no-such-session" : "session-ambiguous",
    one === undefined ? `no forgotten session "${wanted}"` : `several forgotten sessions match "${wanted}"`,
    { hint: "list them: continuo sessions remember" },
  );
}

/** As elsewhere: a shorter beginning of an id is not accepted. */
const LEAST = 6;

/** Tombstones hold no names, so ids are all there is. */
function listed(
  { screen = PLAIN, now }: Input,
  all: readonly Forgotten[],
  agent: (host: string) => string,
): Outcome {
  const data = { forgotten: all };
  if (all.length === 0) return { data, text: "No session was forgotten." };
  const paint = paintFor(screen);
  const short = shortIds(all.map(({ id }) => id));
  const rows = all.map(({ host, id, at }) => [
    oneLine(short.get(id) ?? id),
    agent(host),
    paint("dim", ago(at, now())),
  ]);
  const text = [
    table(["id", "agent", "forgotten"], rows, screen, { flexible: 0 }),
    ...nextSteps(screen, ["continuo sessions remember ID", "Index one again"]),
  ];
  return { data, text: text.join("\n") };
}
