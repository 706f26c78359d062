import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleSeed, proposal } from "../../sources/profile/seeds.ts";
import { CONTINUO, runScript } from "../../support/child.ts";
import { commandWorld } from "../../support/in-process.ts";
import { write } from "../../support/world.ts";

const RULES = {
  ".continuo/rules/a.md": "Rule A.",
  ".continuo/rules/b.md": "Rule B.",
  ".continuo/rules/t.md": "---\nglobs: '*.ts'\n---\nRule T.",
};

function setUp(files: Record<string, string> = RULES) {
  const world = commandWorld(files);
  const line = async (stdin: string) => {
    const ran = await runScript(CONTINUO, ["statusline"], { env: world.env, cwd: world.root, stdin });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return ran.stdout;
  };
  return { ...world, line, settings: join(world.user, ".claude", "settings.json") };
}

const payload = (id = "s1") => JSON.stringify({ session_id: id, cwd: "/", model: { id: "m" } });

describe("continuo statusline", () => {
  it("says what the session received in this epoch and what waits for the user", async () => {
    const { hook, line, user } = setUp();
    await hook("SessionStart", { source: "startup" });
    expect(await line(payload())).toMatch(/^Continuo 2 rules · \d+ tokens\n$/);
    await hook("PostToolUse", { tool_name: "Read", tool_input: { file_path: "x.ts" } });
    expect(await line(payload())).toMatch(/^Continuo 3 rules · \d+ tokens\n$/);
    const waiting = exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm")] } });
    write(join(user, ".pai"), { "seed.json": JSON.stringify(waiting) });
    expect(await line(payload())).toMatch(/^Continuo 3 rules · \d+ tokens · 1 suggestion\n$/);
  });

  it("prints nothing, and never fails, if nothing is known or the input is anything else", async () => {
    const { line, home } = setUp();
    for (const stdin of ["", "{", "[]", "null", payload("other"), payload("../../x"), '{"session_id":7}'])
      expect(await line(stdin)).toBe("");
    write(join(home.state, "claude-code"), { "s1.json": "garbage" });
    expect(await line(payload())).toBe("");
    write(join(home.state, "claude-code"), {
      "s1.json": JSON.stringify({ version: 1, given: { counts: "\u001b[2J", tokens: {} } }),
    });
    expect(await line(payload())).toBe("");
  });

  it("is turned off by the setting for status lines", async () => {
    const { hook, line, home } = setUp();
    await hook("SessionStart", { source: "startup" });
    write(home.root, { "config.json": '{"statusLine": false}' });
    expect(await line(payload())).toBe("");
  });
});

describe("continuo install claude-code --statusline", () => {
  it("adds the command, keeps it at the next installation, and uninstall restores every byte", async () => {
    const { run, settings, line, hook } = setUp();
    const before = '{\n\t"model": "opus",\n\t"hooks": {}\n}\n';
    write(dirname(settings), { "settings.json": before });
    expect((await run("install", "claude-code")).code).toBe(0);
    expect(readFileSync(settings, "utf8")).not.toContain("statusLine");
    expect((await run("install", "claude-code", "--statusline")).code).toBe(0);
    const { statusLine } = JSON.parse(readFileSync(settings, "utf8"));
    expect(statusLine).toEqual({
      type: "command",
      command: expect.stringContaining("continuo.cjs statusline"),
    });
    expect((await run("install", "claude-code")).stdout).toContain("Nothing was changed");
    expect((await run("doctor", "--verbose")).stdout).toContain("with a status line");
    await hook("SessionStart", { source: "startup" });
    expect(await line(payload())).toContain("Continuo 2 rules");
    expect((await run("uninstall", "claude-code")).code).toBe(0);
    expect(readFileSync(settings, "utf8")).toBe(before);
  });

  it("removes only its own entry if the file was changed meanwhile", async () => {
    const { run, settings } = setUp();
    write(dirname(settings), { "settings.json": '{\n  "model": "opus"\n}\n' });
    await run("install", "claude-code", "--statusline");
    const changed = readFileSync(settings, "utf8").replace('"opus"', '"sonnet"');
    write(dirname(settings), { "settings.json": changed });
    await run("uninstall", "claude-code");
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({ model: "sonnet" });
  });

  it("never replaces a status line of the user's own, and says how to show both", async () => {
    const { run, settings } = setUp();
    for (const command of [
      "~/bin/line.sh",
      "~/bin/line.sh; /n/node /x/continuo.cjs statusline 2>/dev/null",
    ]) {
      const own = JSON.stringify({ statusLine: { type: "command", command } });
      write(dirname(settings), { "settings.json": own });
      const { code, stderr } = await run("install", "claude-code", "--statusline");
      expect(code).toBe(1);
      expect(stderr).toMatch(/status line of your own[\s\S]*To show both[\s\S]*continuo\.cjs statusline/);
      expect(readFileSync(settings, "utf8")).toBe(own);
      await run("install", "claude-code");
      await run("uninstall", "claude-code");
      expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual(JSON.parse(own));
    }
  });

  it("is reported by doctor when its files are gone, and refused for other hosts", async () => {
    const { run, settings } = setUp();
    await run("install", "claude-code", "--statusline");
    const text = readFileSync(settings, "utf8").replace(
      "continuo.cjs statusline",
      "gone/continuo.cjs statusline",
    );
    write(dirname(settings), { "settings.json": text });
    expect((await run("doctor")).stdout).toMatch(/its status line names .*gone/);
    expect(await run("install", "codex", "--statusline")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Codex has no status line"),
    });
  });
});
