import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import {
  fixYaml,
  readFrontmatter,
  splitFrontmatter,
} from "../../../../src/sources/rules/parsing/frontmatter.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";

async function values(yaml: string): Promise<unknown> {
  const front = await readFrontmatter(yaml);
  return "problem" in front ? front : front.values;
}

describe("where a frontmatter ends", () => {
  it.each([
    ["---\nname: a\n---\nBody", "name: a\n", "Body"],
    ["\ufeff---\r\nname: a\r\n---\r\nBody\r\n", "name: a\n", "Body"],
    ["---\rname: a\r---\rBody", "name: a\n", "Body"],
    ["---  \nname: a\n---\t\nBody", "name: a\n", "Body"],
    ["---\nname: a\n...\nBody", "name: a\n", "Body"],
    ["---\nname: a --- b\n---\nBody", "name: a --- b\n", "Body"],
    ["---\nname: |\n  ---\n---\nBody", "name: |\n  ---\n", "Body"],
    ["\n \n---\nname: a\n---\nBody", "name: a\n", "Body"],
    ["---\n---\nBody", "", "Body"],
    ["---\nname: a\n---", "name: a\n", ""],
    ["---\nname: a\n---\nBody\n\n---\nmore", "name: a\n", "Body\n\n---\nmore"],
    ["Body\n---\nname: a\n---", undefined, "Body\n---\nname: a\n---"],
    ["----\nBody", undefined, "----\nBody"],
    ["", undefined, ""],
  ])("%j", (text, yaml, body) => {
    expect(splitFrontmatter(text)).toEqual({ yaml, body, unclosed: false });
  });

  it.each(["---", "---\n", "---\nname: a\nBody", "---\nname: a\n ---\nBody"])("nowhere in %j", (text) => {
    expect(splitFrontmatter(text).unclosed).toBe(true);
  });
});

describe("frontmatter that is not YAML but clear", () => {
  it.each([
    ["globs: **/*.ts, src/**", { globs: "**/*.ts, src/**" }],
    ["globs: *.ts\nalwaysApply: false", { globs: "*.ts", alwaysApply: false }],
    ["globs: **/*.js, **/*.ts # all of it", { globs: "**/*.js, **/*.ts" }],
    ["globs:**/*.ts", { globs: "**/*.ts" }],
    ["globs: !src/**", { globs: "!src/**" }],
    ["globs: {src,test}", { globs: "{src,test}" }],
    ["globs: {src,test}/**", { globs: "{src,test}/**" }],
    ["globs: [*.ts, 'a', b]", { globs: ["*.ts", "a", "b"] }],
    ["globs: [id]/*.ts", { globs: "[id]/*.ts" }],
    ["globs:\n  - **/*.ts\n  - {a,b}/**\n  - x", { globs: ["**/*.ts", "{a,b}/**", "x"] }],
    ["globs: [\n  'a',\n  'b',\n]", { globs: ["a", "b"] }],
    ["paths:\n- *.ts\nname: n", { paths: ["*.ts"], name: "n" }],
    ['applyTo: "**/*.ts", "*.js"', { applyTo: '"**/*.ts", "*.js"' }],
    ["description: Note: this", { description: "Note: this" }],
    ["description: 'it's fine'", { description: "'it's fine'" }],
    ['description: "a" and b', { description: '"a" and b' }],
    ["description: @x `y`", { description: "@x `y`" }],
    ["keywords: @plan, /do", { keywords: "@plan, /do" }],
    ["description: R &D\nglobs: *.ts", { description: "R &D", globs: "*.ts" }],
  ])("%j", async (yaml, expected) => {
    expect(await values(yaml)).toEqual(expected);
    expect(await readFrontmatter(yaml)).toMatchObject({ isFixed: true });
  });

  it.each([
    ["globs: &g '*.ts'\npaths: *g", { globs: "*.ts", paths: "*.ts" }],
    ["description: |\n  globs: *.ts\n  - *x", { description: "globs: *.ts\n- *x\n" }],
    ['description: "a\n  b: c"', { description: "a b: c" }],
    ["globs: [\n  'a',\n  'b'\n  ]", { globs: ["a", "b"] }],
    ["globs: !!str 5", { globs: "5" }],
    ["other: {a: b}", { other: { a: "b" } }],
    ["description:\nglobs:\nalwaysApply: true", { description: null, globs: null, alwaysApply: true }],
    ["# a comment\nname: a # another", { name: "a" }],
  ])("%j is left as it is", async (yaml, expected) => {
    expect(await values(yaml)).toEqual(expected);
    expect(await readFrontmatter(yaml)).toMatchObject({ isFixed: false });
  });

  it.each(["a: [", "just text", "- a\n- b", "a: b: c", "name: a\n\tb: c"])(
    "%j stays refused",
    async (yaml) => {
      expect(await readFrontmatter(yaml)).toHaveProperty("problem");
    },
  );

  it("keeps every value that YAML reads as text or a list of texts", () => {
    const bit = fc.constantFrom(
      "a",
      "*",
      "**/",
      " ",
      ": ",
      " #",
      "#",
      "'",
      '"',
      "[",
      "]",
      "{",
      "}",
      ",",
      "-",
      "@",
      "x.ts",
    );
    const value = fc.array(bit, { maxLength: 5 }).map((bits) => bits.join(""));
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom("globs", "description", "other"), value)
        .map(([key, text]) => `${key}: ${text}`),
      value.map((text) => `  - ${text}`),
    );
    // Not "!": a single one is an empty text in YAML, which nobody means.
    let kept = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const before = plain(lines.join("\n"));
        if (before === undefined) return;
        kept++;
        expect(load(fixYaml(lines.join("\n")), { json: true })).toEqual(before);
      }),
      { numRuns: 10_000 },
    );
    expect(kept).toBeGreaterThan(200);
  });

  /** The parsed YAML, if every value is a text, empty, or a list of these. */
  function plain(yaml: string): unknown {
    try {
      const read: unknown = load(yaml, { json: true });
      const isText = (one: unknown) => typeof one === "string" || one === null;
      const isPlain = (one: unknown) => isText(one) || (Array.isArray(one) && one.every(isText));
      return typeof read === "object" && read !== null && Object.values(read).every(isPlain)
        ? read
        : undefined;
    } catch {
      return undefined;
    }
  }
});

it.each([" ", "\t", "'", "[", "{", ",", "- ", "#", "*", ": "])(
  "a long line of %j takes no time",
  async (bit) => {
    const spent = await cpuSeconds(async () => {
      for (const key of ["globs", "description", "other"])
        await readFrontmatter(`${key}: ${bit.repeat(8000)}x`);
      expect(await readFrontmatter(`name: ${bit.repeat(20_000)}`)).toHaveProperty("problem");
    });
    expect(spent).toBeLessThan(3);
  },
);

it("a key given twice has the last value, and is reported", async () => {
  const front = await readFrontmatter("globs: a\nname: n\nglobs: b");
  expect(front).toEqual({ values: { globs: "b", name: "n" }, duplicates: ["globs"], isFixed: false });
});
