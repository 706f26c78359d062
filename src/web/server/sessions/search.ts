import { forTerminal } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import type { SessionFilter, SessionHit } from "../../../sources/sessions/library.ts";
import type { FoundPassage, SessionSearch } from "../../api/sessions.ts";
import type { Web } from "../web.ts";
import { isUnobserved, sessionRow } from "./rows.ts";

export interface SearchRequest {
  readonly q: string;
  readonly filter: SessionFilter;
  readonly unobserved: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** By words and meaning. A page of results is a hundred at most, and each is read from the index. */
export async function searchPage(web: Web, request: SearchRequest): Promise<SessionSearch> {
  const { q, filter, offset, limit } = request;
  const sessions = await web.sessions();
  // What is typed at the beginning of a query is blank for a moment.
  if (q.trim() === "") return { total: 0, offset, rows: [], notices: [] };
  const { hits, total, notices } = sessions.search(q, { ...filter, skip: offset, limit });
  const shown = request.unobserved ? hits.filter(({ session }) => isUnobserved(web, session)) : hits;
  return {
    total: request.unobserved ? shown.length : total,
    offset,
    rows: shown.map((hit) => {
      const lastRequest = sessions.lastAsked(hit.session);
      return {
        ...sessionRow(web, { ...hit.session, row: 0, ...(lastRequest && { lastRequest }) }),
        score: hit.score,
        passage: passageOf(hit),
      };
    }),
    notices: [...notices, ...(hits.length === 0 && offset === 0 ? explainNoMatch(sessions, filter) : [])],
  };
}

function passageOf({ best }: SessionHit): FoundPassage | null {
  if (best === undefined) return null;
  const text = forTerminal(best.snippet);
  return {
    role: best.role,
    turn: best.turn,
    text,
    // Without its invisible characters, words of the text are elsewhere.
    marks: text.length === best.snippet.length ? (best.marks ?? []) : [],
    at: best.time ?? null,
    isAbandoned: best.isLeft === true,
  };
}
