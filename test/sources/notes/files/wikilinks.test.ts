import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLinks, normaliseConcept } from "../../../../src/sources/notes/files/wikilinks.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";

describe("the name of a concept", () => {
  it.each([
    ["Machine Learning", "machine-learning"],
    ["  a_b/c d ", "a-b-c-d"],
    ["a - _ / b", "a-b"],
    ["--a--", "a"],
    ["Node.js", "node.js"],
    ["C#", "c#"],
    ["a|b", "a|b"],
    ["Ünïcode", "ünïcode"],
    ["ΟΔΟΣ", "οδοσ"],
    ["İstanbul", "İstanbul"],
    ["a\tb", "a\tb"],
    ["\u0085\u00a0a\u3000", "a"],
    ["\ufeffa", "\ufeffa"],
    [" _ / ", ""],
  ])("%j is %j", (given, name) => {
    expect(normaliseConcept(given)).toBe(name);
  });

  it("is stable when normalised again, unless a dash hid white space that .NET would trim", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = normaliseConcept(text);
        fc.pre(!/^\s|\s$|\u0085/.test(once));
        expect(normaliseConcept(once)).toBe(once);
      }),
    );
  });
});

describe("links of a note", () => {
  it.each([
    ["[[A]] and [[b c]] and [[a]]", ["a", "b-c"]],
    ["# Heading [[H]] #\ntext", ["h"]],
    ["Under [[u]]\n===", ["u"]],
    ["[[[x]]] [[[[x]]]] [[x]]] [[]] [x] [[ ]] [[_]]", []],
    ["[[a [[b]] c]]", ["b"]],
    ["[[unclosed and [[b]]", ["b"]],
    ["[[over\ntwo lines]]", ["over\ntwo-lines"]],
    ["![[picture.png]] ![[a.JPG|300]] ![[view.base#Type]] [[view.base]]", []],
    ["![[a note]] [[picture.png]] [[node.js]] ![[v1.2]]", ["a-note", "picture.png", "node.js", "v1.2"]],
    ["[[a|b]] [[c#d]]", ["a|b", "c#d"]],
    ["```\n[[x]]\n```\n[[y]]", ["y"]],
    ["~~~ md\n[[x]]\n```\n[[x]]\n~~~~\n[[y]]", ["y"]],
    ["```\n[[never closed]]", []],
    ["``` a`b\n[[no fence]]", ["no-fence"]],
    ["text\n\n    [[x]]\n\n[[y]]", ["y"]],
    ["text\n    [[goes on]]", ["goes-on"]],
    ["\t[[x]]", []],
    ["- item [[a]]\n\n      [[x]]\n\n  [[b]]", ["a", "b"]],
    ["- item\n\n\t[[b]]", ["b"]],
    ["- \n\n      [[x]]", []],
    ["-\n  [[a]]", ["a"]],
    ["1. ```\n   [[x]]\n   ```\n   [[y]]", ["y"]],
    ["- ```\n  [[x]]\n\n[[y]]", ["y"]],
    ["> [[q]]\nlazy [[l]]", ["q", "l"]],
    ["> ```\n> [[x]]\n[[y]]", ["y"]],
    [">     [[x]]", []],
    ["<div>\n[[x]]\n</div>\n\n[[y]]", ["y"]],
    ["<!-- [[x]]\n\n[[x]] -->\n[[y]]", ["y"]],
    ["<pre>\n\n[[x]]\n</pre>\n[[y]]", ["y"]],
    ["text <b>[[a]]</b>", ["a"]],
    ["`[[x]]` [[y]]", ["y"]],
    ["``[[x]] ` [[x]]`` [[y]]", ["y"]],
    ["` [[a]] `` [[b]]", ["a", "b"]],
    ["\\` [[a]] ` [[b]]", ["a", "b"]],
    ["`code\nover [[x]] lines` [[y]]", ["y"]],
    ["| [[a]] | [[b]] |\n|---|---|", ["a", "b"]],
    ["a\r\n\r\n```\r\n[[x]]\r\n```\r\n[[y]]", ["y"]],
    ["---\n[[a]]\n***\n[[b]]", ["a", "b"]],
  ])("in %j are the concepts %j", (body, concepts) => {
    expect(findLinks(body).concepts).toEqual(concepts);
  });

  it("are also read as in other editors", () => {
    const body = "[[Note]] [[a/Note#Part two|shown]] ![[pic.png|100]] [[#here]] [[t\\|cell]] [[Note]]";
    expect(findLinks(body).links).toEqual([
      { target: "Note", isEmbed: false },
      { target: "a/Note", heading: "Part two", alias: "shown", isEmbed: false },
      { target: "pic.png", alias: "100", isEmbed: true },
      { target: "", heading: "here", isEmbed: false },
      { target: "t", alias: "cell", isEmbed: false },
    ]);
  });

  it("contain what maenifold's pattern finds in any plain line", () => {
    const piece = fc.constantFrom("[", "]", "[[", "]]", "a", "B", " ", "|", "x y");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const line = `t ${pieces.join("")}`;
        const expected = [...line.matchAll(/(?<!\[)\[\[([^[\]]+)\]\](?!\])/g)].map((m) =>
          normaliseConcept(m[1]!),
        );
        expect(findLinks(line).concepts).toEqual([...new Set(expected)].filter((name) => name !== ""));
      }),
    );
  });

  it.each([
    ["ten thousand links", (n: number) => "[[x y]] ".repeat(n)],
    ["unclosed links", (n: number) => "[[a".repeat(n)],
    ["brackets", (n: number) => `${"[".repeat(n)}a${"]".repeat(n)}`],
    ["nested quotes", (n: number) => `${"> ".repeat(n)}[[x]]`],
    ["nested lists and blank lines", (n: number) => `${"- ".repeat(n)}[[x]]${"\n".repeat(n)}`],
    [
      "backticks of every length",
      (n: number) => `[[x]]${Array.from({ length: Math.sqrt(n) * 2 }, (_, i) => "`".repeat(i)).join(" ")}`,
    ],
    ["an endless tag", (n: number) => `[[x]]\n\n<a ${"b ".repeat(n)}`],
    ["spaces in a link", (n: number) => `[[${" ".repeat(n)}a${" ".repeat(n)}b${" ".repeat(n)}]]`],
    ["dashes", (n: number) => `[[x]]\n${"- - -".repeat(n)}x`],
  ])("are found in linear time: %s", (_, make) => {
    const time = (n: number) => {
      const text = make(n);
      return cpuSeconds(() => void findLinks(text));
    };
    time(1000);
    // Twenty times the text. Quadratic would be four hundred times the time; the floor absorbs a collection of garbage.
    expect(time(200_000)).toBeLessThan(Math.max(time(10_000), 0.015) * 100);
  });
});
