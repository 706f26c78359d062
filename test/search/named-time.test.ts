import { expect, it } from "vitest";
import { namedTime, timeOf } from "../../src/search/timespan.ts";

/** A Thursday. */
const NOW = new Date(2026, 10, 19, 15, 30).getTime();

const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month - 1, day, hour, minute).getTime();

it.each([
  ["now", NOW],
  ["today", local(2026, 11, 19)],
  ["yesterday", local(2026, 11, 18)],
  ["Since yesterday", local(2026, 11, 18)],
  ["this week", local(2026, 11, 16)],
  ["last week", local(2026, 11, 9)],
  ["last_week", local(2026, 11, 9)],
  ["previous month", local(2026, 10, 1)],
  ["this year", local(2026, 1, 1)],
  ["last year", local(2025, 1, 1)],
  ["monday", local(2026, 11, 16)],
  ["last thursday", local(2026, 11, 12)],
  ["friday", local(2026, 11, 13)],
  ["2 days ago", local(2026, 11, 17)],
  ["three days ago", local(2026, 11, 16)],
  ["last 3 days", local(2026, 11, 16)],
  ["the past two weeks", local(2026, 11, 5)],
  ["a month ago", local(2026, 10, 19)],
  ["an hour ago", local(2026, 11, 19, 14, 30)],
  ["last 90 minutes", local(2026, 11, 19, 14, 0)],
  ["7 days", local(2026, 11, 12)],
])("takes %j as a time", (words, expected) => {
  expect(namedTime(words, NOW)).toBe(expected);
  expect(timeOf(words, NOW)).toBe(expected);
});

it("knows the last day of a shorter month", () => {
  expect(namedTime("a month ago", local(2026, 3, 31, 9))).toBe(local(2026, 2, 28));
});

it.each(["", "a while", "soon", "a week", "tomorrow", "next week", "999999 years ago", "last", "7d"])(
  "leaves %j to others",
  (words) => expect(namedTime(words, NOW)).toBeUndefined(),
);
