import { describe, expect, it } from "vitest";
import { ngramSimilarity } from "../../src/search/rank/rerank.ts";

const first = (query: string, texts: readonly string[]): string | undefined => {
  const near = ngramSimilarity(query, texts);
  return texts[near.indexOf(Math.max(...near))];
};

const OTHERS = ["nothing of the kind is said here", "prices are rounded half to even"];

describe("n-gram similarity", () => {
  it("is higher for a word inside a longer one than without the word", () => {
    expect(first("deadlock", [...OTHERS, "two undeadlocked workers"])).toBe("two undeadlocked workers");
  });

  it("is higher for neighbouring words than for the same words apart", () => {
    const together = "we keep the shadow branch and clean it";
    const apart = "the branch is kept and its shadow clean";
    expect(first("shadow branch", [...OTHERS, apart, together])).toBe(together);
  });

  it("treats a name as its words, however they are joined", () => {
    const [hump, line, spaced] = ngramSimilarity("user name", ["userName", "user_name", "User  name"]);
    expect([hump, line]).toEqual([spaced, spaced]);
    expect(spaced).toBeGreaterThan(0);
  });

  it("counts rare n-grams more than common ones", () => {
    const texts = ["test one", "test two", "test three", "parser"];
    const near = ngramSimilarity("test parser", texts);
    expect(near[3]).toBeGreaterThan(near[0] ?? 1);
  });

  it("is between 0 and 1, also for an empty text or query, other scripts and repetition", () => {
    for (const query of ["", "ab", "四舍五入 の", "İstanbul", "test ".repeat(400)]) {
      for (const near of ngramSimilarity(query, [
        "",
        "test",
        "四舍五入 の",
        "test ".repeat(400),
        "İstanbul",
      ])) {
        expect(near).toBeGreaterThanOrEqual(0);
        expect(near).toBeLessThanOrEqual(1);
      }
    }
    expect(ngramSimilarity("anything", [])).toEqual([]);
  });

  it("finds scripts that have no spaces and no case", () => {
    expect(first("価格を丸める", [...OTHERS, "ここで価格を丸めるのはなぜ"])).toBe(
      "ここで価格を丸めるのはなぜ",
    );
  });
});
