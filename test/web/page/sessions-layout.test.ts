import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layoutOf, ROW_HEIGHT, rowsBetween, visibleSlots } from "../../../src/web/page/sessions/layout.ts";
import { filterKey, filtersIn } from "../../../src/web/page/sessions/query.ts";

const days = fc
  .array(fc.integer({ min: 1, max: 50 }), { maxLength: 40 })
  .map((counts) => counts.map((count, at) => ({ at, count })));

describe("the places of rows", () => {
  it("are one after the other, each day after its heading, and found both ways", () => {
    fc.assert(
      fc.property(days, (given) => {
        const layout = layoutOf(given);
        const total = given.reduce((sum, { count }) => sum + count, 0);
        expect(layout.slots).toBe(total + given.length);
        const slots = Array.from({ length: layout.slots }, (_, slot) => layout.slotAt(slot));
        const rows = slots.flatMap((slot) => (slot?.kind === "row" ? [slot.index] : []));
        expect(rows).toEqual(Array.from({ length: total }, (_, index) => index));
        for (const index of rows) expect(layout.slotAt(layout.slotOf(index))).toEqual({ kind: "row", index });
        expect([layout.slotAt(-1), layout.slotAt(layout.slots)]).toEqual([undefined, undefined]);
      }),
    );
  });

  it("are drawn only near what is visible, and cover it", () => {
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 0, max: 90_000 }),
        fc.integer({ min: 100, max: 2000 }),
        (given, top, height) => {
          const layout = layoutOf(given);
          const [from, to] = visibleSlots(top, height, layout.slots);
          expect(to - from).toBeLessThanOrEqual(Math.ceil(height / ROW_HEIGHT) + 22);
          expect(from).toBeLessThanOrEqual(to);
          const rows = rowsBetween(layout, from, to);
          for (let slot = from; slot < to; slot++) {
            const found = layout.slotAt(slot);
            if (found?.kind !== "row") continue;
            expect(found.index).toBeGreaterThanOrEqual(rows?.[0] ?? Number.POSITIVE_INFINITY);
            expect(found.index).toBeLessThan(rows?.[1] ?? 0);
          }
        },
      ),
    );
  });
});

describe("filters in the address", () => {
  it("are the known ones, and one key for the same filters", () => {
    const filters = filtersIn({
      host: "pi",
      q: "x",
      project: "",
      unobserved: "yes",
      children: "true",
      other: "1",
    });
    expect(filters).toEqual({ host: "pi", children: "true" });
    expect(filterKey(filtersIn({ children: "true", host: "pi" }))).toBe(filterKey(filters));
    expect(filterKey({ host: "pi" })).not.toBe(filterKey({ branch: "pi" }));
  });
});
