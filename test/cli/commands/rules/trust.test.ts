import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pendingNote } from "../../../../src/store/health.ts";
import { readTrust } from "../../../../src/store/trust.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { hasTmux, openTerminal } from "../../../support/terminal.ts";
import { write } from "../../../support/world.ts";

const GUARD = "---\nguard: { action: deny, tool: Bash, match: rm -rf, message: Ask first. }\n---\nNo.";

function place() {
  const world = commandWorld({ ".continuo/rules/g.md": GUARD });
  const hook = (event: string, more: object) =>
    runScript(CONTINUO, ["hook", "claude-code", event], {
      env: world.env,
      cwd: world.root,
      stdin: JSON.stringify({ session_id: "s1", cwd: world.root, ...more }),
    });
  return { ...world, hook, file: join(world.home.root, "trust.json") };
}

describe("continuo rules trust", () => {
  it("without a terminal shows the checks and changes nothing, unless --yes is given", async () => {
    const { run, home, root } = place();
    const refused = await run("rules", "trust");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("no terminal to ask on");
    expect(refused.stderr).toContain(
      "deny: calls of Bash must not match /rm -rf/: Ask first. (.continuo/rules/g.md)",
    );
    expect(refused.stderr).toContain("--yes");
    expect(readTrust(home).projects).toEqual([]);
    const trusted = await run("rules", "trust", "--yes");
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).toContain("deny: calls of Bash must not match /rm -rf/");
    expect(readTrust(home).projects).toEqual([root]);
    expect((await run("rules", "untrust")).code).toBe(0);
    expect(readTrust(home).projects).toEqual([]);
  });

  it("names the user's own rules that a rule of the project replaces", async () => {
    const { run, home, root } = place();
    expect((await run("rules", "trust")).stderr).not.toContain("replaced by");
    write(home.root, { "rules/g.md": GUARD.replace("rm -rf", "mkfs"), "rules/other.md": "No checks." });
    write(root, { ".continuo/rules/other.md": "Also none." });
    const line = `${join(home.root, "rules/g.md")}, replaced by .continuo/rules/g.md`;
    for (const { stdout, stderr } of [await run("rules", "trust"), await run("rules", "trust", "--yes")]) {
      expect(stdout + stderr).toContain(line);
      expect((stdout + stderr).match(/replaced by/g)).toHaveLength(1);
    }
  });

  it.skipIf(!hasTmux).each([
    ["n", false],
    ["", false],
    ["y", true],
  ])("at a terminal asks, and the answer %j means %s", async (answer, isTrusted) => {
    const { env, root, home } = place();
    const shell = ["sh", "-c", `"${process.execPath}" "${CONTINUO}" rules trust; echo ENDED; sleep 60`];
    const terminal = await openTerminal(dirname(root), shell, { cwd: root, env });
    try {
      expect(await terminal.until(/\[y\/N\]/)).toMatch(/deny: calls of Bash/);
      await terminal.type(`${answer}\n`);
      // What was asked about is not printed a second time.
      expect((await terminal.until(/ENDED/)).match(/deny: calls of Bash/g)).toHaveLength(1);
    } finally {
      await terminal.close();
    }
    expect(readTrust(home).projects).toEqual(isTrusted ? [root] : []);
  });

  it("rules list and doctor say when the checks have changed since they were shown", async () => {
    const { run, root } = place();
    await run("rules", "trust", "--yes");
    expect((await run("rules", "list")).stdout).not.toContain("shown");
    expect((await run("doctor", "--verbose")).stdout).toContain("checks of 1 project may stop tool calls");
    write(root, { ".continuo/rules/h.md": GUARD.replace("rm -rf", "curl") });
    expect((await run("rules", "list")).stdout).toContain("have changed since you trusted");
    expect((await run("doctor")).stdout).toMatch(/! trust: .*have changed since you trusted them/);
    await run("rules", "trust", "--yes");
    expect((await run("rules", "list")).stdout).not.toContain("shown");
  });
});

describe("what is said about checks that deny", () => {
  const why = async (run: ReturnType<typeof place>["run"], name: string) =>
    /check .*/.exec((await run("rules", "why", name)).stdout)?.[0];

  it("is true in trusted and untrusted projects, for the project's rules and the user's own", async () => {
    const { run, home } = place();
    write(home.root, { "rules/own.md": GUARD.replace("rm -rf", "curl") });
    const untrusted = (await run("rules", "list")).stdout;
    expect(untrusted).toContain("This project's checks only remind, and stop nothing, until you trust it");
    expect(await why(run, "g.md")).toMatch(/deny: .*\(only reminds: you do not trust this project\)$/);
    expect(await why(run, "own.md")).toMatch(/deny: calls of Bash must not match \/curl\/$/);
    await run("rules", "trust", "--yes");
    expect((await run("rules", "list")).stdout).not.toContain("only remind");
    expect(await why(run, "g.md")).toMatch(/deny: calls of Bash must not match \/rm -rf\/$/);
    const { stdout } = await run("rules", "untrust");
    expect(stdout).toContain("Its checks remind the agent but stop nothing");
    expect(stdout).toContain("Your own rules still stop calls.");
  });

  it("a call that was not stopped, because the host did not ask, is told after it", async () => {
    const { run, hook } = place();
    await run("rules", "trust", "--yes");
    await hook("SessionStart", { source: "startup" });
    const call = {
      tool_name: "Bash",
      tool_input: { command: "rm -rf /x" },
      tool_response: { stdout: "done" },
    };
    expect((await hook("PostToolUse", call)).stdout).toMatch(/breaks the rule \\"g.md\\".*Ask first\./);
  });

  it("trust in a project without checks says that there are none, once", async () => {
    const { run, root } = place();
    write(root, { ".continuo/rules/g.md": "Just a text." });
    const { stdout } = await run("rules", "trust", "--yes");
    expect(stdout).toBe(
      `You now trust ${root}.\n${root} has no check that denies or asks. Checks that are added later may stop the agent there.\nTo undo: continuo rules untrust\n`,
    );
  });
});

describe("commands that rules run", () => {
  it("are not accepted if there are more than 50, and none of them is listed", async () => {
    const { run, home, root } = place();
    const list = (count: number) =>
      Array.from({ length: count }, (_, i) => `    - command: linter-${i}`).join("\n");
    const rule = (count: number) => ({
      ".continuo/rules/many.md": `---\nchecks:\n  run:\n${list(count)}\n---\nLint.`,
      ".continuo/rules/more.md": `---\nchecks:\n  run:\n    - command: one-more\n---\nLint.`,
    });
    write(root, rule(50));
    const refused = await run("rules", "trust", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("want to run 51 commands");
    expect(refused.stderr).not.toContain("linter-1");
    expect(readTrust(home).projects).toEqual([]);
    write(root, rule(49));
    const trusted = await run("rules", "trust", "--yes");
    expect(trusted.stdout).toContain("whatever the project's files make of it");
    expect(readTrust(home).runs[root]).toHaveLength(50);
  });

  const lint = (command: string) =>
    `---\nglobs: src/**/*.ts\nchecks:\n  run:\n    - command: ${command}\n      timeout: 30\n---\nLint.`;

  it("are shown in full and exactly before they are accepted, and stored", async () => {
    const { run, home, root } = place();
    write(root, { ".continuo/rules/lint.md": lint("npx 'es  lint' --quiet \u0435slint") });
    const shown = "npx 'es  lint' --quiet \"\\u0435slint\"";
    const refused = await run("rules", "trust");
    expect(refused.stderr).toContain("These commands run when the agent goes idle");
    expect(refused.stderr).toContain(`${shown}  (on src/**/*.ts; at most 30 s;`);
    expect(readTrust(home).runs).toEqual({});
    expect((await run("rules", "trust", "--yes")).stdout).toContain(shown);
    expect(readTrust(home).runs[root]).toEqual([expect.stringContaining('["npx","es  lint","--quiet"')]);
    await run("rules", "untrust");
    expect(readTrust(home)).toEqual({ projects: [], shown: {}, runs: {} });
  });

  it("that are new or changed are named by rules list, rules check and doctor until they are accepted", async () => {
    const { run, root } = place();
    write(root, { ".continuo/rules/lint.md": lint("npx eslint") });
    const said = async () =>
      Promise.all(["list", "check"].map(async (one) => (await run("rules", one)).stdout)).then(
        async (texts) => [...texts, (await run("doctor")).stdout],
      );
    const [list = "", check = ""] = await said();
    expect(list).toContain("Commands of rules do not run until you trust this project");
    expect(check).toContain("run-not-accepted: npx eslint does not run");
    await run("rules", "trust", "--yes");
    for (const text of await said()) expect(text).not.toMatch(/not run|not accepted/);
    write(root, { ".continuo/rules/lint.md": lint("npx eslint --fix") });
    const [changed = "", lints = "", doctor = ""] = await said();
    expect(changed).toMatch(/do not run until you accept them.*\n {2}npx eslint --fix {2}\(/);
    expect(lints).toContain("run-not-accepted: npx eslint --fix does not run");
    expect(doctor).toMatch(/! trust: .*want to run npx eslint --fix, which you have not accepted/);
  });

  it("of the user's own rules need no consent of their own", async () => {
    const { run, root, home } = place();
    write(home.root, { "rules/lint.md": lint("npx eslint") });
    const trusted = await run("rules", "trust", "--yes");
    expect(trusted.stdout).toContain("your rule");
    expect(readTrust(home).runs).toEqual({});
    expect((await run("rules", "list", "--project", root)).stdout).not.toContain("do not run");
  });
});

describe("a damaged trust.json", () => {
  it("lets checks stop nothing, is reported by the next snapshot and doctor, and is kept aside", async () => {
    const { run, hook, home, root, file } = place();
    mkdirSync(home.root, { recursive: true });
    writeFileSync(file, `{"version":1,"projects":["/other",${JSON.stringify(root)},`);
    const call = { tool_name: "Bash", tool_input: { command: "rm -rf /" } };
    for (let i = 0; i < 3; i++) expect((await hook("PreToolUse", call)).stdout).toBe("");
    // Once a day is enough, because a session has hundreds of calls.
    expect(readFileSync(join(home.logs, "health-000001.jsonl"), "utf8").match(/trust-damaged/g)).toHaveLength(
      1,
    );
    expect(pendingNote(home)).toContain("trust-damaged");
    const snapshot = (await hook("SessionStart", { source: "startup" })).stdout;
    expect(snapshot).toContain("trust-damaged");
    const doctor = await run("doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/✗ trust: .*trust\.json is not valid JSON/);

    const trusted = await run("rules", "trust", "--yes");
    expect(trusted.stdout).toContain("trust.json was damaged: 2 trusted projects could be read and kept");
    expect(readTrust(home).projects).toEqual(["/other", root].sort());
    expect(readdirSync(home.root).filter((name) => name.startsWith("trust.json.damaged-"))).toHaveLength(1);
    expect((await hook("PreToolUse", call)).stdout).toContain("deny");
  });
});
