import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { ABANDONED } from "../../../sources/sessions/labels.ts";
import type { Input, Outcome } from "../../command.ts";
import { wholeOption } from "../../terminal/options.ts";
import { footer } from "../../terminal/table.ts";
import { filterOf, heading, syncFirst, toJson, withSessions } from "./with-sessions.ts";

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
