import { expect, it } from "vitest";
import { slowestFiles } from "./slowest.ts";

const files = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ file: `f${i}.ts`, ms: i * 1000 }));

it("ten files are listed, the slowest first", () => {
  const lines = slowestFiles(files(30)).split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe("Slowest 10 of 30 files:");
  expect(lines[1]).toBe("  29.0 s  f29.ts");
});

it("a run of a few files lists none", () => expect(slowestFiles(files(5))).toBe(""));
