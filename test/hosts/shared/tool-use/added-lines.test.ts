import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addedHunks } from "../../../../src/hosts/shared/tool-use/added-lines.ts";

const added = (before: string, after: string) => addedHunks(before, after).map(({ text }) => text);

describe("the lines that a replacement adds", () => {
  it.each<[what: string, before: string, after: string, hunks: string[]]>([
    ["all of them, if nothing is replaced", "", "a\nb\n", ["a\nb"]],
    ["none, if nothing changes", "a\nb", "a\nb", []],
    ["none, if lines are only removed", "a\nb\nc", "a\nc", []],
    ["none, if everything is removed", "a\nb", "", []],
    ["a new line between old ones", "a\nc", "a\nb\nc", ["b"]],
    ["a line that changed, in its new form", "const a = 1;", "const a: any = 1;", ["const a: any = 1;"]],
    ["those at several places", "a\nb\nc", "x\na\ny\nb\nc\nz", ["x", "y", "z"]],
    ["none that only moved", "a\nb\nc", "c\na\nb", []],
    ["a second one of the same", "a\nb", "a\nb\na", ["a"]],
    ["none, if only the line ends differ", "a\r\nb\r\n", "a\nb\n", []],
    ["none, if only a line feed is added at the end", "a", "a\n", []],
  ])("are %s", (_, before, after, hunks) => {
    expect(added(before, after)).toEqual(hunks);
  });

  const lines = fc.array(fc.constantFrom("a", "b", "c", "  d", "", "any"), { maxLength: 30 });

  it("are lines of the new text, as often as it has more of them than the old one", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = added(before.join("\n"), after.join("\n")).join("\n").split("\n");
        for (const line of ["a", "b", "c", "  d", "any"]) {
          const count = (all: readonly string[]) => all.filter((one) => one === line).length;
          expect(count(found), line).toBe(Math.max(0, count(after) - count(before)));
        }
      }),
    );
  });

  it("are all lines of a text that is too long to be compared", () => {
    const long = "the same line\n".repeat(400_000);
    expect(addedHunks(long, `${long}x`)[0]?.text).toHaveLength(long.length + 1);
  });

  it("are found in texts of many equal lines", () => {
    const same = "}\n".repeat(200_000);
    expect(added(`a\n${same}b`, `c\n${same}${same}d`).join("\n").split("\n")).toHaveLength(200_002);
  });
});
