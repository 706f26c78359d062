import { describe, expect, it } from "vitest";
import { commandWorld, runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const FILES = {
  ".continuo/rules/always.md": "Always.",
  ".continuo/rules/ts.md": "---\nname: types\nglobs: 'src/**/*.ts'\nexclude: '*.test.ts'\n---\nTypes.",
  ".continuo/rules/word.md": "---\nkeywords: [database]\nbranch: main\nmatch: all\n---\nBoth.",
  ".continuo/rules/dead.md": "---\nglobs: 'nothing/**/*.zig'\n---\nDead.",
  ".continuo/rules/typo.md": "---\nglob: '*.ts'\n---\nTypo.",
  "src/a.ts": "",
  ".git/HEAD": "ref: refs/heads/dev\n",
  ".git/objects/x": "",
};

function setUp(files: Record<string, string> = {}) {
  const world = commandWorld({ ...FILES, ...files });
  const run = (...args: string[]) => world.run("rules", ...args);
  const active = async (...args: string[]) =>
    (await world.data("rules", "list", ...args)).rules
      .filter((rule: { active: boolean }) => rule.active)
      .map((rule: { name: string }) => rule.name);
  return { world, run, active };
}

describe("rules list and why", () => {
  it("show which rules would apply for a path, a prompt, a branch", async () => {
    const { active } = setUp();
    expect(await active()).toEqual(["always.md"]);
    expect(await active("--path", "src/deep/x.ts")).toEqual(["always.md", "types"]);
    expect(await active("--path", "src/x.test.ts")).toEqual(["always.md"]);
    expect(await active("--prompt", "the databases", "--branch", "main")).toEqual(["always.md", "word.md"]);
    expect(await active("--prompt", "the databases")).toEqual(["always.md"]);
  });

  it("take a path as one of the named project, from another folder", async () => {
    const { world } = setUp();
    const elsewhere = temporaryWorld({ "src/a.ts": "" }).root;
    const run = async (cwd: string, ...args: string[]) =>
      (await runInProcess(["rules", "why", "types", ...args], { env: world.env, cwd })).stdout;
    expect(await run(elsewhere, "--project", world.root, "--path", "src/a.ts")).toContain("types: active");
    expect(await run(`${world.root}/src`, "--project", "..", "--path", "a.ts")).toContain("types: active");
  });

  it("say whether the session is a new or a simulated one", async () => {
    const { run } = setUp();
    for (const command of ["list", "why"]) {
      expect((await run(command)).stdout).toContain("Shown for a new session.");
      const simulated = (await run(command, "--path", "src/a.ts")).stdout;
      expect(simulated).toContain("Shown for a session simulated with the given options.");
      expect(simulated).not.toContain("new session");
    }
  });

  it("explain what decided, and the condition of a rule", async () => {
    const { run } = setUp();
    const { stdout } = await run("why", "types", "--path", "src/a.ts");
    expect(stdout).toContain("types: active");
    expect(stdout).toContain("src/a.ts was touched (src/**/*.ts)");
    expect(stdout).toContain("but not *.test.ts");
    expect((await run("why", "word.md", "--prompt", "database")).stdout).toContain(
      'the branch is dev, not "main"',
    );
    const unknown = await run("why", "typs");
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('did you mean "types"?');
  });
});

describe("a check with a mistake", () => {
  const WRONG = "---\nname: odd\nchecks:\n  edits:\n    - never: '(a'\n    - never: ok\n---\nOdd.";
  const MESSAGE = 'a check of edits has never: "(a", which has an open (; the check is left out';

  it("is named by rules list, rules why and doctor, and list counts the checks that work", async () => {
    const { run, world } = setUp({ ".continuo/rules/odd.md": WRONG });
    const listed = (await run("list")).stdout;
    expect(listed.replace(/\s+/g, " ")).toContain(`left out odd: ${MESSAGE} -> give a regular expression`);
    expect(listed).toMatch(/rule +tokens +checks +file/);
    expect(listed).toMatch(/ odd +\d+ +1 +\.continuo/);
    expect(listed).toMatch(/ always\.md +\d+ +- +\.continuo/);
    expect((await run("why", "odd")).stdout).toContain(`  left out   ${MESSAGE}\n             -> give`);
    const doctor = await runInProcess(["doctor"], { env: world.env, cwd: world.root });
    expect(doctor.stdout).toContain(MESSAGE);
  });
});

describe("lines", () => {
  it("of help fit 80 columns, unless a word is longer", async () => {
    const { world } = setUp({});
    const help = await runInProcess(["help", "rules"], { env: world.env, cwd: world.root });
    for (const line of help.stdout.split("\n"))
      expect(line.length <= 80 || !/\S\s+\S/.test(line.slice(0, 80)) ? "" : line).toBe("");
  });
});

describe("rules check", () => {
  it("warns of a check's files that match nothing, but not of languages in the user's own rules", async () => {
    const { run, world } = setUp({
      ".continuo/rules/c.md": "---\nchecks:\n  edits: { never: x, files: [lib/**/*.ts, src/**] }\n---\nC.",
    });
    write(world.home.root, { "rules/own.md": "---\nglobs: ['**/*.{rs,go}', own/**]\n---\nOwn." });
    const text = (await run("check")).stdout.replace(/\s+/g, " ");
    expect(text).toContain('"lib/**/*.ts" matches no file');
    expect(text).not.toContain('"src/**" matches no file');
    expect(text).toContain('"own/**" matches no file');
    expect(text).not.toContain('"**/*.{rs,go}" matches no file');
  });

  it("refuses, warns and says how to fix", async () => {
    const { run } = setUp();
    const { stdout, code } = await run("check");
    expect(code).toBe(1);
    expect(stdout).toContain("rule-unknown-key");
    expect(stdout).toContain("globs");
    expect(stdout).toMatch(/dead-glob: "nothing\/\*\*\/\*\.zig" matches no file/);
    expect(stdout).not.toContain('"src/**/*.ts" matches no file');
    expect(stdout).toContain("4 rules loaded, 1 refused");
  });
});
