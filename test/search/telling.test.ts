import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf, weightOf } from "../../src/search/telling.ts";

const texts = (text: string) => sentencesOf(text).map((one) => one.text);

describe("sentencesOf", () => {
  it("splits prose and list items, and leaves out headings, code and tables", () => {
    const text = `# Title\n\nUse Node 20.11 for now. The build fails in \`src/a.ts\`!\n\n- first item\n2. second\n\n| a | b |\n\`\`\`ts\nconst x = 1.\n\`\`\`\nEnd of it`;
    expect(texts(text)).toEqual([
      "Use Node 20.11 for now.",
      "The build fails in `src/a.ts`!",
      "first item",
      "second",
      "End of it",
    ]);
  });

  it("splits Chinese and Japanese sentences", () => {
    expect(texts("测试还没有通过。明天继续。")).toEqual(["测试还没有通过。", "明天继续。"]);
  });

  it("takes bounded time and gives bounded sentences for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (text) => {
        const found = sentencesOf(text);
        expect(found.length).toBeLessThanOrEqual(60);
        for (const { text: one } of found) expect(one).not.toMatch(/[\n\r]/);
      }),
    );
    for (const hostile of [
      "```".repeat(50_000),
      ". ".repeat(50_000),
      "*".repeat(100_000),
      " ".repeat(100_000),
    ])
      expect(sentencesOf(hostile).length).toBeLessThanOrEqual(60);
  });
});

describe("weightOf", () => {
  it.each([
    ["The test `null_vs_empty_map` still fails.", "All of this is really quite nice."],
    ["Decided: only the webhook sets an order to paid.", "I had a look at the code for a while."],
    ["Noch offen: die Migration 0014.", "Das war eine gute Idee von uns."],
    ["测试还没有通过 `cart.ts`", "好的谢谢你"],
  ])("is higher for %s than for %s", (telling, dull) => {
    expect(weightOf(telling)).toBeGreaterThan(weightOf(dull));
  });
});
