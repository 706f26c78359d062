import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { nameFor } from "../../../../src/sources/rules/actions/new-rule.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { hasTmux, openTerminal } from "../../../support/terminal.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function place(files: Record<string, string> = {}) {
  const world = temporaryWorld({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/a": "",
    ".git/refs/a": "",
    ...files,
  });
  const at =
    (cwd: string) =>
    (...args: string[]) =>
      runInProcess(["rules", ...args], { env: world.env, cwd });
  const folder = join(world.root, ".continuo/rules");
  const names = () => (existsSync(folder) ? readdirSync(folder).sort() : []);
  return { ...world, at, run: at(world.root), folder, names };
}

it.each([
  ["Run the tests before you say that you are done with the task.", "run-the-tests"],
  ["Run the tests before you say done.", "run-the-tests-before-you-say-done"],
  ["If you are in the payments folder, ask a person before each change.", "if-you-are-in-the-payments"],
  ["Never commit directly to the main branch of this repository.", "never-commit-directly"],
  ["Keep all amounts of money as integer cents everywhere.", "keep-all-amounts-of-money"],
  ["Donaudampfschifffahrtsgesellschaftskapitaenspatent", "donaudampfschifffahrtsgesellschaftskapit"],
])("a name made from a text ends sensibly: %s", (text, name) => {
  expect(nameFor(text)).toBe(name);
});

describe("continuo rules add", () => {
  it("writes a file that the catalog reads, and says when it applies and how to undo it", async () => {
    const { run, folder, names } = place();
    const done = await run("add", "Run the tests before you say done.");
    expect(done.code).toBe(0);
    expect(names()).toEqual(["run-the-tests-before-you-say-done.md"]);
    expect(readFileSync(join(folder, names()[0] ?? ""), "utf8")).toBe("Run the tests before you say done.\n");
    expect(done.stdout).toContain(
      "given    in every session of this project, and again after each compaction\n",
    );
    expect(done.stdout).toContain("To undo: continuo rules remove run-the-tests-before-you-say-done\n");
    expect(done.stdout).toMatch(/ {2}file .*\n {11}in this repository: commit it to share it, or use --user/);
    expect((await run("list")).stdout).toMatch(/active +run-the-tests-before-you-say-done/);
  });

  it("takes globs, also several in one value, and warns of those that match no file", async () => {
    const { run, folder, names } = place({ "src/a.ts": "" });
    const done = await run("add", "Imports", "end", "in .ts.", "--globs", "src/**/*.ts, *.{vue,svelte}");
    expect(done.stdout).toContain(
      "given    once a file matching src/**/*.ts, *.{vue,svelte} is read, edited or mentioned, in any session of this project; from then on again after each compaction\n",
    );
    expect(done.stdout).toContain('warning  "*.{vue,svelte}" matches no file of this project yet');
    expect(done.stdout).not.toContain('"src/**/*.ts" matches no');
    expect(readFileSync(join(folder, names()[0] ?? ""), "utf8")).toBe(
      '---\nglobs: ["src/**/*.ts","*.{vue,svelte}"]\n---\n\nImports end in .ts.\n',
    );
    expect((await run("list", "--path", "src/a.ts")).stdout).toMatch(/active +imports-end-in-ts/);
  });

  it("refuses a text that a rule has already, empty and too long ones, and frontmatter in the text", async () => {
    const { run, names, home } = place();
    write(home.root, { "rules/mine.md": "Answer in English.\n" });
    await run("add", "Never use any.");
    for (const text of ["Never use any", "never  use ANY.", "Answer in English."]) {
      const { code, stderr } = await run("add", text);
      expect([code, stderr]).toEqual([1, expect.stringContaining("already a rule with this text")]);
    }
    expect((await run("add", " ")).stderr).toContain("TEXT is missing");
    expect((await run("add", "word ".repeat(3000))).stderr).toContain("the limit is 2000");
    expect((await run("add", "---\nkeywords: x\n---\nText")).stderr).toContain("begins with ---");
    expect((await run("add", "a\u001b[31mb")).stderr).toContain("control characters");
    expect(names()).toEqual(["never-use-any.md"]);
  });

  it("never replaces a file, nor a rule of the user's by its name", async () => {
    const { run, folder, names, home } = place({ ".continuo/rules/tests.md": "One.\n" });
    write(home.root, { "rules/Lint.md": "Lint.\n" });
    expect((await run("add", "Two.", "--name", "tests.md")).stderr).toContain('already a rule named "tests"');
    expect((await run("add", "Three.", "--name", "lint")).stderr).toContain('already a rule named "lint"');
    expect((await run("add", "Tests: all.", "--name", "../../x")).stdout).toContain("rule x\n");
    expect((await run("add", "Lint!!")).stderr).toContain("with this text");
    expect((await run("add", "Lint. And test.")).code).toBe(0);
    expect((await run("add", "Con")).code).toBe(0);
    expect(readFileSync(join(folder, "tests.md"), "utf8")).toBe("One.\n");
    expect(names()).toEqual(["con-note.md", "lint-and-test.md", "tests.md", "x.md"]);
  });

  it("adds the user's own rule with --user, in the home folder and in Continuo's own", async () => {
    const { run, at, env, home } = place();
    expect((await run("add", "One.", "--user")).stdout).toContain(
      "given    in every session in all your projects, and again",
    );
    expect((await run("add", "One and a half.", "--user")).stdout).toContain(
      "yours alone, for all your projects;",
    );
    expect((await runInProcess(["doctor"], { env, cwd: home.root })).stdout).not.toContain("other users");
    mkdirSync(env["HOME"] ?? "", { recursive: true });
    const atHome = await at(env["HOME"] ?? "")("add", "Two.");
    expect(atHome.stdout).toContain("~ is not a project, so the rule applies in all your projects.");
    expect((await at(home.root)("add", "Three.")).stdout).toContain("in all your projects");
    expect(readdirSync(join(home.root, "rules")).sort()).toEqual([
      "one-and-a-half.md",
      "one.md",
      "three.md",
      "two.md",
    ]);
    expect((await run("add", "Four.", "--user", "--project", ".")).code).toBe(2);
  });

  it("outside git says that only this folder counts", async () => {
    const { at, root } = place();
    const plain = join(dirname(root), "plain");
    mkdirSync(plain);
    const { stdout } = await at(plain)("add", "One.");
    expect(stdout).toContain("in every session that starts in this folder");
    expect(stdout).toContain("in this folder; for all your projects use --user");
    expect(stdout).not.toContain("repository");
    expect(existsSync(join(plain, ".continuo/rules/one.md"))).toBe(true);
  });

  it("writes nothing through a link that leads out of the project", async () => {
    const { run, root } = place();
    const outside = join(dirname(root), "outside");
    mkdirSync(join(outside, "rules"), { recursive: true });
    symlinkSync(outside, join(root, ".continuo"));
    expect((await run("add", "One.")).code).toBe(1);
    expect(readdirSync(join(outside, "rules"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("in a read-only project says so and what else works", async () => {
    const { run, root } = place();
    chmodSync(root, 0o500);
    const refused = await run("add", "One.");
    chmodSync(root, 0o700);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be written \(EACCES\)[\s\S]*--user/),
    ]);
  });

  it("by several processes at once: each text once, each in its own file", async () => {
    const { env, root, names } = place();
    const texts = ["Same text.", "Same text.", "Same.", "Same!", "Other text."];
    const done = await Promise.all(
      texts.map((text) => runScript(CONTINUO, ["rules", "add", text], { env, cwd: root })),
    );
    expect(done.map(({ code }) => code).sort()).toEqual([0, 0, 0, 1, 1]);
    expect(names()).toEqual(["other-text.md", "same-text.md", "same.md"]);
  });
});

describe("continuo rules remove", () => {
  it("moves the file to the trash, from which it comes back; without a terminal only with --yes", async () => {
    const { run, env, root, names } = place();
    await run("add", "Run the tests.", "--name", "tests");
    const unsure = await run("remove", "tests");
    expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining("rules remove tests --yes")]);
    expect(names()).toEqual(["tests.md"]);
    const removed = await run("remove", "tests", "--yes");
    const [, id = ""] = /To undo: continuo restore (\w{6})\n$/.exec(removed.stdout) ?? [];
    expect(names()).toEqual([]);
    const restored = await runInProcess(["restore", id], { env, cwd: root });
    expect(restored.stdout).toContain("Restored the rule tests\n");
    expect(names()).toEqual(["tests.md"]);
  });

  it("lists the paths if two rules have the name, suggests near names, and leaves other programs' files", async () => {
    const { run, root, home } = place({
      ".continuo/rules/style.md": "One.\n",
      ".cursor/rules/imports.mdc": "---\nalwaysApply: true\n---\nTwo.\n",
    });
    write(home.root, { "rules/style.md": "Mine.\n" });
    const unclear = await run("remove", "style", "--yes");
    expect(unclear.stderr).toContain('2 rules are called "style"');
    expect(unclear.stderr).toContain(join(root, ".continuo/rules/style.md"));
    expect((await run("remove", join(home.root, "rules/style.md"), "--yes")).code).toBe(0);
    expect(existsSync(join(home.root, "rules/style.md"))).toBe(false);
    expect((await run("remove", "stile", "--yes")).stderr).toContain('did you mean "style"?');
    expect((await run("remove", "imports", "--yes")).stderr).toContain("continuo mute imports");
    expect(existsSync(join(root, ".cursor/rules/imports.mdc"))).toBe(true);
  });

  it("removes a file that is refused as a rule", async () => {
    const { run, names } = place({ ".continuo/rules/bad.md": "---\nglobs: [\n---\nx\n" });
    expect((await run("remove", "bad", "--yes")).code).toBe(0);
    expect(names()).toEqual([]);
  });

  it.skipIf(!hasTmux).each([
    ["n\n", true],
    ["y\n", false],
    ["\u0004", true],
  ])("at a terminal asks, and after %j the rule is there: %s", async (typed, stays) => {
    const { env, root, folder } = place({ ".continuo/rules/tests.md": "Run the tests.\n" });
    const shell = [
      "sh",
      "-c",
      `"${process.execPath}" "${CONTINUO}" rules remove tests; echo ENDED; sleep 60`,
    ];
    const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
    try {
      expect(await terminal.until(/\[y\/N\]/)).toMatch(/tests\.md\s+"Run the tests\."\s+Remove this rule\?/);
      await terminal.type(typed);
      await terminal.until(/ENDED/);
    } finally {
      await terminal.close();
    }
    expect(existsSync(join(folder, "tests.md"))).toBe(stays);
  });
});
