import { inSlices, toEnd } from "../../base/slices.ts";
import type { History, SessionFile } from "../../moments/ports/history.ts";
import type { Turn } from "../../moments/ports/turn.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import type { Database } from "../../store/sqlite/types.ts";
import { ancestorsOf, descendantsOf } from "./indexing/lineage.ts";
import {
  type DetailedSession,
  detailsOf,
  type Facets,
  facetsOf,
  type LastAsked,
  type ListedSession,
  lastAskedIn,
  listSessions,
  namedLike,
} from "./indexing/listing.ts";
import { firstPrompts, type Preview, previewOf } from "./indexing/prompts.ts";
import { rowOf, rowsOf, sessionOf } from "./indexing/rows.ts";
import { problemsOf, transcriptsOf, turnsOf } from "./indexing/transcripts.ts";
import type { SearchAnswer, SearchOptions, SessionFilter } from "./library.ts";
import { type Resolution, resolve, type Viewpoint } from "./references/resolve.ts";
import { type NotResumable, type Resumption, resumeLine, resumptionOf } from "./resume.ts";
import { allPassages, searchSessions } from "./search/search.ts";
import { cosinesWithin, passagesFromEnd, type RankedWithin, rankingWithin } from "./search/within.ts";
import type { Passage, PastSession, RankedPassage, SessionKey } from "./session.ts";

/** Queries about past sessions, from the index and from their transcripts. Writes nothing. */
export function reading(db: Database, history: History, meaning: MeaningSource) {
  function* ranking(
    key: SessionKey,
    question: string,
    limit: number,
    isOver?: () => boolean,
  ): Generator<undefined, RankedWithin> {
    const row = rowOf(db, key);
    if (row === undefined || question.trim() === "") return { passages: [], isPart: false };
    const cosines = cosinesWithin(db, row.id, question, meaning);
    yield;
    return yield* rankingWithin(passagesFromEnd(db, row.id), question, limit, cosines, isOver);
  }

  return {
    list: ({ limit, ...filter }: SessionFilter & { readonly limit?: number } = {}): PastSession[] =>
      rowsOf(db, filter, limit).map(sessionOf),
    /** What is needed to sort a list of all sessions, for lists that show one part at a time. */
    listed: (filter: SessionFilter = {}): ListedSession[] => listSessions(db, filter),
    /** These rows of `listed`, with their last requests. */
    details: (rows: readonly number[]): DetailedSession[] => detailsOf(db, rows),
    /** The newest sessions whose name contains these letters. */
    namedLike: (letters: string, filter: SessionFilter, limit: number): DetailedSession[] =>
      namedLike(db, letters, filter, limit),
    /** The hosts, projects and branches of all sessions. */
    facets: (): Facets => facetsOf(db),
    get(key: SessionKey): PastSession | undefined {
      const row = rowOf(db, key);
      return row && sessionOf(row);
    },
    /** The last request in it. */
    lastAsked(key: SessionKey): LastAsked | undefined {
      const row = rowOf(db, key);
      return row && lastAskedIn(db, row.id);
    },
    /** The beginnings of its first requests. */
    firstPrompts: (key: SessionKey): string[] => firstPrompts(db, key),
    /** What a user needs to recognise it. */
    preview: (key: SessionKey): Preview => previewOf(db, key),
    /** The sessions of all hosts with this id. */
    keysOf: (id: string): SessionKey[] =>
      db.all<SessionKey>("SELECT host, sid AS id FROM session WHERE sid = ? ORDER BY host", [id]),
    /** By id, a unique prefix of one, a name, or part of a name. Never guesses among several. */
    find(
      name: string,
      { host, ...viewpoint }: Viewpoint & { readonly host?: string } = {},
    ): Resolution<PastSession> {
      return resolve({ name, host }, rowsOf(db, { children: true }).map(sessionOf), viewpoint);
    },
    search: (query: string, asked?: SearchOptions): SearchAnswer =>
      searchSessions(db, query, { ...asked, meaning }),
    /** The passages of one session that match a question best. */
    passages: (key: SessionKey, question: string, limit: number): RankedPassage[] =>
      toEnd(ranking(key, question, limit)).passages,
    /** The same for a process with other work, newest first, until `isOver`. */
    passagesInSlices: (
      key: SessionKey,
      question: string,
      limit: number,
      isOver: () => boolean,
    ): Promise<RankedWithin> => inSlices(ranking(key, question, limit, isOver)),
    /** All passages, in order. */
    allPassages(key: SessionKey): Passage[] {
      const row = rowOf(db, key);
      return row === undefined ? [] : allPassages(db, row.id);
    },
    /** The turns of one session, read from its transcript; none when that is gone. */
    turns: (key: SessionKey): Iterable<Turn> => turnsOf(db, history, key),
    /** The files with its turns, for callers that read them in parts. */
    transcripts: (key: SessionKey): SessionFile[] => transcriptsOf(db, key),
    /** What cannot currently be read in its transcripts; for a session that seems empty. */
    problems: (key: SessionKey): string[] => problemsOf(db, history, key),
    /** The sessions that this one comes from, nearest first: its parent, the original of its fork, or the one it continues. */
    ancestors: (key: SessionKey): PastSession[] => ancestorsOf(db, key),
    /** Sessions of its subagents, its forks, and sessions that continue it. */
    descendants: (key: SessionKey): PastSession[] => descendantsOf(db, key),
    /** The command that resumes it; undefined for a subagent's session and when the transcript is gone. */
    resumeLine: (session: PastSession): string | undefined => resumeLine(session, history),
    /** The same as a program and its arguments, to run without a shell; or the reason why that is not possible. */
    resumption: (session: PastSession): Resumption | NotResumable => resumptionOf(session, history),
    /** The folders in which sessions ran, each once, the most recently used first. */
    folders: (limit: number): string[] =>
      db
        .all<{ cwd: string }>(
          "SELECT cwd FROM session WHERE cwd IS NOT NULL GROUP BY cwd ORDER BY max(modified) DESC LIMIT ?",
          [limit],
        )
        .map(({ cwd }) => cwd),
  };
}
