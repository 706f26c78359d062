import { expect, it } from "vitest";
import { table, widthOf } from "../../../src/cli/terminal/table.ts";

it.each([
  ["abc", 3],
  ["für", 3],
  ["fu\u0308r", 3],
  ["東京", 4],
  ["한글", 4],
  ["🎉", 2],
  ["a\u200db", 2],
])("%s takes %i columns", (text, columns) => expect(widthOf(text)).toBe(columns));

it("the columns of a table are aligned whatever is in them, without trailing spaces", () => {
  expect(
    table(
      ["a", "b"],
      [
        ["東京", "x"],
        ["abc", ""],
      ],
    ),
  ).toBe("  a     b\n  東京  x\n  abc");
});
