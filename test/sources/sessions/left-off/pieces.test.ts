import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { weightOf } from "../../../../src/search/telling.ts";
import { standingPieces } from "../../../../src/sources/sessions/left-off/pieces.ts";
import { tokenBound } from "../../../../src/sources/sessions/left-off/token-bound.ts";
import type { Standing } from "../../../../src/sources/sessions/standing/standing.ts";
import { toolFactsOf } from "../../../../src/sources/sessions/standing/tool-facts.ts";

const ABOUT = { name: "", files: "", isYoung: false, isGitKnown: true };

function reporting(...results: string[]): Standing {
  const sentence = (text: string) => ({ by: "agent" as const, text, weight: weightOf(text), age: 1 });
  const said = { asked: [], results: results.map(sentence), open: [], causes: [], decisions: [] };
  const facts = toolFactsOf([]);
  return { goal: "", isOpen: false, question: "", facts, isWhole: false, said, isWork: true };
}

const keptOf = (standing: Standing, kept: number) =>
  standingPieces(standing, ABOUT, { kept, spare: 0 }, 400).kept.map(({ text }) => text);

describe("what is told of a session within a number of tokens", () => {
  it("prefers what says most, and repeats nothing", () => {
    const standing = reporting(
      "The sorting isn't written yet.",
      "Nice work.",
      "Deadlock in `create_pending_order` with 50 users.",
      "Is the sorting written?",
    );
    expect(keptOf(standing, 45).toSorted()).toEqual([
      "Deadlock in `create_pending_order` with 50 users.",
      "The sorting isn't written yet.",
    ]);
  });

  it("never costs more", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 80 })), fc.integer({ min: 0, max: 200 }), (all, room) => {
        const kept = keptOf(reporting(...all), room);
        expect(kept.reduce((sum, text) => sum + tokenBound(text), 0)).toBeLessThanOrEqual(room);
      }),
    );
  });
});
