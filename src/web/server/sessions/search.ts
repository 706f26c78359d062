import { forTerminal } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import type { SessionFilter, SessionHit, Sessions } from "../../../sources/sessions/library.ts";
import type { FoundPassage, SessionSearch } from "../../api/sessions.ts";
import type { Web } from "../web.ts";
import { activitiesOf } from "./activities.ts";
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
  await activitiesOf(web).unobserved(); // finds out which of them wait for nobody
  // What is typed at the beginning of a query is blank for a moment.
  if (q.trim() === "") return { total: 0, offset, rows: [], notices: [] };
  const { hits, total, notices } = sessions.search(q, { ...filter, skip: offset, limit });
  if (total === 0 && offset === 0) return byName(web, sessions, request);
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
    notices,
  };
}

/** The beginning of a word, while it is typed, is no word yet. */
function byName(
  web: Web,
  sessions: Sessions,
  { q, filter, unobserved, limit, offset }: SearchRequest,
): SessionSearch {
  const named = sessions
    .namedLike(q, filter, limit)
    .filter((session) => !unobserved || isUnobserved(web, session));
  return {
    total: named.length,
    offset,
    rows: named.map((session) => ({ ...sessionRow(web, session), score: 0, passage: null })),
    notices: named.length === 0 ? explainNoMatch(sessions, filter) : [],
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
