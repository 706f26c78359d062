import { describe, expect, it } from "vitest";
import { aboutHidden, showDiff } from "../../../src/cli/terminal/diff.ts";

describe("the diff of an edit", () => {
  it("shows an added and a removed line whole, also in a file of one line", async () => {
    const before = `{"model":"opus","env":{"TOKEN":"hunter2-hunter2"},"list":[${"1,".repeat(300)}1]}`;
    const after = before.replace(/\}$/, ',"hooks":{"SessionStart":[{"command":"run","timeout":10}]}}');
    const diff = await showDiff({ file: "settings.json", before, after });
    expect(diff).toContain('"timeout":10}]}}');
    expect(diff).toContain(`${"1,".repeat(300)}1]}\n`);
    expect(diff).not.toContain("hunter2");
    expect(aboutHidden(diff)).toContain("do not change");
  });

  it("says nothing of hidden values where none is hidden", async () => {
    const diff = await showDiff({ file: "a.json", before: undefined, after: '{\n  "a": "b"\n}\n' });
    expect(aboutHidden(diff)).toBeUndefined();
  });

  it("says how much of a very long line it does not show", async () => {
    const diff = await showDiff({ file: "a.json", before: "", after: "1".repeat(50_000) });
    expect(diff.length).toBeLessThan(21_000);
    expect(diff).toMatch(/… \(30001 more characters of this line are not shown\)/);
  });

  it("cuts a long line that only surrounds the edit", async () => {
    const long = "1".repeat(1000);
    const diff = await showDiff({ file: "a", before: `${long}\n`, after: `${long}\nnew\n` });
    expect(diff).toContain("+new");
    expect(diff).not.toContain("1".repeat(400));
  });
});
