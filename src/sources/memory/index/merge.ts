import type { Database } from "../../../store/sqlite/types.ts";
import { eachOccurrence, FIELDS, listsOf, type Occurrence, PostingsWriter } from "./postings.ts";
import {
  addLists,
  addSegment,
  dropSegment,
  eachList,
  type NewDocument,
  type Segment,
  segmentById,
} from "./segment.ts";

/** So many segments of about one size become one. Fewer would write more, more would make every search look at more. */
const FANOUT = 8;
/** Larger ones are left as they are: merging them would hold up whoever waits for this transaction. */
const LARGEST = 4096;

interface Size {
  readonly id: number;
  readonly slots: number;
  readonly live: number;
}

/** Keeps the number of segments low, and the share of empty slots. */
export function mergeSegments(db: Database): void {
  for (let chosen = choose(db); chosen !== undefined; chosen = choose(db)) merge(db, chosen);
}

function choose(db: Database): number[] | undefined {
  const sizes = db.all<Size>("SELECT id, slots, live FROM text_segment ORDER BY id");
  const hollow = sizes.find(({ slots, live }) => live * 2 < slots);
  if (hollow !== undefined) return [hollow.id];
  const classes = Map.groupBy(
    sizes.filter(({ live }) => live < LARGEST),
    ({ live }) => Math.floor(Math.log(live) / Math.log(FANOUT) + 1e-9),
  );
  for (const list of classes.values())
    if (list.length >= FANOUT) return list.slice(0, FANOUT).map(({ id }) => id);
  return undefined;
}

function merge(db: Database, ids: readonly number[]): void {
  const segments = ids.map((id) => segmentById(db, id)).filter((segment) => segment !== undefined);
  const documents: NewDocument[] = [];
  const places = new Map(segments.map((segment) => [segment.id, placesOf(segment, documents)]));
  if (documents.length > 0) {
    const writers = new Map<string, PostingsWriter>();
    // In the order of the segments: the slots then ascend.
    for (const { id } of segments) {
      eachList(db, id, (term, data) => {
        const writer = writers.get(term) ?? new PostingsWriter();
        addTo(writer, data, places.get(id) ?? new Int32Array());
        writers.set(term, writer);
      });
    }
    addLists(db, addSegment(db, documents), listsOf(writers));
  }
  for (const id of ids) dropSegment(db, id);
}

/** The new slot of each old one, or -1 for those that are empty; the documents are added to the list. */
function placesOf({ notes, starts, lengths }: Segment, documents: NewDocument[]): Int32Array {
  return notes.map((note, slot) => {
    if (note === 0) return -1;
    documents.push({ note, lengths: [...lengths.subarray(starts[slot], starts[slot + 1])] });
    return documents.length - 1;
  });
}

function addTo(writer: PostingsWriter, data: Uint8Array, places: Int32Array): void {
  let current = -1;
  let occurrences: Occurrence[] = [];
  const finish = (): void => {
    const place = places[current] ?? -1;
    if (place >= 0) writer.add(place, occurrences);
  };
  eachOccurrence(data, (slot, passage, flags) => {
    if (slot !== current) {
      if (current >= 0) finish();
      current = slot;
      occurrences = [];
    }
    occurrences.push({ passage, flags: flags & FIELDS });
  });
  if (current >= 0) finish();
}
