import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mentionsIn } from "../../../../src/hosts/shared/mentions/parse-mentions.ts";

const all = (prompt: string) => [...mentionsIn(prompt)];

describe("mentionsIn", () => {
  it.each<[string, string[][]]>([
    ["explain @src/a.ts", [["src/a.ts"]]],
    ["@src/a.ts\nand\t@./b.ts", [["src/a.ts"], ["./b.ts"]]],
    ["is it @src/a.ts?", [["src/a.ts?", "src/a.ts"]]],
    ["看 @src/a.ts，谢谢", [["src/a.ts，谢谢", "src/a.ts"]]],
    ["@src/a.ts#L1-10, please", [["src/a.ts#L1-10,", "src/a.ts#L1-10", "src/a.ts"]]],
    ["@src/c#/a.ts#L3", [["src/c#/a.ts#L3", "src/c#/a.ts"]]],
    ['@"src/my file.ts" and @"b.ts"#L1', [["src/my file.ts"], ["b.ts"]]],
    ['@"not closed\n"', [['"not']]],
    ["@@src/a.ts", []],
    ["@@@src/a.ts @ @", []],
    ["sam@src/a.ts (@src/b.ts) `@src/c.ts`", []],
    ["@...", [["..."]]],
  ])("finds in %j %j", (prompt, mentions) => {
    expect(all(prompt)).toEqual(mentions);
  });

  const word = fc.stringMatching(/^[\w.\-/[\]()$+~]{1,30}$/);
  const words = fc.array(fc.stringMatching(/^[^@"]{0,12}$/), { maxLength: 5 }).map((some) => some.join(" "));

  it("gives every path as it is written, whatever is around it", () => {
    fc.assert(
      fc.property(
        words,
        word,
        fc.stringMatching(/^[^@"\r\n]{1,30}$/),
        words,
        (before, bare, quoted, after) => {
          const found = all(`${before} @${bare} @"${quoted}" ${after}`);
          expect(found.map(([first]) => first)).toEqual([bare, quoted]);
        },
      ),
    );
  });

  it("gives only what stands behind an @, in order, and reads no character for two mentions", () => {
    const hostile = fc.array(fc.constantFrom("@", '"', "#", " ", "\n", "a", ".", "é", "\\", "\u0000"), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(hostile, (characters) => {
        const prompt = characters.join("");
        let from = 0;
        for (const [first = "", ...rest] of mentionsIn(prompt)) {
          const isHere = (at: number) =>
            /(^|\s)@$/.test(prompt.slice(0, at)) &&
            (prompt.startsWith(first, at) || prompt.startsWith(`"${first}"`, at));
          while (from <= prompt.length && !isHere(from)) from++;
          expect(from).toBeLessThan(prompt.length);
          for (const one of rest) expect(one !== "" && first.startsWith(one)).toBe(true);
          from += first.length;
        }
      }),
    );
  });

  it.each(["@", "@a", '@"', '@"a', "@ ", "\n@", "@a#", "@\u0000", '" @"'])(
    "gives no more than a megabyte of %j has",
    (piece) => {
      let characters = 0;
      for (const [first = ""] of mentionsIn(piece.repeat(1_000_000 / piece.length)))
        characters += first.length;
      expect(characters).toBeLessThan(1_000_000);
    },
  );
});
