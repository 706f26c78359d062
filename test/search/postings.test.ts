import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteWriter, eachOccurrence, readOccurrences, writeOccurrence } from "../../src/search/postings.ts";

const occurrences = fc.array(
  fc.record({
    step: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(64, 8191, 8192, 2_000_000)),
    flags: fc.oneof(fc.constantFrom(0x21, 0x41, 0x81), fc.integer({ min: 1, max: 255 })),
  }),
  { maxLength: 300 },
);

it("postings read into arrays, after existing values, equal postings read one occurrence at a time", () => {
  fc.assert(
    fc.property(occurrences, fc.nat(3), (list, at) => {
      const out = new ByteWriter();
      for (const { step, flags } of list) writeOccurrence(out, step, flags);
      const bytes = out.take();
      const seen: [number, number][] = [];
      eachOccurrence(bytes, (passage, flags) => seen.push([passage, flags]));
      const passages = new Int32Array(list.length + 4).fill(-7);
      const flags = new Uint8Array(list.length + 4).fill(77);
      const end = readOccurrences(bytes, at, passages, flags);
      expect(end).toBe(at + list.length);
      expect(seen.map(([, flags]) => flags)).toEqual(list.map(({ flags }) => flags));
      expect(seen).toEqual(Array.from(passages.slice(at, end), (one, i) => [one, flags[at + i]]));
      expect([...passages.slice(0, at), ...passages.slice(end)]).toEqual(Array(4).fill(-7));
    }),
  );
});
