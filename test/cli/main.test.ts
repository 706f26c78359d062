import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMAND_NAMES } from "../../src/cli/commands/index.ts";
import { CONTINUO, ROOT, runScript } from "../support/child.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

const run = (args: string[], world = temporaryWorld()) =>
  runInProcess(args, { env: world.env, cwd: world.root });

const runProcess = (args: string[], world = temporaryWorld()) =>
  runScript(CONTINUO, args, { env: world.env, cwd: world.root });

describe("the command line", () => {
  it("has help that fits one screen, and help for every command", async () => {
    const help = (await runProcess(["help"])).stdout;
    expect(help.split("\n").length).toBeLessThanOrEqual(46);
    expect(help.split("\n").every((line) => line.length <= 80)).toBe(true);
    for (const name of COMMAND_NAMES)
      expect((await run(["help", name])).stdout).toContain(`continuo ${name}`);
  });

  it.each([
    [["stat"], 2, 'did you mean "continuo start"?'],
    [["doktor"], 2, 'did you mean "continuo doctor"?'],
    [["zzzzzz"], 2, "list all commands: continuo help"],
    [["start", "--projct", "."], 2, "continuo: unknown option --projct\n  did you mean --project? usage:"],
    [["start", "--project"], 2, "continuo: option --project needs a value\n  usage:"],
    [["start", "--json=1"], 2, "continuo: option --json does not take a value\n  usage:"],
    [["install", "claude"], 2, "claude-code"],
    [["completion", "tcsh"], 2, "bash, zsh, fish"],
    [["start", "--project", "/no/such/folder"], 1, "folder that exists"],
  ])("%j exits %i and says what would have worked", async (args, code, hint) => {
    const done = await runProcess(args);
    expect(done.code).toBe(code);
    expect(done.stdout).toBe("");
    expect(done.stderr).toContain(hint);
  });

  it("wraps results and errors in the envelope with --json", async () => {
    expect(JSON.parse((await run(["status", "--json"])).stdout)).toMatchObject({
      ok: true,
      data: { sessions: [] },
    });
    const failed = await runProcess(["start", "--project", "/no/such", "--json"]);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      ok: false,
      error: { code: "no-such-folder", message: expect.any(String), hint: expect.any(String) },
    });
  });

  it("prints no colour when it is not a terminal", async () => {
    // A server of MCP ends with its input, which only a process of its own can see.
    const runs = COMMAND_NAMES.map((name) => (name === "mcp" ? runProcess([name]) : run([name])));
    const all = await Promise.all(runs);
    for (const { stdout, stderr } of all) expect(stdout + stderr).not.toContain("\u001b[");
  });
});

describe("start", () => {
  it("shows the exact bytes that the hook then delivers", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A.", ".opencode/rules/b.md": "Rule B." });
    const shown = JSON.parse((await run(["start", "--json"], world)).stdout).data;
    const hook = await runScript(CONTINUO, ["hook", "claude-code", "SessionStart"], {
      env: world.env,
      cwd: world.root,
      stdin: JSON.stringify({ session_id: "s", cwd: world.root, source: "startup" }),
    });
    expect(JSON.parse(hook.stdout).hookSpecificOutput.additionalContext).toBe(shown.text);
    expect((await run(["start"], world)).stdout).toContain(shown.text);
  });

  it("writes nothing", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    await run(["start"], world);
    expect(readdirSync(join(world.root, "..")).sort()).toEqual(["project"]);
  });

  it("says when it shows the sample project instead", async () => {
    const { stdout } = await run(["start", "--sample-if-empty"]);
    expect(stdout).toContain("This is the sample project");
    expect(stdout).toContain(join(ROOT, "samples", "bookshop"));
    expect(stdout).toContain("Prices are integers in cents");
  });

  it("says that no tokens are used when nothing applies", async () => {
    expect((await run(["start"])).stdout).toContain("would get nothing");
  });

  it("honours TOKEN_LIMIT, and names a bad one", async () => {
    const world = temporaryWorld({
      ".continuo/rules/a.md": "word ".repeat(500),
      ".continuo/rules/b.md": "Short.",
    });
    const limited = { ...world, env: { ...world.env, TOKEN_LIMIT: "200" } };
    const { data } = JSON.parse((await run(["start", "--json"], limited)).stdout);
    expect(data.tokens).toBeLessThanOrEqual(200);
    expect(data.dropped).toHaveLength(1);
    const wrong = await run(["start"], { ...world, env: { ...world.env, TOKEN_LIMIT: "many" } });
    expect(wrong.stdout).toContain('TOKEN_LIMIT is "many"');
  });
});

describe("doctor", () => {
  it("suggests the nearest known config key, and a broken config stops nothing", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    write(world.home.root, {
      "config.json": '{ "tokenLimt": 5, "sources": { "ruls": {} }, "snapshotAim": "x" }',
    });
    const { stdout, code } = await run(["doctor"], world);
    expect(code).toBe(1);
    expect(stdout).toContain('did you mean "tokenLimit"?');
    expect(stdout).toContain('did you mean "rules"?');
    expect(stdout).toContain("a whole number from 0");
    write(world.home.root, { "config.json": "{ nonsense" });
    expect((await run(["start"], world)).stdout).toContain("Rule A.");
    expect((await run(["doctor"], world)).stdout).toContain("is not JSON");
  });
});
