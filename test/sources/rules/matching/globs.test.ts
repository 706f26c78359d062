import { posix } from "node:path";
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { isMatch } from "../../../../src/sources/rules/matching/glob-matcher.ts";
import { toBranchPatterns, toPatterns } from "../../../../src/sources/rules/matching/globs.ts";

async function matches(glob: string, path: string): Promise<boolean> {
  const patterns = await toPatterns(glob);
  if (patterns === undefined) throw new Error(`${glob} is not taken`);
  return patterns.some((pattern) => isMatch(pattern, path, { left: 1e6 }));
}

describe("what a pattern matches", () => {
  it.each([
    ["*.ts", ["a.ts", "src/deep/a.ts", ".ts"], ["a.tsx", "ats"]],
    ["Makefile", ["Makefile", "x/Makefile"], ["Makefile.old", "makefile"]],
    ["/package.json", ["package.json"], ["pkg/package.json"]],
    ["./package.json", ["package.json"], ["pkg/package.json"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "a/src/b.ts"]],
    ["src/", ["src/a", "src/x/.b"], ["src", "a/src/b"]],
    ["**/src/", ["src/a", "a/src/b"], ["src"]],
    ["./", ["a", "x/y"], []],
    ["**.ts", ["a.ts", "x/y/a.ts"], ["a.tsx"]],
    ["src/**.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts"]],
    ["src/test**", ["src/tests.ts", "src/tests/x/y.ts"], ["src/a/test.ts"]],
    ["**/*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.t", "a.ts,tsx"]],
    ["*.{ts, tsx}", ["a.tsx"], ["a. tsx"]],
    ["{src/**,*.md}", ["src/a", "docs/x/a.md"], ["a/src/b"]],
    ["v{1..12}.sql", ["v1.sql", "x/v12.sql"], ["v13.sql", "v.sql"]],
    ["{01..12}/x", ["01/x", "12/x"], ["1/x"]],
    ["{a..c}.ts", ["b.ts"], ["d.ts"]],
    ["**/$\u007bname}", ["$\u007bname}"], ["name"]],
    ["app/(auth)/**", ["app/(auth)/x"], ["app/auth/x"]],
    ["app/\\[id\\]/**", ["app/[id]/x"], ["app/i/x"]],
    ["app/[id]/**", ["app/i/x", "app/[id]/x"], ["app/x/x"]],
    ["app/[...slug]/*", ["app/[...slug]/x"], ["app/s/x"]],
    ["app/[[...slug]]/*", ["app/[[...slug]]/x"], ["app/s/x"]],
    ["[!ab].ts", ["c.ts", "x/c.ts"], ["a.ts"]],
    ["!(*.d).ts", ["a.ts"], ["a.d.ts"]],
    ["+([0-9]).sql", ["007.sql"], [".sql", "a1.sql"]],
    ["src\\app\\*.ts", ["src/app/a.ts"], ["src\\app\\a.ts"]],
    ["pages\\[id]\\page.tsx", ["pages/i/page.tsx"], []],
    ["**\\*.cs", ["a.cs", "x/a.cs"], ["*.cs.txt"]],
    ["no[*].ts", ["no*.ts"], ["no/a.ts", "noa.ts"]],
    [".env*", [".env", "x/.env.local"], ["env"]],
    ["**/.github/**", [".github/x/y.yml"], ["github/x"]],
    ["café/**", ["café/a"], ["cafe/a"]],
    ["*a*b*c*d*e", ["abcde", "x/1a2b3c4d5e"], ["abced", "abc/de"]],
    ["**/a/**/b/**/c/**/d/**", ["a/b/c/d/x", "1/a/2/b/3/c/4/d/5/6"], ["a/b/d/c/x"]],
  ])("%s", async (glob, yes, no) => {
    for (const path of yes) expect(await matches(glob, path), path).toBe(true);
    for (const path of no) expect(await matches(glob, path), path).toBe(false);
  });

  it.each([
    "",
    "  ",
    "src/{a,b",
    "a}b",
    "src/[ab",
    "a]b",
    "[]",
    "+(a",
    "+(*a|b)",
    "+(a|ab)",
    "+(a|)",
    "+()",
    "a**".repeat(300),
    "*(@(a))",
    "a\0b",
    "src\x07pp",
    `{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}${"x".repeat(900)}`,
    "a**b**c**d**e**f",
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    "x".repeat(1001),
  ])("%j is not taken", async (glob) => {
    expect(await toPatterns(glob)).toBeUndefined();
  });

  it("refuses braces that expand to too many patterns, in no time", async () => {
    expect(await toPatterns("{a,b}".repeat(190))).toBeUndefined();
  });
});

describe("branches", () => {
  it.each([
    ["main", ["main"], ["x/main", "main2"]],
    ["release/*", ["release/1"], ["release/1/2", "x/release/1"]],
    ["feat/**", ["feat/a/b"], ["feat"]],
    ["{dev,main}", ["dev"], ["d"]],
    ["v1.0", ["v1.0"], ["v1x0"]],
    ["fix(a)", ["fix(a)"], ["fixa"]],
  ])("%s", async (glob, yes, no) => {
    const patterns = await toBranchPatterns(glob);
    const test = (branch: string) => patterns?.some(({ regex }) => new RegExp(regex).test(branch));
    for (const branch of yes) expect(test(branch), branch).toBe(true);
    for (const branch of no) expect(test(branch), branch).toBe(false);
  });
});

describe("compared with other libraries", () => {
  /** The results of minimatch 11.0.7 with `matchBase` and `dot`, one digit per path. Recorded, as it is not installed here. */
  const PATHS = [
    "a.ts",
    "b.ts",
    "ab.ts",
    "src/a.ts",
    "src/c.ts",
    "src/x/a.ts",
    "src/x/y/b.ts",
    "src",
    "a.tsx",
    "src/a.tsx",
    "README.md",
    "docs/README.md",
    "Makefile",
    "x/Makefile",
    "package.json",
    "pkg/package.json",
    "a/x-manifest.json",
    "src2/a.ts",
    "srcfile",
    ".env",
    "x/.env",
    "prod.env",
    ".env.local",
    ".github/workflows/ci.yml",
    "a.test.ts",
    "x.d.ts",
    "app/(auth)/a.ts",
    "app/auth/a.ts",
    "app/[id]/page.ts",
    "app/i/page.ts",
    "a/b.ts",
    "z/a/x/b.ts",
    "file2.ts",
    "file12.ts",
    "file07.ts",
    "{a}",
    "src/app/a.ts",
    "x|y",
    "x",
    "a+b.ts",
    "a+.ts",
    "aab.ts",
    "x/test/b.ts",
    "a b.ts",
    ".hidden/a.ts",
    "src/.hidden/a.ts",
    "no*.ts",
    "no/a.ts",
    ".ts",
    "é.ts",
  ];
  const MINIMATCH: readonly (readonly [string, string])[] = [
    ["*.ts", "11111110000000000100000011111111111010011111111111"],
    ["**/*.ts", "11111110000000000100000011111111111010011111111111"],
    ["src/**/*.ts", "00011110000000000000000000000000000010000000010000"],
    ["src/*.ts", "00011000000000000000000000000000000000000000000000"],
    ["src/**", "00011110010000000000000000000000000010000000010000"],
    ["src/**/*", "00011110010000000000000000000000000010000000010000"],
    ["**", "11111111111111111111111111111111111111111111111111"],
    ["*", "11111111111111111111111111111111111111111111111111"],
    ["**/*", "11111111111111111111111111111111111111111111111111"],
    ["Makefile", "00000000000011000000000000000000000000000000000000"],
    ["package.json", "00000000000000110000000000000000000000000000000000"],
    ["/package.json", "00000000000000000000000000000000000000000000000000"],
    ["./src/*.ts", "00000000000000000000000000000000000000000000000000"],
    ["src/", "00000000000000000000000000000000000000000000000000"],
    ["**/test/", "00000000000000000000000000000000000000000000000000"],
    ["**.ts", "11111110000000000100000011111111111010011111111111"],
    ["src/**.ts", "00011000000000000000000000000000000000000000000000"],
    ["**manifest.json", "00000000000000001000000000000000000000000000000000"],
    ["src**", "00000001000000000010000000000000000000000000000000"],
    ["*.{ts,tsx}", "11111110110000000100000011111111111010011111111111"],
    ["**/*.{ts,tsx}", "11111110110000000100000011111111111010011111111111"],
    ["{src,docs}/**", "00011110010100000000000000000000000010000000010000"],
    ["{src/**,*.md}", "00011110011100000000000000000000000010000000010000"],
    ["*.test.ts", "00000000000000000000000010000000000000000000000000"],
    [".env", "00000000000000000001100000000000000000000000000000"],
    [".*", "00000000000000000001101000000000000000000000000010"],
    ["*.env", "00000000000000000001110000000000000000000000000000"],
    [".env*", "00000000000000000001101000000000000000000000000000"],
    ["**/.github/**", "00000000000000000000000100000000000000000000000000"],
    ["src/[ac].ts", "00011000000000000000000000000000000000000000000000"],
    ["src/[!ab].ts", "00001000000000000000000000000000000000000000000000"],
    ["src/[a-c].ts", "00011000000000000000000000000000000000000000000000"],
    ["?.ts", "11011110000000000100000000110011000010000010110101"],
    ["@(src|docs)/**", "00011110010100000000000000000000000010000000010000"],
    ["!(*.d).ts", "11111111111111111111111111111111111111111111111111"],
    ["+(a|b).ts", "11110110000000000100000000110011000010000110110100"],
    ["*(a)b.ts", "01100010000000000000000000000011000000000110000000"],
    ["?(a)b.ts", "01100010000000000000000000000011000000000010000000"],
    ["app/(auth)/*.ts", "00000000000000000000000000100000000000000000000000"],
    ["app/\\[id\\]/*.ts", "00000000000000000000000000001000000000000000000000"],
    ["app/[id]/page.ts", "00000000000000000000000000000100000000000000000000"],
    ["a/**/b.ts", "00000000000000000000000000000010000000000000000000"],
    ["**/a/**/b.ts", "00000000000000000000000000000011000000000000000000"],
    ["**/{a,x}/*.ts", "00000100000000000000000000000011000000000000000000"],
    ["file{1..3}.ts", "00000000000000000000000000000000100000000000000000"],
    ["file{01..12}.ts", "00000000000000000000000000000000011000000000000000"],
    ["{a}", "00000000000000000000000000000000000100000000000000"],
    ["a{,.test}.ts", "10010100000000000100000010110000000010000000110100"],
    ["*.{ts, tsx}", "11111110000000000100000011111111111010011111111111"],
    ["src\\app\\*.ts", "00000000000000000000000000000000000000000000000000"],
    ["*a*b*.ts", "00100000000000000000000000000000000000010101000000"],
    ["x|y", "00000000000000000000000000000000000001000000000000"],
    ["a+b.ts", "00000000000000000000000000000000000000010000000000"],
    ["[ab]+.ts", "00000000000000000000000000000000000000001000000000"],
    ["@(a)?.ts", "00100000000000000000000000000000000000001000000000"],
    ["a b.ts", "00000000000000000000000000000000000000000001000000"],
    ["*/*.ts", "00011000000000000100000000000010000000000000100100"],
    ["[[:alpha:]].ts", "11011110000000000100000000110011000010000010110101"],
    ["no\\*.ts", "00000000000000000000000000000000000000000000001000"],
    ["no[*].ts", "00000000000000000000000000000000000000000000001000"],
    ["src//a.ts", "00010000000000000000000000000000000000000000000000"],
    ["src/./a.ts", "00000000000000000000000000000000000000000000000000"],
  ];

  /** Intended differences, from which library, and why. */
  const OURS: Readonly<Record<string, { from: string; why: string }>> = {
    "src/**": { from: "picomatch", why: "what is below a folder is not the folder" },
    "{src,docs}/**": { from: "picomatch", why: "as src/**" },
    "@(src|docs)/**": { from: "picomatch", why: "as src/**" },
    "/package.json": { from: "both", why: "a leading slash is the project's root, not the disk's" },
    "./src/*.ts": { from: "minimatch", why: "paths are written without ./" },
    "src/": { from: "both", why: "a folder means what is in it" },
    "**/test/": { from: "both", why: "as src/" },
    "src/**.ts": { from: "both", why: "** crosses folders at any position" },
    "src**": { from: "both", why: "as src/**.ts" },
    "{src/**,*.md}": { from: "picomatch", why: "braces are expanded first, so *.md has no slash" },
    "src/[!ab].ts": { from: "picomatch", why: "! negates a class, as in a shell" },
    "!(*.d).ts": { from: "minimatch", why: "a group that is negated, not a pattern" },
    "app/(auth)/*.ts": { from: "picomatch", why: "parentheses are themselves: Next.js names folders so" },
    "app/[id]/page.ts": { from: "minimatch", why: "letters in brackets also stand for themselves" },
    "file{01..12}.ts": { from: "picomatch", why: "a range counts" },
    "*.{ts, tsx}": { from: "both", why: "no one means the space" },
    "src\\app\\*.ts": { from: "both", why: "written on Windows" },
    "no\\*.ts": { from: "both", why: "written on Windows; [*] is a star itself" },
    "[ab]+.ts": { from: "picomatch", why: "a plus is itself, not a regular expression's" },
    "@(a)?.ts": { from: "picomatch", why: "a question mark is one character" },
    "[[:alpha:]].ts": { from: "minimatch", why: "such classes are ASCII" },
    "src//a.ts": { from: "picomatch", why: "more slashes are one" },
    "src/./a.ts": { from: "both", why: "as ./src" },
  };
  const differs = (glob: string, from: string) => [from, "both"].includes(OURS[glob]?.from ?? "");

  it.each(MINIMATCH)("%s is as in minimatch, or differs for a reason", async (glob, digits) => {
    const theirs = PATHS.filter((_, i) => digits[i] === "1");
    if (differs(glob, "minimatch")) expect(await ours(glob)).not.toEqual(theirs);
    else expect(await ours(glob)).toEqual(theirs);
  });

  it.each(MINIMATCH)("%s is as in picomatch, or differs for a reason", async (glob) => {
    const theirMatch = picomatch(glob, { dot: true, basename: !glob.includes("/") });
    const theirs = PATHS.filter((path) => theirMatch(path));
    if (differs(glob, "picomatch")) expect(await ours(glob)).not.toEqual(theirs);
    else expect(await ours(glob)).toEqual(theirs);
  });

  async function ours(glob: string): Promise<string[]> {
    const patterns = (await toPatterns(glob)) ?? [];
    return PATHS.filter((path) => patterns.some(({ regex }) => new RegExp(regex).test(path)));
  }
});

describe("buckets", () => {
  it.each([
    ["*.ts", [".ts", "=.ts"]],
    ["src/**/*.test.ts", [".ts"]],
    ["foo*.ts", [".ts"]],
    ["**/*.{ts,tsx}", [".ts", "=.ts", ".tsx", "=.tsx"]],
    ["Makefile", ["=Makefile"]],
    ["**/.env", ["=.env"]],
    ["src/**", ["*"]],
    ["*.*", ["*"]],
    ["a\\[b\\].ts", ["=a[b].ts"]],
    ["{package.json,*.md}", ["=package.json", ".md", "=.md"]],
  ])("of %s", async (glob, buckets) => {
    const patterns = (await toPatterns(glob)) ?? [];
    expect(patterns.map(({ bucket }) => bucket)).toEqual(buckets);
    expect(new Set(patterns.map(({ text }) => text))).toEqual(new Set([glob]));
  });

  it("and prefixes are true for every path that a pattern matches", async () => {
    const piece = fc.constantFrom(
      ..."* ** ? . .ts .d.ts ts a b .env / [ab] [!a] {a,b} {.ts,.js} {ts,tsx} @(a|b) !(a) ?(x) +(a) \\[ ( ) - !".split(
        " ",
      ),
    );
    const glob = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
    const name = fc.array(fc.constantFrom("a", "b", "x", ".", "ts", ".ts", ".js", "[", "(", "-", "!"), {
      minLength: 1,
      maxLength: 4,
    });
    const path = fc
      .array(
        name.map((parts) => parts.join("")),
        { minLength: 1, maxLength: 3 },
      )
      .map((all) => all.join("/"));
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(glob, fc.array(path, { minLength: 20, maxLength: 20 }), async (text, paths) => {
        const patterns = (await toPatterns(text)) ?? [];
        for (const one of paths) {
          const base = posix.basename(one);
          const homes = ["*", posix.extname(one), `=${base}`];
          const hits = patterns.filter(({ regex }) => new RegExp(regex).test(one));
          if (hits.length > 0) matched++;
          for (const { bucket, start } of hits) {
            expect(homes, `${text} ${one}`).toContain(bucket);
            expect(one.startsWith(start), `${text} ${one}`).toBe(true);
          }
        }
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(500);
  });
});
