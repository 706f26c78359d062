import { expect } from "vitest";

/** Makes this file's comparisons of tool calls compare what they add to files, instead of the functions that find it. */
export function compareEdits(): void {
  expect.addEqualityTesters([
    function (
      this: { equals(a: unknown, b: unknown, testers?: unknown[]): boolean },
      a: unknown,
      b: unknown,
      testers,
    ) {
      if (!hasEdits(a) || !hasEdits(b)) return undefined;
      return this.equals({ ...a, edits: a.edits() }, { ...b, edits: b.edits() }, testers);
    },
  ]);
}

function hasEdits(value: unknown): value is { edits(): unknown } {
  return typeof value === "object" && value !== null && "edits" in value && typeof value.edits === "function";
}
