import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { withSessions as withSyncedSessions } from "../../../sources/sessions/access.ts";
import { composerFor, withPrice } from "../../../sources/sessions/answers/composer.ts";
import { asError, query } from "../../../sources/sessions/answers/query.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { ABANDONED } from "../../../sources/sessions/labels.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Outcome } from "../../command.ts";
import { wholeOption } from "../../terminal/options.ts";
import { footer } from "../../terminal/table.ts";
import { filterOf, heading, projectHere, syncFirst, toJson, withSessions } from "./with-sessions.ts";

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
    const lines = hits.flatMap(({ session, score, best }) => [
      `${score.toFixed(2)}  ${heading(session)}`,
      ...(best === undefined
        ? []
        : [`      ${best.role}${best.isLeft ? ABANDONED : ""}: ${oneLine(best.snippet)}`]),
      `      ${oneLine(sessions.resumeLine(session) ?? session.id)}`,
    ]);
    const more = total > hits.length ? ["", footer(hits.length, total)] : [];
    if (hits.length > 0) return { data, text: [...lines, ...more].join("\n") };
    return { data, text: ["No matching sessions.", ...explainNoMatch(sessions, filter)].join("\n") };
  });
}

/** A person waits for new sessions to be indexed, within reason. */
const SYNC_MS = 10_000;

/** Answers a question about a past session: written by the configured model, otherwise with quotes. */
export async function ask({ env, cwd, now, history, positionals, values, tell }: Input): Promise<Outcome> {
  const [, session, ...words] = positionals;
  const question = words.join(" ").trim();
  if (session === undefined || question === "")
    throw new ContinuoError("usage", `${session === undefined ? "SESSION" : "QUESTION"} is missing`, {
      hint: 'for example: continuo sessions ask last "what did we decide about retries?"',
    });
  const place = { home: findHome(env), env, now: now(), history };
  const compose = values["quotes"] === true ? undefined : composerFor(place, (line) => tell?.(line));
  return withSyncedSessions(place, SYNC_MS, async (library) => {
    const outcome = await query(
      library,
      { session, question },
      { project: projectHere({ cwd, env }) },
      compose,
    );
    if (!outcome.ok) throw asError(outcome.failure);
    return { data: outcome.answer, text: withPrice(outcome.answer) };
  });
}
