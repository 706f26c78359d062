import type { Database } from "../../store/sqlite/types.ts";
import { eachOccurrence, FORMS } from "../postings.ts";
import { allSegments, listsOf, pageOf, type Segment, termsFrom } from "../segment.ts";
import { eachListOn } from "../term-page.ts";

/** In bytes. Longer posting lists are not counted: their length is used as an estimate. */
const COUNTED = 64;
/** In bytes: the forms of a term are counted in this much of its list. */
const SAMPLED = 2048;
/** Most pages and terms read for one question about many terms: a few milliseconds, however large the index is. */
const MOST_PAGES = 100;
const MOST_TERMS = 4000;
/** About how many terms a page has before the wanted one. */
const PASSED_TERMS = 100;

/** Which terms an index has, and how frequent they are. Terms that occur only in deleted texts do not count. */
export class Vocabulary {
  private readonly db: Database;
  private segments: ReadonlyMap<number, Segment> | undefined;
  private readonly known = new Map<string, number>();

  constructor(db: Database) {
    this.db = db;
  }

  /** In about how many passages a term occurs; 0 means none. */
  frequency(term: string): number {
    const known = this.known.get(term);
    if (known !== undefined) return known;
    let sum = 0;
    for (const [segment, list] of listsOf(this.db, Buffer.from(term, "utf8")))
      sum += this.size(segment, list);
    this.known.set(term, sum);
    return sum;
  }

  /**
   * The frequency of each of these terms that the index has, counting only the given forms. If there are many segments,
   * only the largest are read.
   */
  among(terms: Iterable<readonly [term: string, forms: number]>): Map<string, number> {
    const sorted = [...new Map(terms)].map(([term, forms]) => ({
      term,
      forms,
      bytes: Buffer.from(term, "utf8"),
    }));
    if (sorted.length === 0) return new Map();
    sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
    const bytes = sorted.map((one) => one.bytes);
    const found = new Map<string, number>();
    let pages = 0;
    for (const { id } of this.largestFirst()) {
      for (let from = 0, to = 0; from < bytes.length; from = to) {
        if (pages++ >= MOST_PAGES) return found;
        const { data, next } = pageOf(this.db, id, bytes[from] ?? Buffer.alloc(0));
        to = from + 1;
        while (to < bytes.length && (next === null || Buffer.compare(bytes[to] ?? next, next) < 0)) to++;
        if (data === null) continue;
        eachListOn(data, bytes.slice(from, to), (at, list) => {
          const { term = "", forms = 0 } = sorted[from + at] ?? {};
          const size = this.size(id, list, forms);
          if (size > 0) found.set(term, (found.get(term) ?? 0) + size);
        });
      }
    }
    return found;
  }

  /** The frequency of terms that begin with these letters. In a large index not all are read. */
  beginningWith(prefix: string): Map<string, number> {
    const found = new Map<string, number>();
    const from = Buffer.from(prefix, "utf8");
    let terms = 0;
    for (const { id } of this.largestFirst()) {
      terms += PASSED_TERMS;
      for (const cursor = termsFrom(this.db, id, from); cursor.term !== undefined; cursor.next()) {
        const { term, list } = cursor;
        if (Buffer.compare(term.subarray(0, from.length), from) !== 0) break;
        const size = this.size(id, list);
        const text = Buffer.from(term).toString("utf8");
        if (size > 0) found.set(text, (found.get(text) ?? 0) + size);
        if (++terms > MOST_TERMS) break;
      }
      if (terms > MOST_TERMS) break;
    }
    return found;
  }

  private size(segment: number, list: Uint8Array, forms = FORMS): number {
    if (list.length > COUNTED && forms === FORMS) return list.length;
    const notes = this.byId().get(segment)?.notes;
    let passages = 0;
    eachOccurrence(list.subarray(0, SAMPLED), (passage, flags) => {
      if (notes?.[passage] !== 0 && (flags & forms) !== 0) passages++;
    });
    return passages * Math.max(1, list.length / SAMPLED);
  }

  private largestFirst(): readonly Segment[] {
    return [...this.byId().values()].sort((a, b) => b.live - a.live);
  }

  private byId(): ReadonlyMap<number, Segment> {
    this.segments ??= new Map(allSegments(this.db).map((segment) => [segment.id, segment]));
    return this.segments;
  }
}
