import { expect, it } from "vitest";
import { localTime, timeTyped } from "../../../src/web/page/given/typed-time.ts";

const BEFORE = "2026-11-18 14:05:09";

it.each([
  ["9:30", new Date(2026, 10, 18, 9, 30)],
  ["09:30:05", new Date(2026, 10, 18, 9, 30, 5)],
  ["2026-11-17 23:59", new Date(2026, 10, 17, 23, 59)],
  [" 2026-11-17T23:59:01 ", new Date(2026, 10, 17, 23, 59, 1)],
])("takes %s as a local time", (typed, expected) => {
  expect(timeTyped(typed, BEFORE)).toBe(expected.getTime());
});

it.each(["", "yesterday", "11/18/2026 02:05 PM", "25:00", "2026-13-01 10:00"])("%j is no time", (typed) => {
  expect(timeTyped(typed, BEFORE)).toBeUndefined();
});

it("shows a time in the form that it takes", () => {
  const at = new Date(2026, 10, 18, 14, 5, 9);
  expect(localTime(at.toISOString())).toBe(BEFORE);
  expect(timeTyped(BEFORE, "")).toBe(at.getTime());
  expect(localTime("nothing")).toBe("");
});
