import { expect, it } from "vitest";
import { current, effectOf, stillPending } from "../../../src/web/page/suggestions/queue.ts";

const all = ["a", "b", "c"].map((id) => ({ id }));

it("what was decided in this page is gone, though the server's list still has it", () => {
  expect(stillPending(all, new Set(["b"]))).toEqual([{ id: "a" }, { id: "c" }]);
});

it("the chosen one stays chosen wherever it moves", () => {
  expect(current(all.toReversed(), { id: "a", at: 0 })).toEqual({ one: { id: "a" }, at: 2 });
});

it("if it is gone, the one at its place is next, or the last", () => {
  expect(current([{ id: "a" }, { id: "c" }], { id: undefined, at: 1 })?.one.id).toBe("c");
  expect(current([{ id: "a" }], { id: "b", at: 1 })?.one.id).toBe("a");
  expect(current([], { id: "b", at: 1 })).toBeUndefined();
});

it("says for which projects an accepted suggestion holds", () => {
  expect(effectOf({ project: "shop" }, "project")).toContain("only in shop");
  expect(effectOf({ project: "shop" }, "everywhere")).toContain("for all projects");
  // Nobody knows the project: it cannot be limited to it.
  expect(effectOf({}, "project")).toContain("for all projects");
});
