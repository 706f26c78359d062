import { describe, expect, it } from "vitest";
import { keyWords, normalise, overlap, visible } from "../../../src/sources/profile/text.ts";

describe("normalise", () => {
  it.each([
    ["Use PNPM!", "use pnpm"],
    ["  use\n\tpnpm. ", "use pnpm"],
    ["“use” — pnpm…", "use pnpm"],
    ["ｕｓｅ ｐｎｐｍ", "use pnpm"],
    ["u\u200bse pn\u200dpm\ufeff", "use pnpm"],
    ["Don’t use it", "dont use it"],
    ["don't use it", "dont use it"],
    ["ＣＡＦÉ", "cafe\u0301".normalize("NFC")],
  ])("makes %j the same as %j", (text, same) => {
    expect(normalise(text)).toBe(same);
  });

  it("keeps apart what differs in meaning", () => {
    expect(new Set(["use C", "use C++", "use C#", "use node 1.2", "use node 12"].map(normalise)).size).toBe(
      5,
    );
    expect(normalise("# use C")).toBe(normalise("use c"));
    expect(normalise("👍")).not.toBe("");
    expect(normalise("👍")).not.toBe(normalise("👎"));
  });
});

describe("visible", () => {
  it("removes joiners between Latin letters, and keeps them where a script or an emoji needs them", () => {
    expect(visible("a\u200db")).toBe("ab");
    expect(visible("👩\u200d💻 نمی\u200cخواهم")).toBe("👩\u200d💻 نمی\u200cخواهم");
    expect(visible("\u001b[31mred\u001b[0m")).toBe("[31mred[0m");
    expect(visible("\ud800 lone")).toBe("\ufffd lone");
  });

  it("reads a long run of joiners once", () => {
    expect(visible(`é${"\u200d".repeat(200_000)}é`)).toHaveLength(200_002);
    expect(visible(`é${"\u200d".repeat(200_000)}e`)).toBe("ée");
  });
});

describe("keyWords and overlap", () => {
  it("count meaningful words, at the beginning of a word", () => {
    const words = keyWords("Please use the tests in Ω and 猫");
    expect([...words].sort()).toEqual(["tests", "ω", "猫"].sort());
    expect(overlap(keyWords("test"), "contest")).toBe(0);
    expect(overlap(keyWords("test pnpm"), "testing with pnpm")).toBe(2);
    expect(overlap(new Set(), "x")).toBe(0);
  });
});
