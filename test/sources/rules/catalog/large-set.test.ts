import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Wanted } from "../../../../src/sources/rules/catalog/large-set.ts";
import { evaluate } from "../../../../src/sources/rules/evaluate.ts";
import { EMPTY_MEMO, observe, type RulesMemo } from "../../../../src/sources/rules/memo.ts";
import { factsOf, observationOf, wantedAt } from "../../../../src/sources/rules/session.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { engineWorld } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { readRules, type World } from "../read-rules.ts";

const COUNT = 450;
/** Each hook checks 125 files. */
const TURNS = Math.ceil(COUNT / 125);
const RULES = ".continuo/rules";
const nameOf = (i: number) => `d${i % 3}/r${String(i).padStart(4, "0")}.md`;
const pathOf = (world: World, i: number) => join(world.root, RULES, nameOf(i));

function textOf(i: number): string {
  const front = [
    `globs: ["src/m${i}/**/*.ts"]`,
    `keywords: [word${i}x]`,
    `globs: ["*.part${i}.css"]\nkeywords: [both${i}x]\nmatch: all`,
    `tools: [Tool${i}]`,
    `guard: { action: deny, tool: Bash, match: 'danger${i}x' }\nkeywords: [never${i}x]`,
  ][i % 5];
  return i === 0 ? "Rule 0, always." : `---\n${front}\n---\nRule ${i}.`;
}

function largeWorld(): World {
  return temporaryWorld(
    Object.fromEntries(Array.from({ length: COUNT }, (_, i) => [`${RULES}/${nameOf(i)}`, textOf(i)])),
  );
}

type Asking = Extract<Wanted, { kind: "moment" }>;

function asking(more: Partial<Asking> = {}): Asking {
  return { kind: "moment", isBeginning: false, touched: [], workingSet: [], memo: EMPTY_MEMO, ...more };
}
const AT_START = asking({ isBeginning: true });

/** Reads until all rules are parsed and the digest is written. */
async function settle(world: World): Promise<void> {
  for (let i = 0; i < 50; i++)
    if ((await readRules(world, { wanted: AT_START })).tested !== undefined) return;
  expect(digests(world)).toHaveLength(1);
}

function digests(world: World): string[] {
  const folder = join(world.home.root, "cache", "rules");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".digest"))
    .map((name) => join(folder, name));
}

const bodies = (catalog: Awaited<ReturnType<typeof readRules>>) => catalog.rules.map((rule) => rule.body);

describe("a hook in a project with a large set of rules", () => {
  it("gets the rules that could apply, and no others", async () => {
    const world = largeWorld();
    await settle(world);
    const tools = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 5 === 3).length;
    expect((await readRules(world, { wanted: asking() })).rules).toHaveLength(1 + tools);
    const asked = asking({ prompt: "about word31x", touched: ["src/m10/a/b.ts", "src/m1/a.ts"] });
    const { tested = null } = await readRules(world, { wanted: asked });
    const memo = { ...EMPTY_MEMO, tested };
    const found = bodies(await readRules(world, { wanted: { ...asked, memo } }));
    expect(found).toContain("Rule 31.");
    expect(found).toContain("Rule 10.");
    expect(found).toHaveLength(3 + tools);
  });

  it("gets all rules with checks at a tool call, whether they apply or not", async () => {
    const world = largeWorld();
    await settle(world);
    const checked = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 5 === 4).length;
    const found = await readRules(world, { wanted: asking({ withChecks: true }) });
    expect(found.checked).toHaveLength(checked);
    expect(found.checked?.every(({ checks }) => checks.length > 0)).toBe(true);
    expect((await readRules(world, { wanted: asking() })).checked).toBeUndefined();
  });

  it("sees an edit of a rule that does not apply after a few hooks, and immediately at a start", async () => {
    const world = largeWorld();
    await settle(world);
    for (const i of [1, 226, 446]) {
      writeFileSync(pathOf(world, i), `Edited ${i}.`);
      const seen: boolean[] = [];
      for (let hook = 0; hook < TURNS; hook++)
        seen.push(bodies(await readRules(world, { wanted: asking() })).includes(`Edited ${i}.`));
      expect(seen).toContain(true);
      expect(seen.lastIndexOf(false)).toBeLessThan(seen.indexOf(true));
      await settle(world);
    }
    writeFileSync(pathOf(world, 447), "Edited 447.");
    expect(bodies(await readRules(world, { wanted: AT_START }))).toContain("Edited 447.");
  });

  it("sees an edit of a rule that applies immediately", async () => {
    const world = largeWorld();
    await settle(world);
    writeFileSync(pathOf(world, 0), "Edited, always.");
    expect(bodies(await readRules(world, { wanted: asking() }))).toContain("Edited, always.");
    await settle(world);
    appendFileSync(pathOf(world, 31), " More.");
    const memo: RulesMemo = { ...EMPTY_MEMO, keywords: ["word31x"] };
    expect(bodies(await readRules(world, { wanted: asking({ memo }) }))).toContain("Rule 31. More.");
  });

  it("sees immediately that a file or a folder was added, removed, renamed or replaced", async () => {
    const world = largeWorld();
    const at = (path: string) => join(world.root, RULES, path);
    const now = async () => bodies(await readRules(world, { wanted: asking() }));
    const changes: [() => void, string, boolean][] = [
      [() => writeFileSync(at("d1/new.md"), "New."), "New.", true],
      [() => rmSync(at("d1/new.md")), "New.", false],
      [() => renameSync(at(nameOf(0)), at("d1/moved.md")), "Rule 0, always.", true],
      [
        () => {
          writeFileSync(at("d2/other"), "Replaced.");
          renameSync(at("d2/other"), pathOf(world, 5));
        },
        "Replaced.",
        true,
      ],
      [() => write(world.root, { [`${RULES}/deep/er/one.md`]: "Deep." }), "Deep.", true],
      [
        () => {
          renameSync(at("deep"), join(world.root, "aside"));
          write(world.root, { [`${RULES}/deep/er/one.md`]: "Another." });
        },
        "Another.",
        true,
      ],
      [() => rmSync(at("deep"), { recursive: true }), "Another.", false],
      [() => write(world.root, { ".opencode/rules/first.md": "First there." }), "First there.", true],
      [() => write(world.home.root, { "rules/own.md": "The user's." }), "The user's.", true],
      [() => rmSync(at(""), { recursive: true }), "Rule 0, always.", false],
    ];
    for (const [change, body, isThere] of changes) {
      await settle(world);
      change();
      expect((await now()).includes(body), body).toBe(isThere);
    }
  });

  it("gets the same rules in the same order each time, and a start gets the same rejects", async () => {
    const world = largeWorld();
    write(world.root, { [`${RULES}/bad.md`]: "---\nci: perhaps\n---\nBad." });
    await settle(world);
    const full = await readRules(world);
    const kept = await readRules(world, { wanted: AT_START });
    expect(kept.rejects.map(({ code, path }) => [code, path])).toEqual(
      full.rejects.map(({ code, path }) => [code, path]),
    );
    const order = full.rules.map(({ file }) => file.key);
    const keys = kept.rules.map(({ file }) => file.key);
    expect(keys).toEqual(order.filter((key) => keys.includes(key)));
    expect((await readRules(world, { wanted: asking() })).rules).toEqual(kept.rules);
  });

  it("writes no digest if a file or folder may still change unnoticed, or was found through a link", async () => {
    const now = Date.now();
    const world = largeWorld();
    for (let i = 0; i < 10; i++) await readRules(world, { wanted: AT_START, now });
    expect(digests(world)).toEqual([]);
    write(world.root, { "outside/a.md": "A.", "outside/b.md": "B." });
    const link = join(world.root, RULES, "link.md");
    symlinkSync(join(world.root, "outside/a.md"), link);
    for (let i = 0; i < 10; i++) await readRules(world, { wanted: AT_START });
    expect(digests(world)).toEqual([]);
  });

  it("rebuilds a digest that is damaged or truncated", async () => {
    const world = largeWorld();
    await settle(world);
    const [path = ""] = digests(world);
    const whole = readFileSync(path);
    for (const damaged of [
      whole.subarray(0, 50),
      whole.subarray(0, whole.length - 5000),
      Buffer.from("999999999999{}"),
    ]) {
      writeFileSync(path, damaged);
      expect(bodies(await readRules(world, { wanted: asking({ prompt: "word31x" }) }))).toContain("Rule 31.");
    }
  });

  it("gets all checks in their newest form", async () => {
    const world = largeWorld();
    await settle(world);
    const wanted: Wanted = { kind: "checks" };
    const checks = (await readRules(world, { wanted })).rules.flatMap((rule) => rule.checks);
    expect(checks).toEqual((await readRules(world)).rules.flatMap((rule) => rule.checks));
    expect(checks).toHaveLength(COUNT / 5);
    writeFileSync(pathOf(world, 4), textOf(4).replace("danger4x", "edited"));
    expect((await readRules(world, { wanted })).rules.flatMap((rule) => rule.checks)).toContainEqual(
      expect.objectContaining({ pattern: "edited" }),
    );
  });

  it("sees all changes in a very large number of folders, up to the limits", async () => {
    const world = temporaryWorld({ [`${RULES}/a.md`]: "A." });
    for (let i = 0; i < 700; i++) mkdirSync(join(world.root, RULES, `f${i}`));
    await settle(world);
    expect((await readRules(world, { wanted: AT_START })).rejects.map(({ code }) => code)).toEqual([
      "rules-cut",
    ]);
    write(world.root, { [`${RULES}/f100/b.md`]: "B." });
    expect(bodies(await readRules(world, { wanted: asking() }))).toEqual(["A.", "B."]);
    writeFileSync(join(world.root, RULES, "a.md"), "Edited.");
    await settle(world);
    expect(bodies(await readRules(world, { wanted: asking() }))).toEqual(["Edited.", "B."]);
  });

  it("delivers rules that apply through the engine, once", async () => {
    const place = largeWorld();
    await settle(place);
    const world = engineWorld([rules], {}, place);
    expect(await world.start()).toContain("Rule 0, always.");
    expect(await world.prompt("about word31x")).toContain("Rule 31.");
    expect(await world.prompt("about word31x")).toBe("");
    expect(await world.tool("Read", "s1", [{ path: "src/m5/a.ts", access: "read" }])).toContain("Rule 5.");
    expect(await world.tool("Tool3")).toContain("Rule 3.");
    expect(await world.compacted()).toContain("Rule 31.");
  });
});

describe("rules of a large set that are always on", () => {
  it("are delivered once per epoch, again when they change, and again when they change back", async () => {
    const place = temporaryWorld(
      Object.fromEntries(
        Array.from({ length: 310 }, (_, i) => [`${RULES}/r${i}.md`, i < 3 ? `On ${i}.` : textOf(i)]),
      ),
    );
    const path = join(place.root, RULES, "r1.md");
    await settle(place);
    const world = engineWorld([rules], {}, place);
    expect(await world.start()).toContain("On 1.");
    expect(await world.prompt("hello")).toBe("");
    for (const text of ["Changed.", "On 1.", "Changed.", "On 1."]) {
      writeFileSync(path, text);
      expect(await world.prompt("hello")).toContain(text);
      await settle(place);
      expect(await world.prompt("hello")).toBe("");
    }
    expect(await world.compacted()).toContain("On 1.");
    await world.resume();
    writeFileSync(path, "After a resume.");
    await settle(place);
    await world.resume();
    expect(await world.prompt("hello")).toContain("After a resume.");
  });
});

const WORDS = ["alpha", "Beta", "gamma ray", "ΣΊΣΥΦΟΣ", "İz", "delta-x", ".env", "/plan"];
const PATHS = ["src/a.ts", "src/deep/a.test.ts", "a.css", "Makefile", "lib/x/y.py", "docs/read me.md"];
const GLOBS = ["**/*.ts", "src/**", "*.css", "Makefile", "lib/*/y.py", "!src/deep/**", "docs/**/*.{md,txt}"];

const anyRule = fc
  .record({
    keywords: fc.option(fc.subarray(WORDS, { minLength: 1, maxLength: 2 })),
    globs: fc.option(fc.subarray(GLOBS, { minLength: 1, maxLength: 3 })),
    tools: fc.option(fc.constantFrom("Read", "Bash"), { freq: 5 }),
    match: fc.constantFrom("any", "all"),
  })
  .map(
    ({ keywords, globs, tools, match }) =>
      `---\n${[
        keywords === null ? "" : `keywords: ${JSON.stringify(keywords)}`,
        globs === null ? "" : `globs: ${JSON.stringify(globs)}`,
        tools === null ? "" : `tools: [${tools}]`,
        keywords === null && globs === null && tools === null ? "" : `match: ${match}`,
      ]
        .filter((line) => line !== "")
        .join("\n")}\n---\n`,
  );

const anyMoment = fc.record({
  prompt: fc.option(fc.subarray([...WORDS, "betamax", "σίσυφος", "other"]).map((words) => words.join(", "))),
  paths: fc.subarray(PATHS, { maxLength: 2 }),
});

it("the same rules apply with a digest as without it, for any rules and moments", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRule, { minLength: 20, maxLength: 40 }),
      fc.array(anyMoment, { minLength: 1, maxLength: 6 }),
      async (some, moments) => {
        const world = temporaryWorld(
          Object.fromEntries(
            Array.from({ length: 320 }, (_, i) => [
              `${RULES}/r${i}.md`,
              `${some[i % some.length]}Rule ${i}.`,
            ]),
          ),
        );
        await settle(world);
        const full = await readRules(world);
        let [memo, keptMemo] = [EMPTY_MEMO, EMPTY_MEMO];
        const workingSet: { path: string; edited: boolean; at: number; turn: number; heat: number }[] = [];
        const project = { id: world.root, root: world.root, label: "p" };
        const common = { session: { host: "cli", id: "s" }, project, cwd: world.root, at: 0 } as const;
        for (const { prompt, paths } of moments) {
          for (const path of paths) workingSet.push({ path, edited: false, at: 0, turn: 0, heat: 1 });
          const files = paths.map((path) => ({ path, access: "read" as const }));
          const moment =
            prompt === null
              ? { ...common, name: "tool" as const, tool: { name: "Read", input: {}, files } }
              : { ...common, name: "prompt" as const, prompt };
          const kept = await readRules(world, { wanted: wantedAt(moment, keptMemo, { workingSet }) });
          expect(kept.tested).toBeDefined();
          keptMemo = observe(keptMemo, observationOf(moment, kept, keptMemo, { workingSet }));
          memo = observe(memo, observationOf(moment, full, memo, { workingSet }));
          const active = (catalog: typeof full, from: RulesMemo) =>
            catalog.rules
              .map((rule) => ({ rule, judged: evaluate(rule, factsOf(moment, from, {})) }))
              .filter(({ judged }) => judged.active)
              .map(({ rule, judged }) => [rule.name, judged.because()]);
          expect(active(kept, keptMemo)).toEqual(active(full, memo));
        }
      },
    ),
    { numRuns: 10 },
  );
}, 120_000);
