import { ContinuoError, isContinuoError } from "../../base/errors.ts";
import type { Database } from "../../store/sqlite/types.ts";
import { nearnessOf } from "../rank/nearness.ts";
import type { Query } from "../rank/rank.ts";
import type { MeaningSource, TextMeaning } from "../vectors/embed-texts.ts";
import { passageVectors } from "../vectors/set.ts";
import { type Expanded, type ExpandOptions, expandQuery } from "./expand.ts";
import { parseQuery } from "./parse.ts";

export interface QueryOptions extends ExpandOptions {
  /** The table of meaning; without it only words are searched. */
  readonly meaning?: MeaningSource | undefined;
}

export interface MadeQuery extends Query {
  /** The terms to look for, for snippets. */
  readonly words: readonly string[];
  /** Words that the index does not have and what is searched for instead, for `noticesOf`. */
  readonly replaced: Expanded["replaced"];
}

/** Any text is a query, even one of only common words; only a blank one is refused. */
export function makeQuery(db: Database, text: string, options: QueryOptions = {}): MadeQuery {
  if (text.trim() === "") {
    throw new ContinuoError("query-empty", "the query is empty", {
      hint: "write what it is about, such as a topic or a name",
    });
  }
  const meaning = options.meaning?.();
  const parsed = parseQuery(text);
  const { terms, replaced } = expandQuery(db, parsed, {
    isWord: (word) => meaning?.isWord?.(word) ?? false,
    ...options,
  });
  const words = terms.flatMap(({ matches }) => matches.flatMap((match) => match.terms));
  // Punctuation and parts of nonsense have vectors too but mean nothing: they would find whatever contains most of
  // them.
  const isKnown = words.length > 0 || parsed.some(({ word }) => meaning?.isWord?.(word) ?? true);
  const meant = isKnown ? meaningOf(text, meaning) : undefined;
  if (meant === undefined) return { terms, words, replaced };
  return {
    terms,
    words,
    replaced,
    nearness(corpus) {
      const cosines = new Float32Array(corpus.owners.length);
      const segments = corpus.segments.map(({ segment }) => segment);
      passageVectors(db).cosines(meant.vector, meant.version, segments, cosines);
      return nearnessOf(corpus, cosines);
    },
  };
}

interface Meant {
  readonly vector: Float32Array;
  readonly version: string;
}

/** Undefined for a text without a known piece, and when the table is missing or damaged, which `doctor` reports. */
export function meaningOf(text: string, meaning: TextMeaning | undefined): Meant | undefined {
  try {
    const vector = meaning?.embed(text);
    return vector === undefined || meaning === undefined ? undefined : { vector, version: meaning.version };
  } catch (error) {
    if (!isContinuoError(error)) throw error;
    return undefined;
  }
}
