import type { Found, Page } from "../../../moments/actions/found.ts";
import { explainNoMatch } from "../../../sources/sessions/answers/recall.ts";
import type { SessionFilter, SessionHit, Sessions } from "../../../sources/sessions/library.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { foundLines, foundToJson, speakerOf } from "../sessions/found.ts";
import {
  filterOf,
  noSessions,
  type SyncTime,
  shortener,
  syncFirst,
  withSessions,
} from "../sessions/with-sessions.ts";

/** Beside notes, which may be what the person looks for: `continuo sessions index` takes all the time it needs. */
const BESIDE_NOTES: SyncTime = { emptyMs: 5000, usualMs: 1000 };

export interface FoundSessions {
  readonly total: number;
  readonly notices: readonly string[];
  readonly results: readonly object[];
}

/** The past sessions of all agents that match. */
export function findSessions(
  input: Input,
  { query, page, pageSize, isAlone }: Page & { readonly query: string; readonly isAlone: boolean },
): Promise<Found<FoundSessions>> {
  const filter: SessionFilter = filterOf(input);
  return withSessions(input, async (sessions) => {
    // Who turned indexing off wants no search to do it; the existing index answers.
    if (sessionsSettings(findHome(input.env), input.env)["index"] !== false)
      await syncFirst(input, sessions, ...(isAlone ? [] : [BESIDE_NOTES]));
    const { hits, total, notices } = sessions.search(query, {
      ...filter,
      limit: pageSize,
      skip: (page - 1) * pageSize,
    });
    for (const notice of notices) input.tell?.(`continuo: ${notice}`);
    const isEmpty = total === 0 && sessions.size().sessions === 0;
    const short = hits.length === 0 ? String : shortener(sessions);
    const agent = hits.length === 0 ? String : await agentNamer(input);
    const look = { screen: input.screen ?? PLAIN, now: input.now, agent, short, indent: "  " };
    const first = hits[0];
    return {
      title: "Past sessions",
      total,
      found: hits.map((hit) => {
        const lines = foundLines(look, sessions, hit);
        return () => lines;
      }),
      remarks: total > 0 || isEmpty ? [] : explainNoMatch(sessions, filter),
      nothing: await nothing(input, isEmpty, isAlone),
      isEmpty,
      step: first && [`continuo sessions show ${short(first.session.id)}`, "Show the first session"],
      data: { total, notices, results: hits.map((hit) => hitToJson(hit, sessions)) },
    };
  });
}

async function nothing(input: Input, isEmpty: boolean, isAlone: boolean): Promise<string> {
  if (!isEmpty) return "No matching sessions.";
  return isAlone ? noSessions(input) : "There are no past sessions on this machine yet.";
}

/** As `continuo sessions search` prints it, with the fields that hits of every kind have. */
function hitToJson(hit: SessionHit, sessions: Sessions) {
  const { id, host, label, branch, name, modified } = hit.session;
  const day = new Date(modified).toISOString().slice(0, 10);
  return {
    ...foundToJson(hit, sessions),
    title: name,
    where: [id, host, label, branch, day].filter((one) => one !== undefined),
    excerpt: hit.best === undefined ? "" : `${speakerOf(hit.best)}: ${hit.best.snippet}`,
  };
}
