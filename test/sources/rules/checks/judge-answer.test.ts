import { describe, expect, it } from "vitest";
import { NOTHING_SO_FAR } from "../../../../src/sources/rules/checks/commands-so-far.ts";
import { judgeStop } from "../../../../src/sources/rules/checks/judge.ts";
import { brokenLines, setOf } from "./judging.ts";

describe("the answer", () => {
  it("must not have a line that matches never, outside of code blocks", async () => {
    const set = await setOf({ answer: { never: "(?i)you're absolutely right" } });
    expect(brokenLines(set, "Done.\nYou're absolutely right!\nBye.")).toEqual(["You're absolutely right!"]);
    expect(brokenLines(set, "```\nYou're absolutely right\n```\nDone.")).toEqual([]);
    expect(brokenLines(set, "~~~ts\nyou're absolutely right\n```\nyou're absolutely right\n~~~")).toEqual([]);
    expect(brokenLines(set, "```\na\n```\nYou're absolutely right.")).toHaveLength(1);
  });

  it("may use typographic quotation marks, and is shown as it was written", async () => {
    const set = await setOf({ answer: { never: "You're" } });
    expect(brokenLines(set, "You’re right, you're not.")).toEqual(["You’re right, you're not."]);
    const typographic = await setOf({ answer: { never: "You’re" } });
    expect(brokenLines(typographic, "You’re right.")).toHaveLength(1);
  });

  it("must have a line that matches must, wherever it is", async () => {
    const set = await setOf({ answer: { must: "^Tests: " } });
    expect(brokenLines(set, "Done.\nTests: 5 passed")).toEqual([]);
    expect(brokenLines(set, "```\nTests: 5 passed\n```")).toEqual([]);
    expect(brokenLines(set, "Done. Tests: 5 passed")).toEqual([""]);
  });

  it("that is empty or unknown is no occasion", async () => {
    const set = await setOf({ answer: { must: "x" } });
    const nothing = { breaches: [], occasions: [] };
    expect(judgeStop(set, { soFar: NOTHING_SO_FAR })).toEqual(nothing);
    expect(judgeStop(set, { answer: " \n", soFar: NOTHING_SO_FAR })).toEqual(nothing);
    expect(judgeStop(set, { answer: "y", soFar: NOTHING_SO_FAR }).occasions).toHaveLength(1);
  });

  it("that is too long is unknown", async () => {
    const set = await setOf({ answer: { never: "x" } });
    expect(judgeStop(set, { answer: "y".repeat(2_000_001), soFar: NOTHING_SO_FAR }).breaches).toMatchObject([
      { isUnknown: true },
    ]);
  });
});
