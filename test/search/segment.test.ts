import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeSome } from "../../src/search/merge.ts";
import { ByteWriter, eachOccurrence, writeOccurrence } from "../../src/search/postings.ts";
import { addSegment, allSegments, listOf, SEGMENT_SCHEMA } from "../../src/search/segment.ts";
import { openDatabase } from "../../src/store/sqlite/open.ts";
import type { Database } from "../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../support/world.ts";

const PASSAGES = 3000;
const term = fc.oneof(
  fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom("a", "b", "é", "\uffee", "𠮷") }),
  fc.constantFrom("a".repeat(15), "a".repeat(16), "a".repeat(31)),
);
/** Passages with rare and common terms, with and without flags. */
const flags = fc.oneof(fc.constantFrom(0x21, 0x41, 0x81), fc.integer({ min: 1, max: 255 }));
const lists = fc.dictionary(term, fc.tuple(fc.constantFrom(1, 2, 700, 2999), flags), {
  maxKeys: 40,
  noNullPrototype: true,
});

function segmentOf(db: Database, terms: Readonly<Record<string, readonly [number, number]>>): void {
  const passages = { notes: new Int32Array(PASSAGES).fill(1), lengths: new Uint16Array(PASSAGES) };
  addSegment(db, passages, (pages) => {
    const sorted = Object.keys(terms).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const text of sorted) {
      const out = new ByteWriter();
      let before = -1;
      for (const at of placesOf(terms[text]?.[0] ?? 1)) {
        writeOccurrence(out, at - before, terms[text]?.[1] ?? 1);
        before = at;
      }
      pages.add(Buffer.from(text), out.take());
    }
  });
}

const placesOf = (step: number): number[] =>
  Array.from({ length: Math.ceil(PASSAGES / step) }, (_, i) => i * step);

it("a segment returns the postings of each of its terms and of no others, merged or not", () => {
  const folder = temporaryFolder();
  let run = 0;
  fc.assert(
    fc.property(fc.array(lists, { minLength: 1, maxLength: 8 }), term, (segments, other) => {
      const db = openDatabase(join(folder, `${run++}.db`));
      db.exec(SEGMENT_SCHEMA);
      for (const terms of segments) segmentOf(db, terms);
      if (segments.length === 8) expect(mergeSome(db)).toBe(true);
      const stored = allSegments(db);
      expect(stored).toHaveLength(segments.length === 8 ? 1 : segments.length);
      for (const text of new Set([other, ...segments.flatMap((terms) => Object.keys(terms))])) {
        const found: string[] = [];
        let base = 0;
        for (const { id, notes } of stored) {
          const list = listOf(db, id, Buffer.from(text));
          if (list !== undefined) eachOccurrence(list, (at, flags) => found.push(`${base + at} ${flags}`));
          base += notes.length;
        }
        const wanted = segments.flatMap((terms, i) => {
          const [step, flags] = terms[text] ?? [0, 0];
          return step === 0 ? [] : placesOf(step).map((at) => `${i * PASSAGES + at} ${flags}`);
        });
        expect(found).toEqual(wanted);
      }
      db.close();
    }),
    { numRuns: 25 },
  );
});
