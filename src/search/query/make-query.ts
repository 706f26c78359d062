import type { Database } from "../../store/sqlite/types.ts";
import type { Meaning } from "../meaning/embed.ts";
import { nearnessOf } from "../rank/nearness.ts";
import type { Query } from "../rank/rank.ts";
import { passageVectors } from "../vectors/set.ts";
import { emptyQuery } from "../words.ts";
import { expandQuery } from "./expand.ts";
import { parseQuery } from "./parse.ts";

export interface QueryOptions {
  /** The table of meaning; without it words alone are searched. */
  readonly meaning?: Meaning | undefined;
  /** Also looks for typing errors and beginnings of words. Takes milliseconds, which a hook does not have. */
  readonly isPatient?: boolean;
  /** Called in messages: "note" or "session". */
  readonly what: string;
}

export interface MadeQuery extends Query {
  /** The terms that are looked for, for snippets. */
  readonly words: readonly string[];
  /** What was searched for instead of what was written. */
  readonly notices: readonly string[];
}

/** Any text is a query, also one of nothing but common words; only a blank one is refused. */
export function makeQuery(db: Database, text: string, options: QueryOptions): MadeQuery {
  if (text.trim() === "") throw emptyQuery(options.what);
  const { terms, notices } = expandQuery(db, parseQuery(text), options);
  const words = terms.flatMap(({ matches }) => matches.flatMap((match) => match.terms));
  const vector = options.meaning?.embed(text);
  if (vector === undefined || options.meaning === undefined) return { terms, words, notices };
  const { version } = options.meaning;
  return {
    terms,
    words,
    notices,
    nearness(corpus, isAsked) {
      const cosines = new Float32Array(corpus.passages);
      const segments = corpus.segments.map(({ segment }) => segment);
      passageVectors(db).cosines(vector, version, segments, cosines);
      return nearnessOf(corpus, cosines, isAsked);
    },
  };
}
