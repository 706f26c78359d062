import { expect, it } from "vitest";
import type { Outline, OutlineMark } from "../../../src/web/api/conversation.ts";
import { elapsed } from "../../../src/web/page/core/format.ts";
import { nextMark, PLACES, placesOf, shareAt } from "../../../src/web/page/session/marks.ts";

const mark = (kind: OutlineMark["kind"], place: number, text = "x"): OutlineMark => ({
  ...{ kind, place, text, turn: `t${place}`, at: place * 1000 },
});
const outline = (turns: number, ...marks: OutlineMark[]): Outline => ({ turns, marks, prompts: [] });

it("marks that are near each other are one place, named by what is in it", () => {
  const places = placesOf(
    outline(4_000, mark("failed", 10), mark("failed", 20), mark("broken", 30, "money.md")),
  );
  expect(places).toMatchObject([{ at: 0, kind: "broken", label: "1 broken rule, 2 failed calls" }]);
  expect(placesOf(outline(4_000, mark("broken", 30, "money.md")))[0]?.label).toMatch(
    /broken rule: money\.md$/,
  );
});

it("5,000 failed calls need no more places than there are", () => {
  const all = Array.from({ length: 5_000 }, (_, i) => mark("failed", i));
  const places = placesOf(outline(5_000, ...all));
  expect(places).toHaveLength(PLACES);
  expect(places.flatMap(({ marks }) => marks)).toHaveLength(5_000);
});

it("the next and the previous mark are found from a time", () => {
  const all = outline(100, mark("failed", 10), mark("compaction", 50));
  expect(nextMark(all, 10_000, 1)?.place).toBe(50);
  expect(nextMark(all, 50_000, -1)?.place).toBe(10);
  expect(nextMark(all, 50_000, 1)).toBeUndefined();
  expect(nextMark(all, mark("failed", 10), 1)?.place).toBe(50);
  expect(nextMark(all, mark("failed", 10), -1)).toBeUndefined();
  expect(nextMark(all, undefined, -1)?.place).toBe(50);
});

it("a time is placed between the turns whose places are known", () => {
  const all = outline(100, mark("failed", 20), mark("failed", 60));
  expect(shareAt(all, 40_000)).toBeCloseTo(0.4);
  expect(shareAt(all, 0)).toBe(0);
  expect(shareAt(all, 90_000)).toBeCloseTo(0.6);
  expect(shareAt(outline(0), 1)).toBeUndefined();
});

it.each([
  [0, "0.0 s"],
  [3_420, "3.4 s"],
  [59_400, "59 s"],
  [125_000, "2 min 5 s"],
  [120_000, "2 min"],
  [4_200_000, "1 h 10 min"],
])("%d ms is %s", (ms, text) => {
  expect(elapsed(ms)).toBe(text);
});
