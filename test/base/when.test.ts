import { describe, expect, it } from "vitest";
import { count, localTime, timeAgo } from "../../src/base/when.ts";

const NOW = new Date(2026, 10, 14, 16, 20).getTime();
const HOUR = 3_600_000;

describe("localTime", () => {
  it("gives date and time to the minute", () => {
    expect(localTime(NOW)).toBe("2026-11-14 16:20");
    expect(localTime(new Date(2026, 0, 2, 3, 4).getTime())).toBe("2026-01-02 03:04");
  });

  it("survives a time that is none", () => {
    expect(localTime(Number.NaN)).toBe("unknown time");
  });
});

describe("timeAgo", () => {
  it.each([
    [30_000, "just now"],
    [-HOUR, "just now"],
    [5 * 60_000, "5 min ago"],
    [2.9 * HOUR, "2 h ago"],
    [30 * HOUR, "1 day ago"],
    [75 * HOUR, "3 days ago"],
    [24 * 60 * HOUR, "2026-09-15"],
    [Number.NaN, "unknown time"],
  ])("after %d ms says %s", (passed, said) => {
    expect(timeAgo(NOW - passed, NOW)).toBe(said);
  });
});

describe("count", () => {
  it("has a singular and a plural", () => {
    expect([count(0, "note"), count(1, "note"), count(2, "entry", "entries")]).toEqual([
      "0 notes",
      "1 note",
      "2 entries",
    ]);
  });
});
