import type { Database } from "../store/sqlite/types.ts";
import { ByteWriter, eachOccurrence, writeOccurrence } from "./postings.ts";
import { addSegment, dropSegment, type Segment, segmentById, termsIn } from "./segment.ts";
import type { TermCursor, TermPages } from "./term-page.ts";

/** So many segments of about one size become one. Fewer would write more, more would make every search look at more. */
const FANOUT = 8;
/** In passages: what may be merged while somebody waits, a hook for example; some tens of milliseconds. */
export const SMALL_MERGE = 2000;

interface Size {
  readonly id: number;
  readonly passages: number;
  readonly live: number;
}

/**
 * Keeps the number of segments low, and the share of passages without a note, one merge at a time; none that makes a
 * segment larger than `most`. Whether there was one to do.
 */
export function mergeSome(db: Database, most: number = Number.POSITIVE_INFINITY): boolean {
  return db.tx(() => merge(db, choose(db, most)));
}

/** Rewrites one segment that holds something of notes that are gone or were changed. Whether there was one. */
export function dropLeftovers(db: Database): boolean {
  return db.tx(() => {
    const row = db.get<{ id: number }>("SELECT id FROM text_segment WHERE live < passages LIMIT 1");
    return merge(db, row && [row.id]);
  });
}

function choose(db: Database, most: number): number[] | undefined {
  const sizes = db.all<Size>("SELECT id, passages, live FROM text_segment ORDER BY id");
  const hollow = sizes.find(({ passages, live }) => live * 2 < passages && live <= most);
  if (hollow !== undefined) return [hollow.id];
  const classes = Map.groupBy(sizes, ({ live }) => Math.floor(Math.log(live) / Math.log(FANOUT) + 1e-9));
  for (const list of classes.values()) {
    const chosen = list.slice(0, FANOUT);
    const size = chosen.reduce((sum, { live }) => sum + live, 0);
    if (chosen.length === FANOUT && size <= most) return chosen.map(({ id }) => id);
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
      return { places, terms: termsIn(db, segment.id) };
    });
    addSegment(db, all, (pages) => mergeTerms(parts, pages));
  }
  for (const id of ids) dropSegment(db, id);
  return true;
}

interface Part {
  /** The new place of each passage, or -1. They ascend from part to part. */
  readonly places: Segment["notes"];
  readonly terms: TermCursor;
}

/** All parts have their terms in one order: going through them side by side needs no memory to speak of. */
function mergeTerms(parts: readonly Part[], pages: TermPages): void {
  const out = new ByteWriter();
  for (let term = leastOf(parts); term !== undefined; term = leastOf(parts)) {
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

function leastOf(parts: readonly Part[]): Uint8Array | undefined {
  let least: Uint8Array | undefined;
  for (const { terms } of parts) {
    if (terms.term !== undefined && (least === undefined || compare(terms.term, least) < 0))
      least = terms.term;
  }
  return least;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
