import type { Database } from "../store/sqlite/types.ts";
import { ByteWriter, eachOccurrence, writeOccurrence } from "./postings.ts";
import { addWords, dropSegment, segmentById, termsIn } from "./segment.ts";
import type { TermCursor, TermPages } from "./term-page.ts";
import { type MergedSegment, mergeVectors } from "./vectors/store.ts";

/**
 * This many segments of similar size are merged into one. A smaller number writes more, a larger one slows down
 * searches.
 */
const FANOUT = 8;
/** In passages: how much may be merged while a caller such as a hook waits. Takes tens of milliseconds. */
export const SMALL_MERGE = 2000;

interface Size {
  readonly id: number;
  readonly passages: number;
  readonly live: number;
}

/**
 * Does one merge if one is due, to keep the numbers of segments and tombstones low. Creates no segment larger than
 * `maxPassages`. Returns whether it merged.
 */
export function mergeSome(db: Database, maxPassages: number = Number.POSITIVE_INFINITY): boolean {
  return db.tx(() => merge(db, choose(db, maxPassages)));
}

/** Rewrites one segment that has tombstones. Returns whether there was one. */
export function dropLeftovers(db: Database): boolean {
  return db.tx(() => {
    const row = db.get<{ id: number }>("SELECT id FROM text_segment WHERE live < passages LIMIT 1");
    return merge(db, row && [row.id]);
  });
}

function choose(db: Database, maxPassages: number): number[] | undefined {
  const sizes = db.all<Size>("SELECT id, passages, live FROM text_segment ORDER BY id");
  const sparse = sizes.find(({ passages, live }) => live * 2 < passages && live <= maxPassages);
  if (sparse !== undefined) return [sparse.id];
  const classes = Map.groupBy(sizes, ({ live }) => Math.floor(Math.log(live) / Math.log(FANOUT) + 1e-9));
  for (const list of classes.values()) {
    const chosen = list.slice(0, FANOUT);
    const size = chosen.reduce((sum, { live }) => sum + live, 0);
    if (chosen.length === FANOUT && size <= maxPassages) return chosen.map(({ id }) => id);
  }
  return undefined;
}

function merge(db: Database, ids: readonly number[] | undefined): boolean {
  if (ids === undefined) return false;
  const segments = ids.map((id) => segmentById(db, id)).filter((segment) => segment !== undefined);
  const live = segments.reduce((sum, segment) => sum + segment.live, 0);
  if (live > 0) {
    const all = { notes: new Int32Array(live), lengths: new Uint16Array(live) };
    let next = 0;
    const parts = segments.map((segment) => {
      const places = segment.notes.map((note, at) => {
        if (note === 0) return -1;
        all.notes[next] = note;
        all.lengths[next] = segment.lengths[at] ?? 0;
        return next++;
      });
      return { id: segment.id, places, terms: termsIn(db, segment.id) };
    });
    const id = addWords(db, all, (pages) => mergeTerms(parts, pages));
    mergeVectors(db, parts, id);
  }
  for (const id of ids) dropSegment(db, id);
  return true;
}

/** Its places ascend from one part to the next. */
interface Part extends MergedSegment {
  readonly terms: TermCursor;
}

/** All parts list their terms in the same order, so they are merged side by side with little memory. */
function mergeTerms(parts: readonly Part[], pages: TermPages): void {
  const out = new ByteWriter();
  for (let term = smallestTerm(parts); term !== undefined; term = smallestTerm(parts)) {
    let before = -1;
    for (const { places, terms } of parts) {
      if (terms.term === undefined || compare(terms.term, term) !== 0) continue;
      eachOccurrence(terms.list, (passage, flags) => {
        const place = places[passage] ?? -1;
        if (place < 0) return;
        writeOccurrence(out, place - before, flags);
        before = place;
      });
      terms.next();
    }
    if (out.size > 0) pages.add(term, out.take());
  }
}

function smallestTerm(parts: readonly Part[]): Uint8Array | undefined {
  let smallest: Uint8Array | undefined;
  for (const { terms } of parts) {
    if (terms.term !== undefined && (smallest === undefined || compare(terms.term, smallest) < 0))
      smallest = terms.term;
  }
  return smallest;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
