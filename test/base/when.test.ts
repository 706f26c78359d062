import { describe, expect, it } from "vitest";
import { ago, count, localTime } from "../../src/base/when.ts";

const NOW = new Date(2026, 10, 14, 16, 20).getTime();

describe("localTime", () => {
  it("gives date and time to the minute", () => {
    expect(localTime(NOW)).toBe("2026-11-14 16:20");
    expect(localTime(new Date(2026, 0, 2, 3, 4).getTime())).toBe("2026-01-02 03:04");
  });

  it("survives a time that is none", () => {
    expect(localTime(Number.NaN)).toBe("unknown time");
  });
});

describe("ago", () => {
  const at = (text: string) => new Date(text).getTime(); // local time, as people read it
  const MORNING = at("2026-11-16T10:00:00");

  it.each([
    ["2026-11-16T09:59:30", "just now"],
    ["2026-11-16T10:00:30", "just now"],
    ["2026-11-16T09:55:00", "5 min ago"],
    ["2026-11-16T07:00:00", "3 h ago"],
    ["2026-11-16T00:30:00", "9 h ago"],
    ["2026-11-15T23:00:00", "yesterday"],
    ["2026-11-15T00:10:00", "yesterday"],
    ["2026-11-14T23:00:00", "2 days ago"],
    ["2026-11-10T10:00:00", "6 days ago"],
    ["2026-11-09T10:00:00", "9 Nov"],
    ["2025-11-12T10:00:00", "12 Nov 2025"],
    ["2027-01-02T10:00:00", "2 Jan 2027"],
  ])("%s is %s", (time, words) => expect(ago(at(time), MORNING)).toBe(words));

  it("shortly after midnight, a time before it is still hours ago", () =>
    expect(ago(at("2026-11-15T22:30:00"), at("2026-11-16T00:40:00"))).toBe("2 h ago"));

  it("takes times as they are written in files", () =>
    expect(ago(new Date(MORNING - 300_000).toISOString(), MORNING)).toBe("5 min ago"));

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, "", "soon"])("%s is an unknown time", (time) =>
    expect(ago(time, MORNING)).toBe("unknown time"),
  );
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
