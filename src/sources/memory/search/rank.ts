import {
  averageLength,
  type Bm25Weights,
  idf,
  lengthNorm,
  maxScore,
  termScore,
} from "../../../search/bm25.ts";
import { COUNT, eachOccurrence, IN_NAMES, IN_TITLE } from "../../../search/postings.ts";
import { allSegments, listOf, listsOf, type Segment } from "../../../search/segment.ts";
import type { Database } from "../../../store/sqlite/types.ts";

/** Chosen on the retrieval benchmark (docs/design/benchmarks.md). */
export interface Weights extends Bm25Weights {
  /** A term in the title, or among concepts and tags, adds this many times its idf. */
  readonly title: number;
  readonly names: number;
}

export const WEIGHTS: Weights = { k1: 1.2, b: 0.75, minLength: 20, title: 2, names: 1 };

/** Rare terms say more and cost less: of a long query only the rarest terms are used. */
const MAX_TERMS = 16;

/** A term, and where it occurs, by segment. */
interface Term {
  readonly lists: ReadonlyMap<number, Uint8Array>;
  readonly idf: number;
}

export interface RankOptions {
  /** How many of the best to return. */
  readonly limit: number;
  /** A note with a lower score does not count as found. */
  readonly minScore?: number;
  /** Only these notes count as found; all when absent. */
  readonly among?: ReadonlySet<number> | undefined;
  readonly weights?: Weights;
}

export interface Ranking {
  /** Best first. */
  readonly best: readonly Ranked[];
  /** How many were found. */
  readonly total: number;
}

/** Ranks the notes that have at least one of the terms. */
export function rankNotes(db: Database, terms: readonly string[], options: RankOptions): Ranking {
  const { limit, minScore = 0, among, weights = WEIGHTS } = options;
  const sums = db.get<{ passages: number; length: number }>(
    "SELECT total(live) AS passages, total(length) AS length FROM text_segment",
  );
  if (sums === undefined || sums.passages === 0) return { best: [], total: 0 };
  const segments = allSegments(db);
  const wanted = rarest(db, terms, segments).map((text) => termOf(db, text, segments, sums.passages));
  const perfect = maxScore(
    wanted.reduce((sum, term) => sum + term.idf, 0),
    weights.k1,
  );
  const average = averageLength(sums.length, sums.passages, weights);
  const best = new TopRanked(limit);
  let total = 0;
  for (const segment of segments) {
    rankSegment(segment, wanted, average, weights, (note, passage, points) => {
      const score = points / perfect;
      if (score < minScore || (among !== undefined && !among.has(note))) return;
      total++;
      best.add(note, passage, score);
    });
  }
  return { best: best.sorted(), total };
}

/** A term that no note has counts as the rarest: it lowers the score of notes that match only the rest of the query. */
function termOf(db: Database, text: string, segments: readonly Segment[], all: number): Term {
  const lists = listsOf(db, Buffer.from(text, "utf8"));
  let passages = 0;
  for (const { id, notes } of segments) {
    const list = lists.get(id);
    if (list === undefined) continue;
    eachOccurrence(list, (passage) => {
      if (notes[passage] !== 0) passages++;
    });
  }
  return { lists, idf: idf(all, passages) };
}

/** Judged by the largest segment only: a lookup in all segments for every word of a pasted log would cost more than ranking. */
function rarest(db: Database, terms: readonly string[], segments: readonly Segment[]): readonly string[] {
  if (terms.length <= MAX_TERMS) return terms;
  const [largest] = segments.toSorted((a, b) => b.live - a.live);
  const size = (text: string): number => {
    let passages = 0;
    const list = listOf(db, largest?.id ?? 0, Buffer.from(text, "utf8"));
    if (list !== undefined) eachOccurrence(list, () => passages++);
    return passages;
  };
  return terms
    .map((text) => ({ text, size: size(text) }))
    .sort((a, b) => Number(a.size === 0) - Number(b.size === 0) || a.size - b.size)
    .slice(0, MAX_TERMS)
    .map(({ text }) => text);
}

/** Reused between queries and all zero in between: allocating them would cost more than most queries. */
let body = new Float64Array();
let fields = new Float64Array();

function rankSegment(
  { id, notes, lengths }: Segment,
  terms: readonly Term[],
  average: number,
  weights: Weights,
  onNote: (note: number, passage: number, score: number) => void,
): void {
  if (body.length < notes.length) {
    body = new Float64Array(notes.length);
    fields = new Float64Array(notes.length);
  }
  const touched: number[] = [];
  for (const { lists, idf: termIdf } of terms) {
    const list = lists.get(id);
    if (list === undefined) continue;
    eachOccurrence(list, (passage, flags) => {
      if (notes[passage] === 0) return;
      if (body[passage] === 0 && fields[passage] === 0) touched.push(passage);
      const count = flags & COUNT;
      if (count > 0) {
        const norm = lengthNorm(weights, lengths[passage] ?? 0, average);
        body[passage] = (body[passage] ?? 0) + termScore(termIdf, count, norm, weights.k1);
      }
      if (flags & IN_TITLE) fields[passage] = (fields[passage] ?? 0) + termIdf * weights.title;
      if (flags & IN_NAMES) fields[passage] = (fields[passage] ?? 0) + termIdf * weights.names;
    });
  }
  for (const passage of touched) {
    const note = notes[passage];
    let from = passage;
    while (from > 0 && notes[from - 1] === note) from--;
    let to = from;
    let best = from;
    for (; to < notes.length && notes[to] === note; to++) {
      if ((body[to] ?? 0) > (body[best] ?? 0)) best = to;
    }
    // Title and names are stored with the first passage.
    const points = (body[best] ?? 0) + (fields[from] ?? 0);
    // Each note is reported once, at the first of its passages: setting the others to 0 skips them later.
    body.fill(0, from, to);
    fields[from] = 0;
    if (note !== undefined && points > 0) onNote(note, best - from, points);
  }
}

export interface Ranked {
  readonly note: number;
  /** 0 to 1: relative to a perfect match of all terms, so it can be compared across queries. */
  readonly score: number;
  /** The passage that matched best. */
  readonly passage: number;
}

/** Keeps the best notes of many: most are rejected by one comparison, and few are ever sorted. */
export class TopRanked {
  private readonly limit: number;
  private kept: Ranked[] = [];
  private minScore = -1;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(note: number, passage: number, score: number): void {
    if (score < this.minScore) return;
    this.kept.push({ note, passage, score });
    if (this.kept.length >= 2 * this.limit + 64) this.cut();
  }

  /** Best first; of equals the note that was indexed first. */
  sorted(): Ranked[] {
    this.cut();
    // Limited to 1 only now: a match in the title may exceed what the text alone can reach, and the order must count that.
    return this.kept.map((one) => ({ ...one, score: Math.min(1, one.score) }));
  }

  private cut(): void {
    this.kept.sort((a, b) => b.score - a.score || a.note - b.note);
    this.kept.length = Math.min(this.kept.length, this.limit);
    if (this.kept.length === this.limit) this.minScore = this.kept.at(-1)?.score ?? -1;
  }
}
