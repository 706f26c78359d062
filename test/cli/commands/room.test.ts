import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../../support/child.ts";
import { commandWorld } from "../../support/in-process.ts";

const MANY = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `.continuo/rules/r${10 + i}.md`,
    `RULE-${10 + i} `.padEnd(1000, "word "),
  ]),
);
const LINE = "One line of a long instruction that says how code is written here.\n";

function setUp(files: Record<string, string>, env: Record<string, string> = {}) {
  const world = commandWorld(files, env);
  const hook = (event: string, more: object, entry: string[] = []) =>
    runScript(CONTINUO, ["hook", "claude-code", event, ...entry], {
      env: world.env,
      cwd: world.root,
      stdin: JSON.stringify({ session_id: "s1", cwd: world.root, ...more }),
    });
  return { ...world, run: world.text, hook };
}

describe("rules that need several hook outputs", () => {
  it("are shown by start --host as that host would get them, with nothing left out", async () => {
    const world = setUp(MANY);
    const shown = JSON.parse(await world.run("start", "--host", "claude-code", "--json")).data;
    expect(shown.parts).toHaveLength(4);
    expect(shown.dropped).toEqual([]);
    const { stdout } = await world.hook("SessionStart", { source: "startup" });
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toBe(shown.parts[0].text);
    expect(await world.run("start", "--host", "claude-code")).toContain("Delivered in 4 parts");
    const elsewhere = JSON.parse(await world.run("start", "--host", "opencode", "--json")).data;
    expect([elsewhere.parts.length, elsewhere.dropped]).toEqual([1, []]);
    for (const report of [
      await world.run("rules", "list"),
      await world.run("rules", "check"),
      await world.run("doctor"),
    ])
      expect(report).not.toMatch(/no room|never delivered/);
  });

  it("are shown as waiting by why, status and receipt until they are delivered", async () => {
    const world = setUp(MANY);
    await world.hook("SessionStart", { source: "startup" });
    expect(await world.run("why", "s1")).toMatch(
      /Waiting: 3 more parts, added with the next prompts[\s\S]*r39\.md/,
    );
    expect(await world.run("status")).toContain("Waiting: 3 parts for session s1");
    expect((await world.run("sessions", "receipt", "s1")).match(/waiting for the next prompt/g)).toHaveLength(
      3,
    );
    const prompt = { prompt: "hello" };
    await Promise.all([1, 2, 3].map((entry) => world.hook("UserPromptSubmit", prompt, [String(entry)])));
    const why = await world.run("why", "s1");
    expect(why).not.toContain("Waiting");
    expect(why.match(/^ {2}r\d\d\.md +rules/gm)).toHaveLength(30);
    expect(JSON.parse(await world.run("status", "--json")).data.sessions).toMatchObject([
      { snapshots: 1, items: 30 },
    ]);
    expect(await world.run("status")).not.toContain("Waiting");
  });
});

describe("a rule that can never be delivered", () => {
  const FILES = { ".continuo/rules/huge.md": LINE.repeat(1200), ".continuo/rules/small.md": "Use pnpm." };

  it("is reported by rules check, rules list, start and doctor, with its size, the limit and a fix", async () => {
    const world = setUp(FILES);
    for (const words of [["rules", "check"], ["rules", "list"], ["doctor"]]) {
      const report = await world.run(...words);
      expect(report).toMatch(
        /huge\.md is never delivered: it needs \d+ tokens .* limit for rules is 12000 tokens \(rulesLimit\)/,
      );
      expect(report).toContain("split it into several rules, or raise rulesLimit");
      expect(report).not.toContain("small.md is never");
    }
    expect(await world.run("start", "--host", "claude-code")).toMatch(
      /left out: huge\.md \([\d,]+ tokens\); the limit is 12,000 tokens: continuo config rulesLimit/,
    );
    expect(JSON.parse(await world.run("rules", "list", "--json")).data.rules).toMatchObject([
      { name: "huge.md", active: true, leftOut: true },
      { name: "small.md", leftOut: false },
    ]);
  });

  it("is distinguished from one that only does not fit beside others", async () => {
    const files = Object.fromEntries(
      [1, 2, 3].map((i) => [`.continuo/rules/l${i}.md`, `${i}. ${LINE.repeat(300)}`]),
    );
    const report = await setUp(files).run("rules", "check");
    expect(report).toMatch(/l3\.md \(\d+ tokens\) does not fit beside the other active rules/);
    expect(report).not.toMatch(/l[12]\.md \(\d+ tokens\) has no room|never delivered/);
  });

  it("fits once rulesLimit is raised, and a lowered TOKEN_LIMIT applies to rules too", async () => {
    const world = setUp({ ...FILES, "../home/config.json": '{ "rulesLimit": 30000 }' });
    expect(await world.run("rules", "check")).not.toContain("huge.md is never");
    const { data } = JSON.parse(await world.run("start", "--json"));
    expect([data.dropped, data.rulesLimit]).toEqual([[], 30_000]);
    const low = setUp(MANY, { TOKEN_LIMIT: "500" });
    const limited = JSON.parse(await low.run("start", "--json")).data;
    expect(limited.tokens).toBeLessThanOrEqual(500);
    expect(limited.items.length).toBeGreaterThan(0);
    expect(JSON.parse(await setUp(MANY, { TOKEN_LIMIT: "0" }).run("start", "--json")).data.text).toBe("");
  });
});
