import type { Database } from "../../store/sqlite/types.ts";
import { versionOf } from "../../store/sqlite/version.ts";
import { FORMS, readOccurrences } from "../postings.ts";
import { allSegments, noteTotals, type Segment } from "../segment.ts";

/**
 * Finds the owner of an entry. An owner is found as a whole: a note, or a past session. It has passages. The text index
 * numbers its entries ("notes" in a segment); an entry is a note or a part of a session.
 */
export type OwnerOf = (entry: number) => number;

/** What ranking needs of all passages, for any query. */
export interface Corpus {
  readonly segments: readonly { readonly segment: Segment; readonly start: number }[];
  /** For each passage, over all segments: its owner, or 0 if it was removed. */
  readonly owners: Int32Array;
  /** How many passages are not removed. Removed ones stay until the next merge, and must not change a score. */
  readonly passages: number;
  readonly passageLengths: Uint16Array;
  readonly averagePassage: number;
  /** How many owners have passages. */
  readonly ownerCount: number;
  readonly averageOwner: number;
  /** Owners have numbers below this. */
  readonly span: number;
  /** For each owner, its number of terms. Not every query needs it, so it is computed at the first call. */
  lengths(): Float64Array;
  /** Score by passage; all zero between searches. Allocating it would cost more than most searches. */
  readonly scores: Float64Array;
}

const kept = new WeakMap<Database, { readonly version: string; readonly corpus: Corpus }>();

/** Built once, and again after every write to the index. Without `ownerOf` each entry is its own owner. */
export function corpusOf(db: Database, ownerOf?: OwnerOf): Corpus {
  const version = versionOf(db);
  const known = kept.get(db);
  if (known?.version === version) return known.corpus;
  const corpus = makeCorpus(db, ownerOf);
  kept.set(db, { version, corpus });
  return corpus;
}

function makeCorpus(db: Database, ownerOf: OwnerOf | undefined): Corpus {
  const all = allSegments(db);
  const places = all.reduce((sum, { notes }) => sum + notes.length, 0);
  const passages = all.reduce((sum, { live }) => sum + live, 0);
  const owners = new Int32Array(places);
  const passageLengths = new Uint16Array(places);
  const segments: { segment: Segment; start: number }[] = [];
  let start = 0;
  for (const segment of all) {
    segments.push({ segment, start });
    passageLengths.set(segment.lengths, start);
    owners.set(segment.notes, start);
    start += segment.notes.length;
  }
  // SQLite counts entries faster than JavaScript that is not optimised yet.
  const { notes, highest, length } = noteTotals(db);
  const span = 1 + (ownerOf === undefined ? highest : assignOwners(owners, ownerOf));
  const ownerCount = ownerOf === undefined ? notes : countOwners(owners, span);
  let lengths: Float64Array | undefined;
  return {
    segments,
    owners,
    passages,
    passageLengths,
    averagePassage: length / Math.max(1, passages),
    ownerCount,
    averageOwner: Math.max(1, length / Math.max(1, ownerCount)),
    span,
    lengths() {
      lengths ??= lengthsOf(owners, passageLengths, span);
      return lengths;
    },
    scores: new Float64Array(places),
  };
}

/** Replaces entries by their owners. Returns the highest owner. */
function assignOwners(entries: Int32Array, ownerOf: OwnerOf): number {
  let highest = 0;
  let before = 0;
  let owner = 0;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as number;
    // The passages of an entry are consecutive.
    if (entry !== before) {
      before = entry;
      owner = ownerOf(entry);
      if (owner > highest) highest = owner;
    }
    entries[at] = owner;
  }
  return highest;
}

function countOwners(owners: Int32Array, span: number): number {
  const isOwner = new Uint8Array(span);
  let count = 0;
  let before = 0;
  for (let at = 0; at < owners.length; at++) {
    const owner = owners[at] as number;
    if (owner === before || owner === 0 || isOwner[owner] === 1) continue;
    before = owner;
    isOwner[owner] = 1;
    count++;
  }
  return count;
}

function lengthsOf(owners: Int32Array, passageLengths: Uint16Array, span: number): Float64Array {
  const lengths = new Float64Array(span);
  for (let at = 0; at < owners.length; at++) {
    const owner = owners[at] as number;
    lengths[owner] = (lengths[owner] as number) + (passageLengths[at] as number);
  }
  // Removed passages were counted at index 0.
  lengths[0] = 0;
  return lengths;
}

/** The occurrences of one term in passages that still exist. */
export interface Occurrences {
  /** In how many passages and owners in total: the idf does not depend on the filter. */
  readonly passages: number;
  readonly owners: number;
  /** All forms in which the term occurs, regardless of the filter. */
  readonly forms: number;
  /** The occurrences that pass the filter: the passage, over all segments, and its flags (`postings.ts`). Ascending. */
  readonly places: Int32Array;
  readonly flags: Uint8Array;
}

const NO_PLACES: Occurrences = {
  passages: 0,
  owners: 0,
  forms: 0,
  places: new Int32Array(),
  flags: new Uint8Array(),
};

/** `lists`: the term's posting lists by segment. `isAsked`: the filter, by owner. */
export function occurrencesOf(
  { segments, owners, span }: Corpus,
  lists: ReadonlyMap<number, Uint8Array>,
  isAsked: Uint8Array,
): Occurrences {
  let bytes = 0;
  for (const list of lists.values()) bytes += list.length;
  if (bytes === 0) return NO_PLACES;
  // An occurrence takes at least one byte.
  const places = new Int32Array(bytes);
  const flags = new Uint8Array(bytes);
  const isSeen = new Uint8Array(span);
  let passages = 0;
  let ownerCount = 0;
  let forms = 0;
  let count = 0;
  for (const { segment, start } of segments) {
    const list = lists.get(segment.id);
    if (list === undefined) continue;
    const end = readOccurrences(list, count, places, flags);
    let before = 0;
    let isWanted = false;
    for (let at = count; at < end; at++) {
      const place = start + (places[at] as number);
      const owner = owners[place] as number;
      if (owner === 0) continue;
      passages++;
      forms |= flags[at] as number;
      // Consecutive occurrences mostly have the same owner, so this seldom runs.
      if (owner !== before) {
        before = owner;
        isWanted = isAsked[owner] === 1;
        if (isSeen[owner] === 0) {
          isSeen[owner] = 1;
          ownerCount++;
        }
      }
      if (!isWanted) continue;
      places[count] = place;
      flags[count++] = flags[at] as number;
    }
  }
  return {
    passages,
    owners: ownerCount,
    forms: forms & FORMS,
    places: places.subarray(0, count),
    flags: flags.subarray(0, count),
  };
}

/** The passages that contain both terms, given those that contain each. They count as one occurrence in the text. */
export function bothOf({ owners }: Corpus, a: Occurrences, b: Occurrences, isAsked: Uint8Array): Occurrences {
  const shared = new Int32Array(Math.min(a.places.length, b.places.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.places.length && j < b.places.length; ) {
    const difference = (a.places[i] ?? 0) - (b.places[j] ?? 0);
    if (difference === 0) shared[count++] = a.places[i] ?? 0;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const both = shared.subarray(0, count);
  const ownerOf = (place: number): number => owners[place] ?? 0;
  const places = both.filter((place) => isAsked[ownerOf(place)] === 1);
  return {
    passages: count,
    owners: new Set(Array.from(both, ownerOf)).size,
    forms: FORMS,
    places,
    flags: new Uint8Array(places.length).fill(1 | FORMS),
  };
}

/** A passage: its entry in the text index, and its number in that entry. */
export interface Place {
  readonly entry: number;
  readonly passage: number;
}

export function entryAt({ segments }: Corpus, place: number): Place | undefined {
  const found = segments.findLast(({ start }) => place >= start);
  if (place < 0 || found === undefined) return undefined;
  const { notes } = found.segment;
  const at = place - found.start;
  let first = at;
  while (first > 0 && notes[first - 1] === notes[at]) first--;
  return { entry: notes[at] ?? 0, passage: at - first };
}
