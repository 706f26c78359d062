import { snippetOf } from "../../../search/passages.ts";
import { makeQuery } from "../../../search/query/make-query.ts";
import type { MeaningWeights } from "../../../search/rank/fuse.ts";
import { type Ranked, rank } from "../../../search/rank/rank.ts";
import { RERANKED, rerank } from "../../../search/rank/rerank.ts";
import type { WordWeights } from "../../../search/rank/score-words.ts";
import type { Meaning } from "../../../search/meaning/embed.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { idsOf, rowById, sessionOf } from "../indexing/rows.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import { passagesBefore, sessionOfUnit, type StoredPassage, unitById, unitsOf } from "../indexing/units.ts";
import type { SearchAnswer, SearchOptions } from "../library.ts";
import type { Passage, RankedPassage } from "../session.ts";

const MOST_HITS = 100;

/** Tuned on one half of the benchmark's questions (docs/design/benchmarks.md). The title of a session is its edited files. */
const WEIGHTS: WordWeights = {
  k1: 1.2,
  b: 0.75,
  minLength: 20,
  decay: 0.5,
  whole: 1,
  wholeK1: 8,
  wholeB: 0.75,
  title: 2,
  names: 2,
  perfectPassages: 1.5,
  otherForm: 0.8,
};
