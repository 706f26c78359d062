import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { obsidianVaults } from "../../../../src/cli/commands/welcome/found.ts";
import { testCommand } from "../../../../src/cli/commands/welcome/try-it.ts";
import { findHome } from "../../../../src/store/home.ts";
import { readSeen } from "../../../../src/store/seen.ts";
import { lineOf } from "../../../sources/sessions/place.ts";
import { CONTINUO } from "../../../support/child.ts";
import { demoWorld } from "../../../support/demo/world.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { hasTmux, openTerminal } from "../../../support/terminal.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

async function demo() {
  const { env, root } = await demoWorld(temporaryFolder(), Date.now());
  // Programs of the machine are not asked for their version.
  const alone = { ...env, PATH: "/usr/bin:/bin" };
  const run = (...args: string[]) => runInProcess(args, { env: alone, cwd: root });
  return { env: alone, root, run, home: env["HOME"] ?? "" };
}

describe("continuo without a command", () => {
  it("prints the help where nobody can be asked, and changes nothing", async () => {
    const { run, home } = await demo();
    const help = (await run("help")).stdout;
    expect((await run()).stdout).toBe(help);
    expect((await run("welcome")).stdout).toBe(help);
    expect(existsSync(join(home, ".claude", "settings.json"))).toBe(false);
  });

  it("with --yes connects what is found, indexes, and ends with commands that work", async () => {
    const { run, home } = await demo();
    const { stdout, code } = await run("--yes");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Claude Code +not on the PATH +\d+ +not connected/);
    expect(stdout).toContain("Claude Code is set up");
    expect(stdout).toMatch(/\d+ past sessions indexed\./);
    expect(stdout).toContain("To undo everything: continuo uninstall --all");
    expect(readFileSync(join(home, ".claude", "settings.json"), "utf8")).toContain("hook claude-code");

    const [, words = "", name = ""] = /continuo search (.+)\n +finds "([^"]+)"/.exec(stdout) ?? [];
    expect(words).toMatch(/^\p{L}+( \p{L}+){1,2}$/u);
    expect((await run("search", ...words.split(" "))).stdout).toContain(name.replace(/…$/, ""));
    const here = JSON.parse((await run("sessions", "list", "--project", ".", "--json")).stdout).data;
    expect(JSON.stringify(here)).toContain(name.replace(/…$/, ""));

    // Again, for a program.
    const { data } = JSON.parse((await run("welcome", "--yes", "--json")).stdout);
    expect(data.agents.find((one: { host: string }) => one.host === "claude-code").state).toBe("connected");
    expect(data.try.slice(0, 3).map((one: { command: string }) => one.command.split(" ")[1])).toEqual([
      "search",
      "rules",
      "start",
    ]);

    expect((await run("uninstall", "--all", "--yes")).code).toBe(0);
    expect(existsSync(join(home, ".claude", "settings.json"))).toBe(false);
  });

  it("proposes only what works now, and names suggestions that wait", async () => {
    const { run } = await demo();
    const tries = async () => {
      const { data } = JSON.parse((await run("welcome", "--yes", "--json")).stdout);
      return data.try as { command: string; what: string }[];
    };
    const seen = new Set<string>();
    for (let [, rule] = await tries(); rule?.command !== "continuo rules list"; [, rule] = await tries()) {
      const [, text = ""] = /^continuo rules add "(.+)"$/.exec(rule?.command ?? "") ?? [];
      expect((await run("rules", "add", text)).code).toBe(0);
      seen.add(text);
    }
    expect(seen.size).toBeGreaterThan(1);
    const [, , start, review] = await tries();
    expect(start?.what).toMatch(/gets: .*(last session|past sessions)/);
    expect(start?.what).not.toContain("earlier session");
    const { suggestions } = JSON.parse((await run("review", "--json")).stdout).data;
    expect(review).toEqual({
      command: "continuo review",
      what: `${suggestions.length} suggestions to accept or reject`,
    });
  });

  it("works in an empty home", async () => {
    const { env, root } = temporaryWorld();
    mkdirSync(env["HOME"] ?? "", { recursive: true });
    const alone = { ...env, PATH: "/usr/bin:/bin" };
    const { stdout, code } = await runInProcess(["--yes"], { env: alone, cwd: root });
    expect(code).toBe(0);
    expect(stdout).toMatch(/No agent was found: .* Install one, then run continuo again\./);
    expect(stdout).not.toContain("To undo everything");
    // An agent that comes later is asked about as at the first time.
    expect(readSeen(findHome(env)).welcomedAt).toBeUndefined();
    expect(stdout).toContain("There are no past sessions yet.");
    expect(stdout).toContain("continuo note ");
    expect(stdout).not.toContain("continuo review");
  });

  it.skipIf(!hasTmux)(
    "asks on a terminal, changes and indexes nothing after Ctrl-C or no, and asks nothing once it is connected",
    async () => {
      const { env, root, home } = await demo();
      const folder = temporaryFolder();
      rmSync(join(home, ".codex"), { recursive: true, force: true });
      rmSync(join(home, ".pi"), { recursive: true, force: true });
      const script = `trap : INT; c() { "${process.execPath}" "${CONTINUO}" "$@"; }; c; echo "code=$?"; c; echo "no=$?"; c; echo "second=$?"; c; echo "third=$?"; sleep 60`;
      const screen = await openTerminal(folder, ["bash", "-c", script], { cwd: root, env });
      onTestFinished(() => screen.close());
      await screen.until(/Connect Claude Code\? \[Y\]es \/ yes with \[t\]ools \/ \[n\]o \/ \[d\]iff/);
      await screen.press("C-c");
      await screen.until(/Nothing was changed\.\s+code=130[\s\S]*Connect Claude Code\?/);
      await screen.type("n");
      await screen.press("Enter");
      await screen.until(/nothing was indexed[\s\S]*no=0[\s\S]*Connect Claude Code\?/);
      expect(existsSync(join(home, ".claude", "settings.json"))).toBe(false);
      await screen.press("Enter");
      await screen.until(/second=0/);
      expect(existsSync(join(home, ".claude", "settings.json"))).toBe(true);
      const last = await screen.until(/third=0/);
      expect(last).toMatch(/Connected +Claude Code/);
    },
  );
});

describe("what a person said more than once", () => {
  it.skipIf(!hasTmux)("is offered at the guided start, one key each, and is learned at once", async () => {
    const { env, root, home } = await demo();
    for (const folder of [".codex", ".pi"]) rmSync(join(home, folder), { recursive: true, force: true });
    const folder = join(home, ".claude/projects", root.replace(/[^a-zA-Z0-9]/g, "-"));
    for (const [id, text] of [
      ["said-1", "From now on always use pnpm."],
      ["said-2", "please always use pnpm from now on"],
      ["said-3", "never push to main"],
      ["said-4", "Never push to main!"],
    ] as const)
      write(folder, {
        [`${id}.jsonl`]: lineOf(
          id,
          { role: "user", text },
          { cwd: root, timestamp: new Date().toISOString() },
        ),
      });
    const screen = await openTerminal(
      temporaryFolder(),
      ["bash", "-c", `"${process.execPath}" "${CONTINUO}"; sleep 60`],
      { cwd: root, env },
    );
    onTestFinished(() => screen.close());
    await screen.until(/Connect Claude Code\?/);
    await screen.press("Enter");
    const asked = await screen.until(/said these 2 things more than once[\s\S]*\[a\]ccept/);
    expect(asked).toContain("Said in 2 sessions.");
    expect(asked, "no word is broken").toMatch(/your agents are\s+given/);
    await screen.type("a");
    await screen.until(/1 suggestion left[\s\S]*\[a\]ccept/);
    await screen.type("r");
    await screen.until(/Try this now/);
    const { stdout } = await runInProcess(["seed", "show"], { env, cwd: root });
    expect([/pnpm/, /push to main/].filter((one) => one.test(stdout))).toHaveLength(1);
  });
});

describe("what the guided start finds", () => {
  it("are the vaults of Obsidian's own list that exist, whatever the list contains", () => {
    const { env, root } = temporaryWorld({ "vault/a.md": "a" });
    const list = (text: string) => write(env["HOME"] ?? "", { ".config/obsidian/obsidian.json": text });
    expect(obsidianVaults(env)).toEqual([]);
    list(
      JSON.stringify({
        vaults: { a: { path: join(root, "vault") }, b: { path: "/gone" }, c: 7, d: { path: "x" } },
      }),
    );
    expect(obsidianVaults(env)).toEqual([join(root, "vault")]);
    list("{ not json");
    expect(obsidianVaults(env)).toEqual([]);
  });

  it("is how the project runs its tests", () => {
    const at = (files: Record<string, string>) => testCommand(temporaryWorld(files).root);
    expect(at({ "package.json": '{"scripts":{"test":"vitest"}}' })).toBe("npm test");
    expect(at({ "package.json": '{"scripts":{"test":"x"}}', "pnpm-lock.yaml": "" })).toBe("pnpm test");
    expect(at({ "package.json": "broken", "go.mod": "" })).toBe("go test ./...");
    expect(at({})).toBe("the tests");
  });
});
