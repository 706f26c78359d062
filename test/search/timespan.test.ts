import { expect, it } from "vitest";
import { parseTimespan } from "../../src/search/timespan.ts";

const HOUR = 3_600_000;

it.each([
  ["24h", 24 * HOUR],
  ["7d", 168 * HOUR],
  ["30m", HOUR / 2],
  ["1.5h", 1.5 * HOUR],
  ["1.00:00:00", 24 * HOUR],
  ["24.00:00:00", 24 * 24 * HOUR],
  ["02:30", 2.5 * HOUR],
  ["00:00:01.5", 1500],
])("reads the time span %s", (text, expected) => {
  expect(parseTimespan(text)).toBe(expected);
});

it.each(["", "soon", "24", "24:00:00", "1.2.3", "-1h", "1e9d", "00:61:00"])(
  "refuses %j and says what to write",
  (text) => {
    expect(() => parseTimespan(text)).toThrow(expect.objectContaining({ code: "timespan-invalid" }));
  },
);
