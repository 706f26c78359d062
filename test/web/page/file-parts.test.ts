import { expect, it } from "vitest";
import {
  firstShown,
  PART_CHARACTERS,
  PARTS_AT_ONCE,
  partsOf,
} from "../../../src/web/page/parts/text-editor/file-parts.ts";

const textOf = (lines: number) =>
  Array.from({ length: lines }, (_, at) =>
    at % 7 === 6 ? "" : `const value${at} = "${"x".repeat(30)}";`,
  ).join("\n");

it("a file of any size is shown by parts that are all of it, whole lines, and never long", () => {
  const long = textOf(60_000);
  for (const text of [
    "",
    "a",
    "a\n",
    long,
    `${long}\n`,
    "x".repeat(70_001),
    `${"é😀".repeat(30_000)}\nend`,
  ]) {
    const parts = partsOf(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    for (const part of parts) {
      expect(part.text.length).toBeLessThanOrEqual(PART_CHARACTERS);
      expect(part.text.isWellFormed()).toBe(true);
    }
  }
  for (const { text } of partsOf(long).slice(0, -1)) expect(text.endsWith("\n")).toBe(true);
});

it("of a file of 2 MB no more is shown at first than of one of 100 kB", () => {
  const parts = partsOf(textOf(55_000));
  const { from, to } = firstShown(parts, Number.NaN);
  expect([from, to]).toEqual([0, PARTS_AT_ONCE]);
  expect(parts.slice(from, to).reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(100_000);
});

it("a line far down is among what is shown first, with what is before it", () => {
  const lines = textOf(55_000).split("\n");
  const parts = partsOf(lines.join("\n"));
  for (const line of [1, 2, 600, 30_000, 55_000, 99_999]) {
    const { from, to } = firstShown(parts, line);
    const shown = parts
      .slice(from, to)
      .map(({ text }) => text)
      .join("");
    const wanted = Math.min(line, lines.length);
    expect(shown.split("\n")[wanted - (parts[from]?.line ?? 0)]).toBe(lines[wanted - 1]);
    expect(to - from).toBeLessThanOrEqual(PARTS_AT_ONCE);
  }
});
