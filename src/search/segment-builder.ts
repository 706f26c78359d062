import { ByteWriter, COUNT, IN_NAMES, IN_TITLE, writeOccurrence } from "./postings.ts";
import type { NewSegment } from "./segment.ts";
import type { TermPages } from "./term-page.ts";
import { type MeaningSource, vectorsFor } from "./vectors/embed-texts.ts";
import type { SegmentVectors } from "./vectors/store.ts";
import { eachTerm } from "./words.ts";

interface Passage {
  readonly note: number;
  readonly length: number;
  /** The range of its cells. */
  readonly from: number;
  readonly to: number;
  /** The text that its vector is made from. */
  readonly text: string;
}

/**
 * More different words than anyone uses; only a list of keys or a dump has more. Only the beginning of such a note is
 * indexed: all of it would stop every hook for seconds.
 */
export const MOST_WORDS = 50_000;

/**
 * Collects the terms and vectors of the notes of one transaction, to be written as a segment. A cell is a term in a
 * passage. Terms are numbers and cells are kept in two flat lists, because an object for each would take most of the
 * time of a first index.
 */
export class SegmentBuilder {
  private readonly vocabulary = new Map<string, number>();
  private readonly terms: number[] = [];
  private readonly flags: number[] = [];
  /** The last cell of each term. */
  private readonly last: number[] = [];
  private readonly byNote = new Map<number, readonly Passage[]>();
  private readonly meaning: MeaningSource;
  /** For the current note: its first cell, and its number of different words so far. */
  private begin = 0;
  private words = 0;

  /** Without a table of meaning, vectors stay pending. */
  constructor(meaning: MeaningSource = () => undefined) {
    this.meaning = meaning;
  }

  /**
   * `embedded`: the text of each passage that its vector is made from. Returns how many passages were indexed: all,
   * unless there are too many different words.
   */
  put(note: number, texts: readonly string[], title = "", names = "", embedded = texts): number {
    const passages: Passage[] = [];
    let from = this.terms.length;
    this.begin = from;
    this.words = 0;
    eachTerm(title, (term, _at, form) => this.addFlags(this.cellOf(term, from), IN_TITLE | form), true);
    eachTerm(names, (term, _at, form) => this.addFlags(this.cellOf(term, from), IN_NAMES | form), true);
    for (const [at, text] of texts.entries()) {
      if (this.words >= MOST_WORDS && at > 0) break;
      let length = 0;
      eachTerm(text, (term, _at, form) => {
        length++;
        this.count(this.cellOf(term, from), form);
      });
      passages.push({ note, length, from, to: this.terms.length, text: embedded[at] ?? "" });
      from = this.terms.length;
    }
    this.byNote.set(note, passages);
    return passages.length;
  }

  remove(note: number): void {
    this.byNote.delete(note);
  }

  passages(): NewSegment & { readonly list: readonly Passage[] } {
    const list = [...this.byNote.values()].flat();
    return {
      list,
      notes: Int32Array.from(list, ({ note }) => note),
      lengths: Uint16Array.from(list, ({ length }) => Math.min(length, 0xffff)),
      vectors: this.vectorsOf(list),
    };
  }

  /** All at once: alternating with word splitting would evict the table from the processor's cache. */
  private vectorsOf(list: readonly Passage[]): SegmentVectors | undefined {
    return vectorsFor(
      list.map(({ text }) => text),
      this.meaning,
    );
  }

  /** Writes the terms of these passages to the pages, in byte order. */
  fill(list: readonly Passage[], pages: TermPages): void {
    // A counting sort by term: first where the cells of each term begin, then each cell moves to its place.
    const ends = new Int32Array(this.vocabulary.size + 1);
    for (const { from, to } of list)
      for (let at = from; at < to; at++)
        ends[(this.terms[at] ?? 0) + 1] = (ends[(this.terms[at] ?? 0) + 1] ?? 0) + 1;
    for (let term = 1; term < ends.length; term++) ends[term] = (ends[term] ?? 0) + (ends[term - 1] ?? 0);
    const starts = ends.slice();
    const places = new Int32Array(starts.at(-1) ?? 0);
    const flags = new Uint8Array(places.length);
    for (const [place, { from, to }] of list.entries()) {
      for (let at = from; at < to; at++) {
        const term = this.terms[at] ?? 0;
        const to = starts[term] ?? 0;
        places[to] = place;
        flags[to] = this.flags[at] ?? 0;
        starts[term] = to + 1;
      }
    }
    const out = new ByteWriter();
    for (const text of inByteOrder([...this.vocabulary.keys()])) {
      const term = this.vocabulary.get(text) ?? 0;
      let before = -1;
      for (let at = ends[term] ?? 0; at < (ends[term + 1] ?? 0); at++) {
        writeOccurrence(out, (places[at] ?? 0) - before, flags[at] ?? 0);
        before = places[at] ?? 0;
      }
      if (out.size > 0) pages.add(Buffer.from(text, "utf8"), out.take());
    }
  }

  /** The cell of this term in the passage whose cells begin at `from`. */
  private cellOf(text: string, from: number): number {
    let term = this.vocabulary.get(text);
    if (term === undefined) {
      term = this.vocabulary.size;
      this.vocabulary.set(text, term);
      this.last.push(-1);
    }
    const known = this.last[term] ?? -1;
    if (known >= from) return known;
    if (known < this.begin) this.words++;
    this.last[term] = this.terms.length;
    this.flags.push(0);
    return this.terms.push(term) - 1;
  }

  private addFlags(cell: number, flags: number): void {
    this.flags[cell] = (this.flags[cell] ?? 0) | flags;
  }

  private count(cell: number, form: number): void {
    const flags = (this.flags[cell] ?? 0) | form;
    this.flags[cell] = flags;
    if ((flags & COUNT) < COUNT) this.flags[cell] = flags + 1;
  }
}

/** JavaScript sorts by UTF-16 units, which differs from the order of UTF-8 bytes only for surrogates. */
function inByteOrder(terms: string[]): string[] {
  return /[\ud800-\udfff]/.test(terms.join(""))
    ? terms.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    : terms.sort();
}
