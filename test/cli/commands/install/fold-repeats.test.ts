import { describe, expect, it } from "vitest";
import { foldRepeats } from "../../../../src/cli/commands/install/edit-diff.ts";

function entry(part: number, { sign = "+", timeout = 1, last = false, script = "continuo.cjs" } = {}) {
  const command = `{ [ -e \\"$HOME/.continuo/parts/${part}\\" ] && { o=$(node /x/${script} hook claude-code SessionStart ${part}) }; }`;
  return [
    `${sign}    {`,
    `${sign}      "command": "${command}",`,
    `${sign}      "timeout": ${timeout}`,
    `${sign}    }${last ? "" : ","}`,
  ];
}

const fold = (...lines: string[]) => foldRepeats(lines.join("\n")).split("\n");

describe("the short diff at a question", () => {
  it.each(["+", "-"])("shows the first of entries that differ only in the part number (%s)", (sign) => {
    const others = [entry(3, { sign }), entry(4, { sign, last: true })].flat();
    expect(fold(`${sign}  [`, ...entry(2, { sign }), ...others, `${sign}  ]`)).toEqual([
      `${sign}  [`,
      ...entry(2, { sign }),
      `${sign}    … 2 more entries like this one, for parts 3 and 4 of a text that is too long for one`,
      `${sign}  ]`,
    ]);
    expect(fold(...entry(2, { sign }), ...others, ...entry(5, { sign })).at(-1)).toContain(
      "… 3 more entries like this one, for parts 3 to 5",
    );
  });

  it.each([
    ["another value differs", entry(3, { timeout: 2 })],
    ["the number is not the next", entry(4)],
    ["it is the same entry again", entry(2)],
    ["it is another program's", entry(3, { script: "other.cjs" })],
    ["one line of it is there already", entry(3).map((line, i) => (i === 0 ? line.replace("+", " ") : line))],
    ["it is removed instead of added", entry(3, { sign: "-" })],
  ])("shows everything if %s", (_, second) => {
    const lines = [...entry(2), ...second];
    expect(fold(...lines)).toEqual(lines);
  });

  it("shows entries of other programs, however alike", () => {
    const lines = [2, 3, 4].flatMap((part) => entry(part, { script: "other.cjs" }));
    expect(fold(...lines)).toEqual(lines);
  });
});
