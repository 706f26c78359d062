import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { ABANDONED } from "../../../sources/sessions/labels.ts";
import type { SessionFilter, SessionHit, Sessions } from "../../../sources/sessions/library.ts";
import type { RankedPassage } from "../../../sources/sessions/session.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps, stepLine } from "../../terminal/next-step.ts";
import { wholeOption } from "../../terminal/options.ts";
import { type Paint, paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { footer } from "../../terminal/table.ts";
import { onOneLine } from "../../terminal/width.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import {
  factsOf,
  filterOf,
  noSessions,
  shortener,
  syncFirst,
  toJson,
  withSessions,
} from "./with-sessions.ts";

const MOST = 100;

export function search(input: Input): Promise<Outcome> {
  const query = input.positionals.slice(1).join(" ").trim();
  if (query === "")
    throw new ContinuoError("usage", "QUERY is missing", { hint: "usage: continuo sessions search QUERY…" });
  const limit = wholeOption(input, "limit", 1, MOST) ?? 10;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const { hits, total, notices } = sessions.search(query, { ...filter, limit });
    for (const notice of notices) input.tell?.(`continuo: ${notice}`);
    const data = {
      query,
      total,
      notices,
      results: hits.map(({ session, score, best }) => ({
        ...toJson(session, sessions),
        score,
        best: best ?? null,
      })),
    };
    if (hits.length === 0) return { data, text: await noneFound(input, sessions, query, filter) };
    const more = total > hits.length ? ["", footer(hits.length, total)] : [];
    const short = shortener(sessions);
    const agent = await agentNamer(input);
    const found = hits
      .map((hit) => linesOf({ ...input, agent }, sessions, hit, short).join("\n"))
      .join("\n\n");
    const steps = nextSteps(input.screen ?? PLAIN, [
      `continuo sessions show ${short(hits[0]?.session.id ?? "")}`,
      "Show the first one",
    ]);
    return { data, text: [found, ...more, ...steps].join("\n") };
  });
}

/** On a terminal the short command that resumes it; elsewhere the agent's own, which needs no Continuo. */
function linesOf(
  { screen = PLAIN, now, agent }: Input & { readonly agent: (host: string) => string },
  sessions: Sessions,
  { session, score, best }: SessionHit,
  short: (id: string) => string,
): string[] {
  const paint = paintFor(screen);
  const line = sessions.resumeLine(session);
  const facts = `${factsOf(session, { now: now(), agent })}, match ${score.toFixed(2)}`;
  const goOn =
    line === undefined
      ? paint("dim", short(session.id))
      : screen.isTerminal
        ? paint("cyan", `continuo sessions resume ${short(session.id)}`)
        : oneLine(line);
  return [
    wrapOn(paint("bold", oneLine(session.name)), screen),
    wrapOn(paint("dim", `  ${facts}`), screen),
    ...(best === undefined
      ? []
      : [wrapOn(`  ${best.role}${best.isLeft ? ABANDONED : ""}: ${marked(best, paint)}`, screen)]),
    `  ${goOn}`,
  ];
}

/** The passage with the words that match in colour. */
function marked({ snippet, marks = [] }: RankedPassage, paint: Paint): string {
  let text = "";
  let end = 0;
  for (const [from, to] of marks) {
    if (from < end || to <= from) continue; // marks of a longer and a shorter word may overlap
    text +=
      onOneLine(snippet.slice(end, from)) +
      paint("bold", paint("yellow", onOneLine(snippet.slice(from, to))));
    end = to;
  }
  return (text + onOneLine(snippet.slice(end))).trim();
}

/** Why nothing was found, and what else to try. */
async function noneFound(
  input: Input,
  sessions: Sessions,
  query: string,
  filter: SessionFilter,
): Promise<string> {
  if (sessions.size().sessions === 0) return noSessions(input);
  const { screen = PLAIN } = input;
  const words = query.split(/\s+/).map(commandWord).join(" ");
  const given = FILTERS.filter((name) => input.values[name] !== undefined);
  const elsewhere = given.length === 0 ? 0 : sessions.search(query, { limit: 1 }).total;
  const without = given.map((name) => `--${name}`).join(", ");
  const many = elsewhere === 1 ? "1 session matches" : `${elsewhere} sessions match`;
  const hint =
    elsewhere > 0
      ? stepLine(screen, `continuo sessions search ${words}`, `Without ${without} ${many}`)
      : stepLine(screen, `continuo search ${words}`, "Try other or fewer words, or search your notes");
  const why = ["No matching sessions.", ...explainNoMatch(sessions, filter)].join("\n");
  return `${wrapOn(why, screen)}\n${hint}`;
}

const FILTERS = ["host", "project", "branch", "file", "since", "until"];
