import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compiledLength, toPatterns } from "../../../../src/sources/rules/matching/globs.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { engineWorld } from "../../../support/engine.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { names, readWithLimits, type World } from "../read-rules.ts";

/** A clock that advances by `step` at every call. */
function ticking(step: number): () => number {
  let time = 0;
  return () => {
    time += step;
    return time;
  };
}

function numbered(
  count: number,
  text: (i: number) => string,
  folder = ".continuo/rules",
): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${folder}/r${String(i).padStart(5, "0")}.md`, text(i)]),
  );
}

const codes = ({ rejects }: Awaited<ReturnType<typeof readWithLimits>>) => rejects.map(({ code }) => code);

describe("a rules folder that is far too large", () => {
  it("with thousands of folders: rules at the top are delivered, and the problem is recorded", async () => {
    const place = temporaryWorld({ ".continuo/rules/zz.md": "At the top." });
    for (let i = 0; i < 3000; i++)
      mkdirSync(join(place.root, `.continuo/rules/a${i % 60}/b${i}`), { recursive: true });
    write(place.home.root, { "rules/mine.md": "The user's own." });
    const world = engineWorld([rules], {}, place);
    const text = await world.start();
    expect(text).toContain("At the top.");
    expect(text).toContain("The user's own.");
    expect(world.trouble.map(({ error }) => String(error)).join()).toContain("is too large");
  });

  it("with more files than the limit: the same ones are delivered each time, and the user's own", async () => {
    const world = temporaryWorld(numbered(30, (i) => `Rule ${i}.`));
    write(world.home.root, { "rules/mine.md": "The user's own." });
    const limits = { files: 10 };
    const first = await readWithLimits(world, limits);
    expect(names(first)).toEqual([
      ...Object.keys(numbered(10, String)).map((path) => path.slice(16)),
      "mine.md",
    ]);
    expect(codes(first)).toEqual(["rules-cut"]);
    expect(names(await readWithLimits(world, limits))).toEqual(names(first));
  });

  it("with more names in one folder, or deeper folders, than the limits", async () => {
    const world = temporaryWorld({
      ...numbered(30, (i) => `Rule ${i}.`),
      ".cursor/rules/a/b/c/d/deep.mdc": "---\nalwaysApply: true\n---\nDeep.",
    });
    expect((await readWithLimits(world, { entries: 12 })).rejects[0]?.message).toContain("12 names");
    expect((await readWithLimits(world, { depth: 2 })).rejects[0]?.message).toContain("2 levels");
  });

  it("with more bytes than the limit: the smallest are used, Continuo's before those of other tools", async () => {
    const world = temporaryWorld({
      ".continuo/rules/large.md": "x".repeat(5000),
      ".continuo/rules/small.md": "Small.",
      ".cursor/rules/other.mdc": `---\nalwaysApply: true\n---\n${"y".repeat(400)}`,
    });
    const catalog = await readWithLimits(world, { bytes: 1000 });
    expect(names(catalog)).toEqual(["small.md", "other.mdc"]);
    expect(catalog.rejects[0]?.message).toContain("1 rule files are left out");
    expect(names(await readWithLimits(world, { bytes: 100 }))).toEqual(["small.md"]);
  });

  it("with 20 MB of rules of 250 KB: the small ones are delivered within the limits, and doctor and check report it", async () => {
    const place = temporaryWorld({
      ...numbered(80, (i) => `Rule ${i}. ${"many words ".repeat(23_000)}`),
      ".continuo/rules/zz-small.md": "Small and important.",
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/x": "",
    });
    const world = engineWorld([rules], {}, place);
    expect(await world.start()).toContain("Small and important.");
    expect(world.trouble.map(({ error }) => String(error)).join()).toContain("the limit for all of them is");
    for (const args of [["doctor"], ["rules", "check"], ["rules", "list"]])
      expect(
        (await runInProcess(args, { env: place.env, cwd: place.root })).stdout,
        args.join(" "),
      ).toContain("the limit for all of them is");
  }, 60_000);

  it("with links among thousands of names is read in bounded time too", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "A." });
    for (let i = 0; i < 40; i++)
      symlinkSync(join(world.root, ".continuo"), join(world.root, `.continuo/rules/l${i}`));
    expect(names(await readWithLimits(world))).toEqual(["a.md"]);
  });
});

describe("more new rules than one call has time for", () => {
  it("are parsed over several calls, and the results are cached", async () => {
    const world = temporaryWorld(numbered(40, (i) => `Rule ${i}.`));
    let calls = 0;
    let before = 0;
    for (; calls < 40; calls++) {
      const catalog = await readWithLimits(world, { ms: 100, sureFiles: 2 }, ticking(10));
      expect(catalog.rules.length).toBeGreaterThan(before);
      before = catalog.rules.length;
      expect(catalog.rules.length + catalog.pending.length).toBe(40);
      if (catalog.pending.length === 0) break;
    }
    expect(calls).toBeGreaterThan(2);
    // Nothing is left to read, so very little time is enough from now on.
    expect((await readWithLimits(world, { ms: 100, sureFiles: 0 }, ticking(30))).rules).toHaveLength(40);
  });

  it("are all read, however slow the machine is, if their number is ordinary", async () => {
    const world = temporaryWorld(numbered(150, (i) => `Rule ${i}.`));
    expect((await readWithLimits(world, {}, ticking(10_000))).rules).toHaveLength(150);
  });

  it("are read again one by one when they change", async () => {
    const world = temporaryWorld(numbered(10, (i) => `Rule ${i}.`));
    await readWithLimits(world);
    writeFileSync(join(world.root, ".continuo/rules/r00003.md"), "Changed.");
    const catalog = await readWithLimits(world, { newBytes: 1 });
    expect(catalog.pending).toEqual([]);
    expect(catalog.rules[3]?.body).toBe("Changed.");
  });

  it("are limited in bytes too", async () => {
    const world = temporaryWorld(numbered(10, () => "x".repeat(1000)));
    expect((await readWithLimits(world, { newBytes: 2500 })).pending).toHaveLength(7);
  });

  it("are reported as long as they are not read", async () => {
    const world = engineWorld(
      [rules],
      {},
      temporaryWorld(numbered(60, (i) => `${i} ${"word ".repeat(40_000)}`)),
    );
    await world.start();
    expect(world.trouble.map(({ error }) => String(error)).join()).toContain("not read yet");
  });
});

describe("the cache of parsed rules", () => {
  const cacheOf = (world: World) => {
    const folder = join(world.home.root, "cache", "rules");
    return join(folder, readdirSync(folder)[0] ?? "");
  };

  it("contains no long texts: they are read from the rule's file when the rule applies", async () => {
    const world = temporaryWorld(
      numbered(20, (i) => `---\nglobs: 'src/${i}.ts'\n---\nRule ${i}: ${"long ".repeat(20_000)}End.`),
    );
    await readWithLimits(world);
    expect(statSync(cacheOf(world)).size).toBeLessThan(40_000);
    const [rule] = (await readWithLimits(world)).rules;
    expect(rule?.isAtHand).toBe(false);
    expect(rule?.body).toMatch(/^Rule 0: long .*End\.$/s);
    rmSync(rule?.file.path ?? "");
    expect((await readWithLimits(world)).rules[0]?.name).toBe("r00001.md");
  });

  it("contains short texts, up to a megabyte of them", async () => {
    const world = temporaryWorld(numbered(200, (i) => `Rule ${i}: ${"word ".repeat(1500)}`));
    await readWithLimits(world);
    expect(statSync(cacheOf(world)).size).toBeLessThan(1_300_000);
    expect((await readWithLimits(world)).rules.filter((rule) => rule.isAtHand).length).toBeGreaterThan(100);
    expect((await readWithLimits(world)).rules.every(({ body }) => body.startsWith("Rule "))).toBe(true);
  });

  it("stays small if the conditions of all rules together are large, and continues when they shrink", async () => {
    const globs = (i: number) => `---\nglobs: 'a${i}/{1..100}/*.ts'\n---\nRule ${i}.`;
    const world = temporaryWorld(numbered(10, globs));
    const limits = { conditions: 20_000 };
    const catalog = await readWithLimits(world, limits);
    expect(catalog.rules.length).toBeLessThan(10);
    expect(catalog.rules.length + catalog.rejects.length).toBe(10);
    expect(statSync(cacheOf(world)).size).toBeLessThan(60_000);
    expect(names(await readWithLimits(world, limits))).toEqual(names(catalog));
    for (let i = 0; i < 9; i++)
      writeFileSync(join(world.root, `.continuo/rules/r0000${i}.md`), `Short ${i}.`);
    expect((await readWithLimits(world, limits)).rejects).toEqual([]);
  });

  it("is rebuilt if it is damaged or not a file", async () => {
    const world = temporaryWorld(numbered(3, (i) => `Rule ${i}.`));
    await readWithLimits(world, {}, undefined, true);
    mkdirSync(join(world.home.root, "cache", "rules"), { recursive: true });
    await readWithLimits(world);
    const path = cacheOf(world);
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    expect((await readWithLimits(world)).rules).toHaveLength(3);
  });
});

describe("patterns that are short but expand to many", () => {
  const HOSTILE = (j: number) => `**/{a,b,c}*${j}{d,e,f}*{g,h,i}/**/x{1..9}/*.ts`;
  const globs = (count: number, i = 0) =>
    `---\nglobs: ${JSON.stringify(Array.from({ length: count }, (_, j) => HOSTILE(i + j)))}\n---\nRule ${i}.`;

  it("are measured without being expanded", () => {
    for (const glob of ["{1..9999}".repeat(100), "{a,b}".repeat(190)])
      expect(compiledLength(glob), glob.slice(0, 20)).toBe(glob.length);
  });

  it.each([
    "a",
    "src/**",
    "*.{ts,tsx}",
    "**",
    "src/**/*.test.ts",
    "a**b",
    "{1..9}/{a,b}*",
    "src/",
    HOSTILE(1),
  ])("such as %s are not counted as more than they are compiled to", async (glob) => {
    const made = (await toPatterns(glob)) ?? [];
    const length = made.reduce((sum, { regex }) => sum + regex.length, 0);
    expect(compiledLength(glob)).toBeLessThanOrEqual(length);
    expect(compiledLength(glob)).toBeGreaterThan(length / 30);
  });

  it("refuse their rule before any of them is compiled", async () => {
    const parsed = await parseRule(globs(200), { name: "a.md", dialect: "continuo" });
    expect(parsed).toMatchObject({ kind: "refused", code: "rule-condition" });
    // The limit of a rule, without the length of one more compiled pattern.
    expect(parsed.cost).toBeLessThanOrEqual(64 * 1024);
  });

  it("count against the time limit, however few files they are in", async () => {
    const world = temporaryWorld(numbered(20, (i) => globs(1, i)));
    const first = await readWithLimits(world, {}, ticking(10_000));
    expect(first.rules.length).toBeGreaterThan(0);
    expect(first.rules.length).toBeLessThan(5);
    expect(first.pending.length).toBe(20 - first.rules.length);
    expect((await readWithLimits(world, {}, ticking(10_000))).rules.length).toBeGreaterThan(
      first.rules.length,
    );
  });

  it("are limited for one call, even if there is time", async () => {
    const world = temporaryWorld(numbered(20, (i) => globs(1, i)));
    const first = await readWithLimits(world);
    expect(first.pending.length).toBeGreaterThan(5);
    expect((await readWithLimits(world, { newPatterns: Number.POSITIVE_INFINITY })).pending).toEqual([]);
  });

  it("and guards count too", async () => {
    const guards = Array.from(
      { length: 50 },
      (_, i) => `- {action: deny, tool: Bash, match: "(a{9}){5}${i}"}`,
    );
    const world = temporaryWorld(numbered(20, (i) => `---\nguard:\n${guards.join("\n")}\n---\n${i}`));
    expect((await readWithLimits(world, {}, ticking(10_000))).pending.length).toBeGreaterThan(10);
  });
});

describe("a rule with too many patterns", () => {
  it("is refused, because it would be read at every hook", async () => {
    const many = Array.from({ length: 90 }, (_, i) => `x${i}/{1..200}/*.ts`).join(",");
    const world = temporaryWorld({ ".continuo/rules/a.md": `---\nglobs: '${many}'\n---\nA.` });
    const catalog = await readWithLimits(world);
    expect(codes(catalog)).toEqual(["rule-condition"]);
    expect(catalog.rejects[0]?.message).toContain("too many patterns");
  });
});
