import { expect, it } from "vitest";
import { percent, trendOf } from "../../../src/web/page/rules/trend.ts";

it("a share is never rounded to none or all", () => {
  expect([0, 0.001, 0.08, 0.995, 1].map(percent)).toEqual(["0%", "under 1%", "8%", "99%", "100%"]);
});

it("says how the last week compares with the one before", () => {
  expect(trendOf({ lastWeek: 0.1, weekBefore: 0.5 })).toEqual(["10%, before 50%", "better"]);
  expect(trendOf({ lastWeek: 0.5, weekBefore: 0.1 })).toEqual(["50%, before 10%", "worse"]);
  expect(trendOf({ lastWeek: 0.12, weekBefore: 0.1 })).toEqual(["12%, before 10%"]);
});

it("says so if there was nothing to look at", () => {
  expect(trendOf({})).toEqual(["no occasion"]);
  expect(trendOf({ weekBefore: 0 })).toEqual(["no occasion, before 0%"]);
  expect(trendOf({ lastWeek: 0 })).toEqual(["0%"]);
});
