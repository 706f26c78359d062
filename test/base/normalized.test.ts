import { describe, expect, it } from "vitest";
import { normalized } from "../../src/base/text.ts";

describe("normalized", () => {
  it.each(["NFC", "NFD", "NFKC", "NFKD"] as const)("equals %s for texts that people write", (form) => {
    for (const text of [
      "",
      "plain",
      "café",
      "cafe\u0301",
      "Ångström",
      "한국어",
      "e\u0301\u0323\u0302",
      "ﬁ",
      "🇨🇭",
      `${"a\u0301".repeat(500)}`,
    ])
      expect(normalized(text, form)).toBe(text.normalize(form));
  });

  it("takes linear time for letters with hundreds of thousands of marks", () => {
    for (const marks of ["\u0315\u0300", "\u0338\u0327\u0300"])
      expect(normalized(`a${marks.repeat(200_000)}b`, "NFC").length).toBeLessThan(40);
  });
});
