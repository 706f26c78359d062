import { forTerminal, oneLine } from "../../../base/for-terminal.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import type { SessionFilter, SessionHit, Sessions } from "../../../sources/sessions/library.ts";
import type { FoundPassage, FoundSession, SessionSearch } from "../../api/sessions.ts";
import type { Web } from "../web.ts";
import { activitiesOf } from "./activities.ts";
import { isUnobserved, sessionRow } from "./rows.ts";

interface SearchRequest {
  readonly q: string;
  readonly filter: SessionFilter;
  readonly unobserved: boolean;
  readonly weaker: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Searches by words and meaning. A page has at most a hundred results, and each is read from the index. */
export async function searchPage(web: Web, request: SearchRequest): Promise<SessionSearch> {
  const { q, filter, offset, limit, weaker: isWithWeaker } = request;
  const sessions = await web.sessions();
  await activitiesOf(web).unobserved(); // finds out which of them wait for nobody
  // At the beginning of typing, a query may be blank for a moment.
  if (q.trim() === "") return { total: 0, weaker: 0, offset, rows: [], notices: [] };
  const { hits, total, weaker, notices } = sessions.search(q, {
    ...filter,
    skip: offset,
    limit,
    weaker: isWithWeaker,
  });
  if (total === 0 && offset === 0) return byName(web, sessions, request);
  const shown = request.unobserved ? hits.filter(({ session }) => isUnobserved(web, session)) : hits;
  return {
    total: request.unobserved ? shown.length : total,
    weaker,
    offset,
    rows: shown.map((hit) => {
      const lastRequest = sessions.lastAsked(hit.session);
      return {
        ...sessionRow(web, { ...hit.session, row: 0, ...(lastRequest && { lastRequest }) }),
        score: hit.score,
        passage: passageOf(hit),
        copies: copiesOf(hit),
      };
    }),
    notices,
  };
}

/** The beginning of a word is not a word yet while it is typed. */
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
    weaker: 0,
    offset,
    rows: named.map((session) => ({
      ...sessionRow(web, session),
      score: 0,
      passage: null,
      copies: NO_COPIES,
    })),
    notices: named.length === 0 ? explainNoMatch(sessions, filter) : [],
  };
}

const MOST_COPIES = 20;
const NO_COPIES = { total: 0, shown: [] };

function copiesOf({ copies = [] }: SessionHit): FoundSession["copies"] {
  const shown = copies
    .toSorted((a, b) => b.modified - a.modified)
    .slice(0, MOST_COPIES)
    .map(({ host, id, name, modified }) => ({
      ...{ host, id },
      name: oneLine(name),
      modified,
    }));
  return { total: copies.length, shown };
}

function passageOf({ best }: SessionHit): FoundPassage | null {
  if (best === undefined) return null;
  const text = forTerminal(best.snippet);
  return {
    role: best.role,
    turn: best.turn,
    text,
    // If invisible characters were removed, the positions do not fit the text.
    marks: text.length === best.snippet.length ? (best.marks ?? []) : [],
    at: best.time ?? null,
    isAbandoned: best.isLeft === true,
  };
}
