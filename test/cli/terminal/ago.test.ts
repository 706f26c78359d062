import { expect, it } from "vitest";
import { ago } from "../../../src/cli/terminal/ago.ts";

const at = (text: string) => new Date(text).getTime(); // local time, as people read it
const NOW = at("2026-11-16T10:00:00");

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
])("%s is %s", (time, words) => expect(ago(at(time), NOW)).toBe(words));

it("shortly after midnight, a time before it is still hours ago", () =>
  expect(ago(at("2026-11-15T22:30:00"), at("2026-11-16T00:40:00"))).toBe("2 h ago"));

it("takes times as they are written in files", () =>
  expect(ago(new Date(NOW - 300_000).toISOString(), NOW)).toBe("5 min ago"));

it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, "", "soon"])("%s is an unknown time", (time) =>
  expect(ago(time, NOW)).toBe("unknown time"),
);
