import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import { ABANDONED } from "../../../sources/sessions/labels.ts";
import type { Input, Outcome } from "../../command.ts";
import { wholeOf } from "../notes/words.ts";
import { heading, told } from "./told.ts";
import { filterOf, lookFirst, withSessions } from "./with-sessions.ts";

const MOST = 100;

export function search(input: Input): Promise<Outcome> {
  const query = input.positionals.slice(1).join(" ").trim();
  if (query === "")
    throw new ContinuoError("usage", "which words?", { hint: "usage: continuo sessions search QUERY…" });
  const limit = wholeOf(input, "limit", 1, MOST) ?? 10;
  const filter = filterOf(input);
  return withSessions(input, async (sessions) => {
    await lookFirst(input, sessions);
    const { hits, total } = sessions.search(query, { ...filter, limit });
    const data = {
      query,
      total,
      results: hits.map(({ session, score, best }) => ({
        ...told(session, sessions),
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
    const more = total > hits.length ? [`${total - hits.length} more: --limit ${Math.min(total, MOST)}`] : [];
    if (hits.length > 0) return { data, text: [...lines, ...more].join("\n") };
    return { data, text: ["no session has these words", ...explainNoMatch(sessions, filter)].join("\n") };
  });
}
