import { COUNT, readOccurrences } from "../../../search/postings.ts";
import { allSegments, type Segment } from "../../../search/segment.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { sessionOfUnit } from "../indexing/units.ts";

/** What ranking needs of all passages, for any query. */
export interface Corpus {
  readonly segments: readonly { readonly segment: Segment; readonly start: number }[];
  /** By passage, over all segments: its session, 0 where it is removed. */
  readonly owners: Int32Array;
  readonly passages: number;
  readonly passageLengths: Uint16Array;
  readonly averagePassage: number;
  readonly sessions: number;
  readonly averageSession: number;
  /** By session: its number of terms. */
  readonly lengths: Float64Array;
  /** Buffers for the occurrences of the current term. */
  readonly places: Int32Array;
  readonly counts: Uint8Array;
  /** For the current term, by session: its count and its flags in the head. All zero between terms. */
  readonly times: Float64Array;
  readonly flags: Uint8Array;
  /** Score by passage; all zero between searches. */
  readonly scores: Float64Array;
}

const kept = new WeakMap<Database, { readonly version: string; readonly corpus: Corpus }>();

/** Built once, and again after anybody has written to the index. */
export function corpusOf(db: Database): Corpus {
  const version = versionOf(db);
  const known = kept.get(db);
  if (known?.version === version) return known.corpus;
  const most = db.get<{ id: number | null }>("SELECT max(id) AS id FROM session")?.id ?? 0;
  const corpus = makeCorpus(allSegments(db), most);
  kept.set(db, { version, corpus });
  return corpus;
}

/** The first number changes with writes of others, the second with those of this connection. */
function versionOf(db: Database): string {
  const row = db.get<{ others: number; own: number }>(
    "SELECT data_version AS others, total_changes() AS own FROM pragma_data_version",
  );
  return `${row?.others} ${row?.own}`;
}

/** `most` is the highest session number. */
function makeCorpus(all: readonly Segment[], most: number): Corpus {
  const passages = all.reduce((sum, { notes }) => sum + notes.length, 0);
  const owners = new Int32Array(passages);
  const passageLengths = new Uint16Array(passages);
  const lengths = new Float64Array(most + 1);
  const segments: { segment: Segment; start: number }[] = [];
  let start = 0;
  for (const segment of all) {
    const { notes, lengths: own } = segment;
    segments.push({ segment, start });
    passageLengths.set(own, start);
    for (let at = 0; at < notes.length; at++) {
      const session = sessionOfUnit(notes[at] ?? 0);
      owners[start + at] = session;
      lengths[session] = (lengths[session] ?? 0) + (own[at] ?? 0);
    }
    start += notes.length;
  }
  // Removed passages were counted under 0.
  lengths[0] = 0;
  let sessions = 0;
  let length = 0;
  for (const one of lengths) {
    if (one > 0) sessions++;
    length += one;
  }
  return {
    segments,
    owners,
    passages,
    passageLengths,
    averagePassage: length / Math.max(1, passages),
    sessions,
    averageSession: Math.max(1, length / Math.max(1, sessions)),
    lengths,
    places: new Int32Array(passages),
    counts: new Uint8Array(passages),
    times: new Float64Array(most + 1),
    flags: new Uint8Array(most + 1),
    scores: new Float64Array(passages),
  };
}

/** The occurrences of one term in passages that still exist. */
export interface Occurrences {
  /** In how many passages and sessions overall: the idf does not depend on the filter. */
  readonly passages: number;
  readonly sessions: number;
  /** The sessions with the term that pass the filter. */
  readonly found: readonly number[];
  /**
   * The first `count` entries are of those sessions: the passage, over all segments, and how often it has the term.
   */
  readonly count: number;
  readonly places: Int32Array;
  readonly counts: Uint8Array;
}

/**
 * Also sets `times` and `flags` of the corpus for sessions that pass the filter. `lists`: the term's posting lists by
 * segment; `isAsked`: the filter by session. Most occurrences follow one of the same session, and those of others
 * cost little.
 */
export function occurrencesOf(
  corpus: Corpus,
  lists: ReadonlyMap<number, Uint8Array>,
  isAsked: Uint8Array,
): Occurrences {
  const { segments, owners, times, flags: heads, places, counts } = corpus;
  const isSeen = new Uint8Array(times.length);
  const found: number[] = [];
  let passages = 0;
  let sessions = 0;
  let count = 0;
  for (const { segment, start } of segments) {
    const list = lists.get(segment.id);
    if (list === undefined) continue;
    const end = readOccurrences(list, count, places, counts);
    let before = 0;
    let isWanted = false;
    for (let at = count; at < end; at++) {
      const place = start + (places[at] as number);
      const session = owners[place] as number;
      if (session === 0) continue;
      passages++;
      if (session !== before) {
        before = session;
        isWanted = isAsked[session] === 1;
        if (isSeen[session] === 0) {
          isSeen[session] = 1;
          sessions++;
          if (isWanted) found.push(session);
        }
      }
      if (!isWanted) continue;
      const flags = counts[at] ?? 0;
      places[count] = place;
      counts[count++] = flags & COUNT;
      times[session] = (times[session] ?? 0) + (flags & COUNT);
      if (flags > COUNT) heads[session] = (heads[session] ?? 0) | (flags & ~COUNT);
    }
  }
  return { passages, sessions, found, count, places, counts };
}
