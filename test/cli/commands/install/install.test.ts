import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandWorld } from "../../../support/in-process.ts";
import { write } from "../../../support/world.ts";

function world(settings?: string) {
  const made = commandWorld();
  const folder = join(made.user, ".claude");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "settings.json");
  if (settings !== undefined) writeFileSync(file, settings);
  return { ...made, file, read: () => readFileSync(file, "utf8") };
}

const ORIGINAL = '{\n\t"model": "opus",   "odd":"spacing"\n}';

describe("install claude-code", () => {
  it("shows the permissions of --allow-tools in the diff, and the command that makes this edit", async () => {
    const { stdout } = await world().run("install", "claude-code", "--diff", "--allow-tools");
    expect(stdout).toContain('+      "mcp__continuo__search_memories",');
    expect(stdout).toMatch(/Adds hooks for \d+ events, 1 MCP server and 6 permissions to /);
    expect(stdout).toContain("To make this edit: continuo install claude-code --allow-tools\n");
  });

  it("says what it adds and where, keeps a backup, and uninstall restores the file byte for byte", async () => {
    const { run, read, home } = world(ORIGINAL);
    expect((await run("install", "claude-code", "--diff")).stdout).toContain('+\t"hooks"');
    expect(read()).toBe(ORIGINAL);
    const installed = await run("install", "claude-code");
    expect(installed).toMatchObject({ code: 0, stderr: "" });
    expect(installed.stdout.replace(/\s+/g, " ")).toMatch(
      /^Adds hooks for \d+ events and 1 MCP server to ~\/.claude\/settings.json and ~\/.claude.json Your own entries stay as they are\. Claude Code is set up/,
    );
    expect(installed.stdout).toContain("To undo this: continuo uninstall claude-code");
    const backup = /Backup:\s+(\S+)/.exec(installed.stdout)![1]!;
    expect(readFileSync(backup, "utf8")).toBe(ORIGINAL);
    expect(read()).toContain(process.execPath);
    expect(existsSync(home.backups)).toBe(true);
    expect((await run("uninstall", "claude-code")).code).toBe(0);
    expect(read()).toBe(ORIGINAL);
  });

  it("is idempotent, and an update still restores the first original", async () => {
    const { run, read, file } = world(ORIGINAL);
    await run("install", "claude-code");
    const once = read();
    expect((await run("install", "claude-code")).stdout).toContain("already set up");
    expect(read()).toBe(once);
    // As an older version would have written it.
    const receipt = once.replaceAll('"timeout": 10', '"timeout": 9');
    writeFileSync(file, receipt);
    await run("install", "claude-code");
    expect(read()).toBe(once);
    await run("uninstall", "claude-code");
    expect(JSON.parse(read())).toEqual({ model: "opus", odd: "spacing" });
  });

  it("wires the guard when a rule of the user's own refuses calls, and doctor says when that is missing", async () => {
    const { run, read, home } = world(ORIGINAL);
    const rule = (checks: string) =>
      write(home.root, { "rules/mine.md": `---\nchecks:\n  ${checks}\n---\nMine.` });
    const problem = async () => (await run("doctor")).stdout;
    rule("answer: { never: sorry, reaction: deny }");
    await run("install", "claude-code");
    expect(read()).not.toContain("PreToolUse");
    rule("commands: { never: git push, reaction: deny }");
    expect(await problem()).toMatch(
      /Claude Code: no hook for PreToolUse[^\n]*\n[^\n]*continuo install claude-code/,
    );
    await run("install", "claude-code");
    expect(read()).toContain("PreToolUse");
  });

  it("doctor names an event whose hooks are gone once, however many there were", async () => {
    const { run, read, file } = world(ORIGINAL);
    await run("install", "claude-code");
    const settings = JSON.parse(read());
    for (const event of ["UserPromptSubmit", "SessionEnd"]) delete settings.hooks[event];
    writeFileSync(file, JSON.stringify(settings));
    expect((await run("doctor")).stdout).toMatch(/no hook for UserPromptSubmit, SessionEnd(?!,)/);
  });

  it("removes the file that it created, and only its own entries from a file that has changed since", async () => {
    const fresh = world();
    await fresh.run("install", "claude-code");
    await fresh.run("uninstall", "claude-code");
    expect(existsSync(fresh.file)).toBe(false);

    const changed = world(ORIGINAL);
    await changed.run("install", "claude-code");
    writeFileSync(changed.file, changed.read().replace('"opus"', '"sonnet"'));
    await changed.run("uninstall", "claude-code");
    expect(JSON.parse(changed.read())).toEqual({ model: "sonnet", odd: "spacing" });
  });

  it("refuses settings that are not JSON, and does not change them", async () => {
    const { run, read, file } = world('{ "model": ');
    const done = await run("install", "claude-code");
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(`${file} is not valid JSON: value expected in line 1`);
    expect(read()).toBe('{ "model": ');
  });

  it("refuses a file with comments, from which Claude Code would load no hook, and doctor reports it", async () => {
    const commented = '{\n  // mine\n  "model": "opus"\n}';
    const { run, read } = world(commented);
    const done = await run("install", "claude-code");
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("does not load settings with comments");
    expect(read()).toBe(commented);
    expect((await run("doctor")).stdout).toContain("not strict JSON");
  });

  it("keeps a byte order mark, refuses hooks that are not a list, and doctor reports disabled hooks", async () => {
    const marked = world('\ufeff{\n  "model": "opus"\n}');
    expect((await marked.run("install", "claude-code")).code).toBe(0);
    expect(marked.read().startsWith("\ufeff{")).toBe(true);
    expect(
      (await world('{"hooks":{"SessionStart":{"a":1}}}').run("install", "claude-code")).stderr,
    ).toContain("not a list");
    const disabled = world('{"disableAllHooks": true}');
    await disabled.run("install", "claude-code");
    expect((await disabled.run("doctor")).stdout).toContain("disableAllHooks is set");
  });

  it("does nothing in a dry run", async () => {
    const { run, read, home } = world(ORIGINAL);
    for (const option of ["--dry-run", "--diff"])
      expect((await run("install", "claude-code", option)).stdout).toContain("Nothing was changed.");
    expect(read()).toBe(ORIGINAL);
    expect(existsSync(home.backups)).toBe(false);
  });

  it("doctor reports: not installed, installed, and broken because the runtime is gone", async () => {
    const { run, read, file } = world(ORIGINAL);
    const claude = async () =>
      JSON.parse((await run("doctor", "--json")).stdout).data.findings.find(
        (one: { what: string }) => one.what === "Claude Code",
      );
    expect(await claude()).toMatchObject({ status: "ok", detail: expect.stringContaining(", not set up") });
    await run("install", "claude-code");
    expect(await claude()).toMatchObject({ status: "ok" });
    writeFileSync(file, read().replaceAll(process.execPath, "/gone/node"));
    expect(await claude()).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("/gone/node"),
      mend: "run: continuo install claude-code",
    });
  });
});
