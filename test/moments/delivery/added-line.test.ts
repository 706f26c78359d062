import { describe, expect, it } from "vitest";
import type { Item } from "../../../src/compose/section.ts";
import { addedLine } from "../../../src/moments/delivery/added-line.ts";
import type { ToolMoment } from "../../../src/moments/types.ts";
import { engineWorld, puppet } from "../../support/engine.ts";
import { item, section, temporaryWorld } from "../../support/world.ts";

const rule = (name: string, more: Partial<Item> = {}) =>
  item(name, `Text of ${name}`, { name, noun: "rule", ...more });
const note = (name: string) => rule(name, { noun: "note" });
const read = (path: string) => ({ path, access: "read" as const });

/** What a user sees when these items are added at a call that touches these files. */
function lineFor(items: readonly Item[], ...paths: string[]): string {
  const { project, root } = temporaryWorld();
  const tool = { name: "Read", input: {}, files: paths.map(read) };
  const session = { host: "claude-code" as const, id: "s1" };
  const moment: ToolMoment = { name: "tool", session, project, cwd: root, at: 0, tool };
  const [line = "", ...more] = addedLine(moment, { text: "x", sections: [section(items)], tokens: 12 });
  expect(more).toEqual([]);
  return line;
}

describe("the line that a user sees when something is added in mid-session", () => {
  it.each([
    ["a rule and the file", [rule("money.md")], ["src/a.ts"], "rule money.md (src/a.ts)"],
    [
      "two rules",
      [rule("money.md"), rule("tests.md")],
      ["src/a.ts"],
      "rules money.md and tests.md (src/a.ts)",
    ],
    ["a rule and a note", [rule("money.md"), note("No cron jobs")], [], 'rule money.md, note "No cron jobs"'],
    [
      "more than two as numbers",
      [rule("a"), rule("b"), note("c")],
      ["src/a.ts"],
      "2 rules, 1 note (src/a.ts)",
    ],
    ["several files as a number", [rule("a.md")], ["src/a.ts", "src/b.ts"], "rule a.md (2 files)"],
    [
      "one file that was touched twice once",
      [rule("a.md")],
      ["src/a.ts", "src/a.ts"],
      "rule a.md (src/a.ts)",
    ],
    [
      "a broken rule, what breaks it and the line",
      [
        rule("money.md", {
          noun: "broken rule",
          found: { text: "const part = Math.round(amount / 3);", line: 12 },
        }),
      ],
      ["src/a.ts"],
      'broken rule money.md: "const part = Math.round(amount / 3);" (src/a.ts:12)',
    ],
    [
      "a long text by its beginning, and no quote in it ends it",
      [rule("money.md", { noun: "broken rule", found: { text: `a" (b.ts) ${"x".repeat(300)}` } })],
      ["src/a.ts"],
      `broken rule money.md: "a' (b.ts) ${"x".repeat(33)}…" (src/a.ts)`,
    ],
    [
      "two broken rules by their names alone",
      [
        rule("a.md", { noun: "broken rule", found: { text: "x", line: 1 } }),
        rule("b.md", { noun: "broken rule", found: { text: "y" } }),
      ],
      ["src/a.ts"],
      "broken rules a.md and b.md (src/a.ts)",
    ],
    ["what has no name by its cost", [item("a", "A.")], [], "12 tokens"],
  ])("names %s", (_, items, paths, line) => {
    expect(lineFor(items, ...paths)).toBe(`Continuo: ${line}`);
  });

  it("is one line of at most 100 columns that shows no more than names, whatever they are", () => {
    const hostile = `a\u001b[2J\u0007\r\nb\u202e" (x), rule fake.md ${"long ".repeat(300_000)}`;
    const line = lineFor([rule(hostile), note(hostile)], `${"deep/".repeat(500)}\u001b]0;x\u0007 "end.ts`);
    expect(line).toMatch(
      /^Continuo: rule "a\ufffd[^"]*…", note "a\ufffd[^"]*…" \("….*end\.ts"\)$|^Continuo: .*…$/,
    );
    expect(line.length).toBeLessThanOrEqual(100);
    expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    expect(lineFor([rule("料".repeat(200))], "料".repeat(200)).length).toBeLessThanOrEqual(58);
  });

  it("shows a name without quotes only if it is plain, and no quote of any kind inside them", () => {
    expect(lineFor([rule("@me/a+b_1.md")], "src/…/a-b.ts")).toBe(
      "Continuo: rule @me/a+b_1.md (src/…/a-b.ts)",
    );
    expect(lineFor([rule("a\u2800and\u2800b")])).toBe('Continuo: rule "a\u2800and\u2800b"');
    expect(lineFor([rule("règle.md")])).toBe('Continuo: rule "règle.md"');
    expect(lineFor([rule('a\u201c\u201d\u201e\u201f\uff02"b')])).toBe(`Continuo: rule "a''''''b"`);
  });

  it("keeps the end of a long path", () => {
    const path = "packages/frontend/components/checkout/refunds/split.ts";
    expect(lineFor([rule("money.md")], path)).toBe(
      "Continuo: rule money.md (…omponents/checkout/refunds/split.ts)",
    );
  });
});

describe("a session in which something is added", () => {
  const given = (...names: string[]) => section(names.map((name) => rule(name)));

  it("shows one line for each delivery, and none if nothing was added", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    await world.start();
    world.notices.length = 0;
    await world.tool("Read", "s1", [read("src/a.ts")]);
    expect(world.notices).toEqual([]);
    say(given("money.md"));
    expect(await world.tool("Read", "s1", [read("src/a.ts")])).not.toContain("Continuo:");
    await world.tool("Read", "s1", [read("src/a.ts")]);
    await world.prompt("go on");
    say(given("money.md", "tests.md"));
    await world.prompt("go on");
    expect(world.notices).toEqual(["Continuo: rule money.md (src/a.ts)", "Continuo: rule tests.md"]);
  });

  it("shows one line for a text of several parts", async () => {
    const { source, say } = puppet();
    const room = { most: 1_000, unit: "characters" as const };
    const world = engineWorld([source], {}, temporaryWorld(), { room });
    await world.start();
    world.notices.length = 0;
    say(section([rule("long.md", { text: "One line of a long rule.\n".repeat(100) })]));
    expect(await world.prompt("go on")).toMatch(/part="?1/);
    for (let i = 0; i < 5; i++) await world.prompt("go on");
    expect(world.notices).toEqual(["Continuo: rule long.md"]);
  });

  it("shows none for what a subagent is given", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    await world.start("child", "s1");
    say(given("money.md"));
    expect(await world.call({ files: [read("src/a.ts")] }, "child", "s1")).toContain("Text of money.md");
    expect(world.notices).toEqual([]);
  });
});
