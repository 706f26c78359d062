import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { commandWorld } from "../../support/in-process.ts";
import { write } from "../../support/world.ts";

function setUp(files: Record<string, string> = {}) {
  const world = commandWorld(files);
  return { ...world, run: world.text, shown: (...args: string[]) => world.data("start", ...args) };
}

const RULES = {
  ".claude/rules/own.md": "OWN",
  ".continuo/rules/ts.md": "---\nglobs: src/**/*.ts\n---\nTS",
  ".continuo/rules/k.md": "---\nkeywords: [deploy]\n---\nK",
  ".cursor/rules/react.mdc": "---\ndescription: How we write components\n---\nR",
};

test("start is for the host that is set up, and says which others there are", async () => {
  const world = setUp(RULES);
  const user = world.env["HOME"] ?? "";
  // Claude Code reads its own rules.
  expect(await world.run("start")).toContain("No agent is connected yet");
  expect(await world.shown()).toMatchObject({ host: "cli", hosts: [], text: expect.stringContaining("OWN") });
  write(user, { ".claude/settings.json": "{}" });
  await world.run("install", "claude-code");
  expect(await world.shown()).toMatchObject({ host: "claude-code", hosts: ["claude-code"] });
  expect((await world.shown()).text).not.toContain("OWN");
  expect(await world.run("start")).toContain("A new session of Claude Code in");
  write(user, { ".config/opencode/opencode.json": "{}" });
  await world.run("install", "opencode");
  expect(await world.run("start")).toContain(
    "Shown for Claude Code. Connected: Claude Code (--host claude-code), OpenCode (--host opencode).",
  );
  expect((await world.shown("--host", "opencode")).host).toBe("opencode");
});

test("start says what each rule waits for", async () => {
  const world = setUp(RULES);
  expect(await world.run("start")).toContain(
    [
      "Rules that are given later, when their condition is met:",
      "  k.md: the prompt contains one of deploy",
      "  ts.md: a file matching src/**/*.ts is read, edited or mentioned",
    ].join("\n"),
  );
  expect((await world.shown()).waiting.map(({ name }: { name: string }) => name)).toEqual(["k.md", "ts.md"]);
});

test("rules list, why and start say that a rule is on request", async () => {
  const world = setUp(RULES);
  expect(await world.run("rules", "list")).toMatch(/^ *on request +react\.mdc/m);
  expect(await world.run("rules", "why", "react.mdc")).toContain(
    "react.mdc: on request\n  because    on request: the model is told of it and can read it",
  );
  const { rules } = JSON.parse(await world.run("rules", "list", "--json")).data;
  expect(rules.filter((rule: { onRequest: boolean }) => rule.onRequest)).toMatchObject([
    { name: "react.mdc", active: false },
  ]);
  expect((await world.shown()).text).toContain("- .cursor/rules/react.mdc: How we write components");
});

test("start names the bound that keeps an item out", async () => {
  const world = setUp({ ".continuo/rules/a.md": "word ".repeat(900), ".continuo/rules/b.md": "Short." });
  const bound = async (config: object, ...args: string[]) => {
    write(world.home.root, { "config.json": JSON.stringify(config) });
    return (await world.shown(...args)).dropped.map((item: { bound: string }) => item.bound);
  };
  expect(await bound({})).toEqual([]);
  expect(await bound({ rulesLimit: 500 })).toEqual(["rulesLimit is 500"]);
  expect(await bound({ tokenLimit: 500 })).toEqual(["tokenLimit is 500"]);
  const notes = Object.fromEntries(
    [...Array(30).keys()].map((i) => [
      `.cursor/rules/${i}.mdc`,
      `---\ndescription: ${"topic ".repeat(16)}${i}\n---\nR`,
    ]),
  );
  write(world.root, notes);
  const all = await bound({ snapshotAim: 200 });
  expect(all.length).toBeGreaterThan(0);
  expect(new Set(all)).toEqual(new Set(["snapshotAim is 200"]));
});

test("start shows notes as they are on the disk now, and writes no session", async () => {
  const world = setUp();
  write(world.home.root, {
    "memory/ledger.md":
      "---\nproject: project\n---\n# Ledger\n\nThe project keeps a [[ledger]] in [[append-only files]].",
    "memory/soup.md": "# Soup\n\nBoil [[leek]] with [[potato]].",
  });
  const { text: before, trouble } = await world.shown();
  expect(trouble).toEqual([]);
  expect(before).toContain("Ledger");
  // By hand, in an editor.
  write(world.home.root, {
    "memory/yak.md":
      "---\nproject: project\n---\n# Yak\n\nA [[yak]] guards the [[ledger]] of the project against [[races]].",
  });
  const after = (await world.shown()).text;
  expect(before).not.toContain("Yak");
  expect(after).toContain("Yak");
  expect(existsSync(world.home.state)).toBe(false);
  expect(existsSync(world.home.ledger)).toBe(false);
});

test("start says what it costs, and shows no setting's key as prose", async () => {
  const world = setUp({ ".continuo/rules/a.md": "Short.", ".continuo/rules/b.md": "word ".repeat(900) });
  write(world.home.root, { "config.json": '{ "rulesLimit": 500 }' });
  const text = await world.run("start");
  const { tokens } = await world.shown();
  expect(text).toContain(
    `Cost: about ${tokens} tokens, less than 0.1% of a 200,000-token context (assumed), with headings`,
  );
  expect(text).toContain("Limits: 500 tokens for rules and learnings, 450 for everything else");
  expect(text).toMatch(/left out: b\.md \(\d+ tokens\); the limit is 500 tokens: continuo config rulesLimit/);
  expect(text).not.toMatch(/snapshotAim|tokenLimit/);
});

test("start, why and rules count the same tokens for a rule", async () => {
  const world = setUp({ ".continuo/rules/a.md": "Keep money as integer cents." });
  const [delivered] = (await world.shown()).items;
  const listed = JSON.parse(await world.run("rules", "why", "a", "--json")).data.rules[0];
  expect(listed.tokens).toBe(delivered.tokens);
  expect(await world.run("rules", "why", "a")).toContain(
    `cost       ${delivered.tokens} tokens each time it is given`,
  );
});

test("start says that no rule or note applies only if none does", async () => {
  const world = setUp();
  const claim = "no rule or note applies";
  expect(await world.run("start")).toContain(claim);
  write(world.home.root, {
    "memory/ledger.md": `---\nproject: ${basename(world.root)}\n---\n# Ledger\n\nAll of it.`,
    "config.json": JSON.stringify({ sources: { memory: { startText: "full", startTokens: 60 } } }),
  });
  const small = await world.run("start");
  expect(small).not.toContain(claim);
  expect(small).toContain("startTokens is 60, which is too few for any note");
  write(world.home.root, { "config.json": JSON.stringify({ tokenLimit: 0 }) });
  rmSync(join(world.home.root, "memory"), { recursive: true });
  expect(await world.run("start")).toContain("tokenLimit is 0, which turns everything off");
});
