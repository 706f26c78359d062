import { describe, expect, it } from "vitest";
import { wordsOf } from "../../src/moments/own-words.ts";
import { cpuSeconds } from "../support/cpu-time.ts";

const LOG = Array.from({ length: 14 }, (_, n) => `2026-11-15 12:00:${n} ERROR request ${n} failed`).join(
  "\n",
);

describe("a prompt's own words", () => {
  it.each([
    [
      "a fenced block",
      "Fix this:\n```ts\nconst a = 1;\n```\nplease",
      "Fix this:\n\nplease",
      ["```ts\nconst a = 1;\n```"],
    ],
    ["a fence that is never closed", "Look:\n~~~\nhalf", "Look:", ["~~~\nhalf"]],
    ["quoted lines", "> you said so\n> twice\nNo, I did not.", "No, I did not.", ["> you said so\n> twice"]],
    [
      "an attached file",
      'Why?\n<file path="a">\ntext\n</file>\nTell me.',
      "Why?\n\nTell me.",
      ['<file path="a">\ntext\n</file>'],
    ],
    ["a long log", `It fails with\n\n${LOG}\n\nsince Monday`, "It fails with\n\nsince Monday", [LOG]],
  ])("exclude %s, which is returned separately", (_, prompt, own, quoted) => {
    expect(wordsOf(prompt)).toEqual({ own, quoted });
  });

  it.each([
    "Use `inline code` and a > b comparisons.",
    "a list:\n- one\n- two\n- three",
    Array.from({ length: 20 }, (_, n) => `Sentence ${n} of a long text that a person wrote.`).join("\n"),
    "if a < b and <name> is a placeholder",
  ])("keep what a person writes: %s", (prompt) => {
    expect(wordsOf(prompt)).toEqual({ own: prompt, quoted: [] });
  });

  it("are found in reasonable time in a long prompt of punctuation only", () => {
    const spent = cpuSeconds(() => {
      for (const sign of ["`", "~", ">", "<file ", "\n", "> \n", "```\n"]) wordsOf(sign.repeat(20_000));
    });
    expect(spent).toBeLessThan(5);
  });
});
