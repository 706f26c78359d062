import { ContinuoError } from "../../../base/errors.ts";
import { commandWord } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import type { SessionFilter, Sessions } from "../../../sources/sessions/library.ts";
import type { Input, Outcome } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { nextSteps, stepLine } from "../../terminal/next-step.ts";
import { wholeOption } from "../../terminal/options.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, footer } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { foundLines, foundToJson } from "./found.ts";
import { filterOf, noSessions, shortener, syncFirst, withSessions } from "./with-sessions.ts";

const MOST = 100;

export function search(input: Input): Promise<Outcome> {
  const query = input.positionals.slice(1).join(" ").trim();
  if (query === "")
    throw new ContinuoError("usage", "QUERY is missing", { hint: "usage: continuo sessions search QUERY…" });
  const limit = wholeOption(input, "limit", 1, MOST) ?? 10;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await syncFirst(input, sessions);
    const isWithWeaker = input.values["weaker"] === true;
    const { hits, total, weaker, notices } = sessions.search(query, {
      ...filter,
      limit,
      weaker: isWithWeaker,
    });
    for (const notice of notices) input.tell?.(`continuo: ${notice}`);
    const data = {
      query,
      total,
      weaker,
      notices,
      results: hits.map((hit) => foundToJson(hit, sessions)),
    };
    if (hits.length === 0) return { data, text: await noneFound(input, sessions, query, filter) };
    const more = [
      ...(total > hits.length ? [footer(hits.length, total)] : []),
      ...(weaker > 0 ? [`${counted(weaker, "weaker match", "weaker matches")} left out. Use --weaker.`] : []),
    ];
    const short = shortener(sessions);
    const look = { screen: input.screen ?? PLAIN, now: input.now, agent: await agentNamer(input), short };
    const found = hits.map((hit) => foundLines(look, sessions, hit).join("\n")).join("\n\n");
    const steps = nextSteps(input.screen ?? PLAIN, [
      `continuo sessions show ${short(hits[0]?.session.id ?? "")}`,
      "Show the first one",
    ]);
    return { data, text: [found, ...(more.length > 0 ? ["", ...more] : []), ...steps].join("\n") };
  });
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
      : stepLine(screen, `continuo search ${words}`, "Try other or fewer words, or search your notes too");
  const why = ["No matching sessions.", ...explainNoMatch(sessions, filter)].join("\n");
  return `${wrapOn(why, screen)}\n${hint}`;
}

const FILTERS = ["host", "project", "branch", "file", "since", "until"];
