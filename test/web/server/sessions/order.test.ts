import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListedSession } from "../../../../src/sources/sessions/indexing/listing.ts";
import { orderOf } from "../../../../src/web/server/sessions/order.ts";

const DAY = 86_400_000;
const NOON = new Date(2026, 10, 16, 12).getTime();

const one = (row: number, modified: number, origin: string | null = null): ListedSession => ({
  row,
  host: "pi",
  id: `s${row}`,
  modified,
  origin,
});

describe("the order of the list", () => {
  it("has forks and continuations below their session, and a family at its newest member", () => {
    const { rows, days } = orderOf([
      one(1, NOON, "s3"),
      one(2, NOON - DAY),
      one(3, NOON - 2 * DAY),
      one(4, NOON - 3 * DAY, "s1"),
      one(5, NOON - 3 * DAY, "unknown"),
    ]);
    expect(rows).toEqual([
      { row: 3, depth: 0 },
      { row: 1, depth: 1 },
      { row: 4, depth: 2 },
      { row: 2, depth: 0 },
      { row: 5, depth: 0 },
    ]);
    const midnight = new Date(2026, 10, 16).getTime();
    expect(days).toEqual([
      { at: midnight, count: 3 },
      { at: new Date(2026, 10, 15).getTime(), count: 1 },
      { at: new Date(2026, 10, 13).getTime(), count: 1 },
    ]);
  });

  it("does not mix sessions of different hosts that have the same id", () => {
    const other = { ...one(2, NOON - 1, "s1"), host: "codex" };
    expect(orderOf([one(1, NOON), other]).rows).toEqual([
      { row: 1, depth: 0 },
      { row: 2, depth: 0 },
    ]);
  });

  it("has every session once, whatever they say they come from, and days that add up", () => {
    const sessions = fc.array(
      fc.record({
        modified: fc.integer({ min: 0, max: 40 * DAY }),
        origin: fc.option(fc.integer({ min: 0, max: 30 })),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(sessions, (given) => {
        const all = given
          .map(({ modified, origin }, row) =>
            one(row, NOON - modified, origin === null ? null : `s${origin}`),
          )
          .sort((a, b) => b.modified - a.modified);
        const { rows, days } = orderOf(all);
        expect(rows.map(({ row }) => row).sort((a, b) => a - b)).toEqual(given.map((_, row) => row));
        expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(given.length);
        expect(days.map(({ at }) => at)).toEqual([...days.map(({ at }) => at)].sort((a, b) => b - a));
        expect(new Set(days.map(({ at }) => at)).size).toBe(days.length);
      }),
    );
  });
});
