import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandWorld } from "../../../support/in-process.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const isWindows = process.platform === "win32";

function place(files: Record<string, string> = { ".continuo/rules/a.md": "Rule A." }) {
  const { run: cli, ...world } = commandWorld(files, { PATH: temporaryFolder() });
  mkdirSync(world.user);
  const run = (...args: string[]) => cli("doctor", ...args);
  return { ...world, run, cli, data: (...args: string[]) => world.data("doctor", ...args) };
}

function program(folder: string, name: string): void {
  write(folder, { [name]: "#!/bin/sh\necho 2.1.325\n" });
  chmodSync(join(folder, name), 0o755);
}

describe.skipIf(isWindows)("doctor without an agent that is set up", () => {
  it("says so, and how to set one up, also when none is found", async () => {
    const { run } = place();
    const { stdout, code } = await run();
    expect(stdout).toMatch(/No agent is set up, and none was found[^\n]*\n[^\n]*continuo install/);
    expect(stdout).not.toContain("No problems");
    expect(code).toBe(0);
  });

  it("writes nothing where there is no home, as after an uninstallation with its data", async () => {
    const { run, home } = place();
    rmSync(home.root, { recursive: true, force: true });
    await run();
    expect(existsSync(home.root)).toBe(false);
  });

  it("names one that is not on the PATH but in a usual place, and the command for it", async () => {
    const { run, user, data } = place();
    program(join(user, ".local", "bin"), "codex");
    const { stdout } = await run();
    expect(stdout).toMatch(
      /No agent is set up\. Found on this machine: Codex\n +Fix: continuo install codex\n/,
    );
    const { findings } = await data();
    expect(findings).toContainEqual(
      expect.objectContaining({
        what: "Codex",
        status: "ok",
        detail: "found (~/.local/bin/codex), not set up",
      }),
    );
  });

  it("does not take a program of the current project for an agent", async () => {
    const { run, root, env, cli } = place();
    program(join(root, "bin"), "codex");
    env["PATH"] = join(root, "bin");
    expect((await run()).stdout).toMatch(
      /No agent is set up\. Codex was found only in a project[^\n]*bin\/codex\n[^\n]*continuo install codex/,
    );
    expect((await cli("doctor", "--verbose")).stdout).toContain("Codex: found only in a project");
    env["PATH"] = join(root, "nothing");
    expect((await run()).stdout).toContain("none was found");
    expect((await cli("doctor", "--verbose")).stdout).toContain("Codex: not found on this machine");
  });
});

describe.skipIf(isWindows)("doctor with an agent that is set up", () => {
  const connected = async () => {
    const made = place();
    mkdirSync(join(made.user, ".claude"));
    await made.cli("install", "claude-code");
    return { ...made, settings: join(made.user, ".claude", "settings.json") };
  };

  it("sums up in one line, and names another agent that was found", async () => {
    const { run, user } = await connected();
    expect((await run()).stdout).toBe("No problems found: 1 agent connected, 1 rule\n");
    program(join(user, ".bun", "bin"), "gemini");
    expect((await run()).stdout).toBe(
      "No problems found: 1 agent connected, 1 rule\nAlso found: Gemini CLI. To connect it: continuo install gemini\n",
    );
  });

  it("--verbose shows every check", async () => {
    const { run } = await connected();
    const { stdout } = await run("--verbose");
    for (const text of [
      "Claude Code: installed",
      "rules: 1 loaded",
      "pi: not found on this machine",
      "locks:",
    ])
      expect(stdout).toContain(text);
  });

  it("puts problems before warnings, each with its command, and fixes an outdated entry on request", async () => {
    const { run, settings, home, data } = await connected();
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(process.execPath, "/gone/node"));
    write(home.root, { "mutes.json": "{ nonsense" });
    chmodSync(join(home.root, "mutes.json"), 0o600);
    const { stdout, code } = await run();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Problems\n {2}✗ Claude Code: .*\/gone\/node.*\n {4}Fix: continuo install claude-code\n\nWarnings\n {2}! mutes: /,
    );
    expect(stdout).toContain("1 problem, 1 warning\nTo fix 1 of them: continuo doctor --fix");
    const { fixed, failed, warned } = await data("--fix");
    expect(fixed).toEqual([
      expect.objectContaining({ what: "Claude Code", done: expect.stringContaining("set up again") }),
    ]);
    expect({ failed, warned }).toEqual({ failed: 0, warned: 1 });
    expect(readFileSync(settings, "utf8")).not.toContain("/gone/node");
  });

  it("--fix adds neither an MCP server that the user left out nor another agent", async () => {
    const { run, cli, settings, user } = await connected();
    await cli("uninstall", "claude-code");
    await cli("install", "claude-code", "--no-mcp");
    program(join(user, ".local", "bin"), "codex");
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(process.execPath, "/gone/node"));
    expect((await run("--fix")).stdout).toMatch(
      /Fixes\n {2}✓ Claude Code: set up again[\s\S]*No problems left/,
    );
    expect(existsSync(join(user, ".claude.json"))).toBe(false);
    expect(existsSync(join(user, ".codex"))).toBe(false);
  });
});

describe.skipIf(isWindows)("doctor --fix", () => {
  it("corrects the permissions of the home, which doctor alone only reports", async () => {
    const { run, home } = place();
    write(home.root, { "memory/a.md": "A note." });
    chmodSync(home.root, 0o755);
    chmodSync(join(home.root, "memory/a.md"), 0o644);
    expect((await run()).stdout).toMatch(
      /permissions: \d files and folders, such as \S+, can be read by other users/,
    );
    expect(statSync(join(home.root, "memory/a.md")).mode & 0o777).toBe(0o644);
    expect((await run("--fix")).stdout).toContain("readable for you alone");
    expect(statSync(join(home.root, "memory/a.md")).mode & 0o777).toBe(0o600);
    expect((await run()).stdout).not.toContain("permissions");
  });

  it("changes nothing in a folder that has files of others, which CONTINUO_HOME may name", async () => {
    const { run, home } = place();
    write(home.root, { "package.json": "{}", "locks/yarn.lock": "x" });
    chmodSync(join(home.root, "package.json"), 0o644);
    expect((await run("--fix")).stdout).toContain("contains what Continuo did not write: package.json");
    expect(statSync(join(home.root, "package.json")).mode & 0o777).toBe(0o644);
    expect(existsSync(join(home.root, "locks/yarn.lock"))).toBe(true);
  });

  it("releases a stale lock and removes what is no lock; a folder with something in it stays", async () => {
    const { run, home } = place();
    const machine =
      hostname()
        .toLowerCase()
        .replace(/[^0-9a-z]/g, "") || "local";
    const token = `held.${process.pid}.${Date.now() - 9 * 60_000}.${machine}.a1`;
    write(home.locks, { [`state-abc/${token}`]: "", "state-file": "x" });
    expect((await run()).stdout).toMatch(
      /state-file is not a folder[\s\S]*state-abc has been held by process/,
    );
    expect((await run("--fix")).stdout).not.toContain("locks: left");
    expect(readdirSync(join(home.locks, "state-abc"))).toEqual(["free"]);
    expect(existsSync(join(home.locks, "state-file"))).toBe(false);
  });

  it("restores unreadable settings from their backup only with consent, and keeps the damaged file", async () => {
    const { run, home, cli, root } = place();
    mkdirSync(join(root, "vault"));
    expect((await cli("memory", "add", join(root, "vault"))).code).toBe(0);
    const good = readFileSync(home.config, "utf8");
    writeFileSync(home.config, "{ nonsense");
    const left = await run("--fix");
    expect(left.stdout).toContain(
      "config: left as it is: it needs your consent: continuo doctor --fix --yes",
    );
    expect(left.code).toBe(1);
    expect(readFileSync(home.config, "utf8")).toBe("{ nonsense");
    expect((await run("--fix", "--yes")).stdout).toContain("restored config.json");
    expect(readFileSync(home.config, "utf8")).toBe(good);
    const aside = readdirSync(home.root).find((name) => name.startsWith("config.json.damaged-")) ?? "";
    expect(readFileSync(join(home.root, aside), "utf8")).toBe("{ nonsense");
  });

  it("fills a damaged index of notes again", async () => {
    const { run, home, cli } = place();
    await cli("write", "About [[locks]].", "--title", "Locks");
    await cli("sync");
    const index = readdirSync(home.root).find((name) => /^memory-.*\.db$/.test(name)) ?? "";
    writeFileSync(join(home.root, index), "not a database ".repeat(400));
    const { stdout } = await run("--fix");
    expect(stdout).toMatch(/notes: indexed 1 note/);
    expect((await cli("search", "locks")).stdout).toContain("memory://");
    // The damaged one is kept beside it, and is Continuo's own.
    expect((await cli("uninstall", "--data", "--yes")).code).toBe(0);
    expect(existsSync(home.root)).toBe(false);
  });
});

describe("doctor on past failures", () => {
  it("shows each kind with its time and a remedy, ten of them, and all with --verbose", async () => {
    const { run, home, data } = place();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const lines = Array.from({ length: 13 }, (_, i) =>
      JSON.stringify({ at: at(i + 5), where: `place ${i}`, code: "ENOSPC", message: `full ${i}` }),
    );
    const old = { at: at(20 * 24 * 60), where: "long ago", code: "moment-late", message: "was late" };
    write(home.logs, { "health-000001.jsonl": `${[JSON.stringify(old), ...lines].join("\n")}\n` });
    const { stdout } = await run();
    expect(stdout).toContain(
      "full 0 (ENOSPC, place 0; 1 time, last 5 min ago)\n    Fix: free some disk space",
    );
    expect(stdout).toMatch(/failure: 3 more\n {4}Fix: to see all: continuo doctor --verbose/);
    expect(stdout).not.toContain("full 12");
    const all = await run("--verbose");
    expect(all.stdout).toContain("full 12");
    expect(all.stdout).toContain("was late (moment-late");
    const failures = (await data()).findings.filter(({ what }: { what: string }) => what === "failure");
    for (const { at: time, mend } of failures)
      expect([Date.parse(time) > 0, mend !== ""]).toEqual([true, true]);
  });

  it("tells of sessions that a model wrote no summary of", async () => {
    const { run, home } = place();
    const attempt = { turn: "t", at: new Date(Date.now() - 3 * 60_000).toISOString(), error: "no credit" };
    write(home.root, { "sessions-meta/codex/s1.tried": JSON.stringify(attempt) });
    expect((await run()).stdout).toMatch(
      /no summary of 1 session \(last 3 min ago: no credit\)\n.*continuo sessions describe --all/,
    );
  });
});
