import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { readSimpleYaml } from "../../src/markdown/frontmatter.ts";

function real(yaml: string): unknown {
  try {
    return load(yaml);
  } catch {
    return "an error"; // the full parser refuses it, so this one must not give a result
  }
}

describe("readSimpleYaml", () => {
  it.each([
    "name: money\npriority: 10",
    "globs: [\"src/**/*.ts\", '*.tsx']\nalwaysApply: false",
    'keywords:\n  - alpha beta\n  - "x, y"\nmatch: all',
    "tools: [Bash, Read]",
    "title: A note\ncreated: 2026-01-29T08:15:30.1239567Z\nmodified: 2026-01-29T08:15:30Z",
    "globs: []",
    "paths:\n- a\n- b",
    "description:\nglobs:\nalwaysApply: false",
    "# a comment\nname: a\n  # another\nglobs:\n  # and one\n  - a",
    "description: Rules (for a, b & c); {x}, it's *fine* — 100%!",
  ])("reads %j itself", (yaml) => {
    expect(readSimpleYaml(yaml)).toEqual(real(yaml));
  });

  it.each([
    "globs: *.ts",
    "a: {b: c}",
    "a: |\n  text",
    "a: b: c",
    "a: 2024-01-01",
    "a: yes",
    "a: 1.5",
    "a:\n  b: c",
    "a: x # y",
    "a: 1\na: 2",
    "- a",
    "a: 007",
    "a: [b, [c]]",
    "a: [b c d,]",
    'a: "\\n"',
  ])("leaves %j to the full parser", (yaml) => {
    const mine = readSimpleYaml(yaml);
    if (mine !== undefined) expect(mine).toEqual(real(yaml));
  });

  it("agrees with the full parser wherever it gives a result, for any frontmatter", () => {
    const word = fc.constantFrom(
      "a",
      "src/**",
      "*.ts",
      "yes",
      "null",
      "1",
      "01",
      "1.0",
      "x y",
      "'q'",
      "a, b (c) 'd' {e} & *f* g! — é?",
      "a #b",
      "a#b",
      "a: b",
      "a:",
      "a | b > c",
      '"q"',
      "'it''s'",
      "[a, b]",
      "[a,'b, c']",
      "[",
      "]",
      "{a}",
      "#",
      "- d",
      "~",
      "true",
      "True",
      "1e3",
      "0x1",
      "",
      ":",
      "a:b",
      '"',
      "é",
      "&a",
      "!t",
      "|",
      ">",
      "2001-01-01",
      "12:30",
      "2026-01-29T08:15:30.9Z",
      "2026-02-30T08:15:30Z",
    );
    const line = fc.oneof(
      fc
        .tuple(
          fc.constantFrom("k", "name", "globs", "a-b", "x", "y", "1k", " k"),
          word,
          fc.oneof({ weight: 5, arbitrary: fc.constant("") }, word),
        )
        .map(([key, a, b]) => `${key}: ${a}${b}`),
      word.map((item) => `  - ${item}`),
      word.map((item) => `- ${item}`),
      fc.constantFrom("globs:", "", "k:", "...", "# c", " # c", "  a: b", "  a"),
    );
    let answered = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const yaml = lines.join("\n");
        const mine = readSimpleYaml(yaml);
        // The full parser refuses a text without any value; here it is a frontmatter without keys.
        if (mine === undefined || /^\s*(#.*\s*)*$/.test(yaml)) return;
        answered++;
        expect(mine).toEqual(real(yaml));
      }),
      { numRuns: 10_000 },
    );
    expect(answered).toBeGreaterThan(40);
  });
});
