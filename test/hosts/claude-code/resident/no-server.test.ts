import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isWithoutServer } from "../../../../src/hosts/claude-code/resident/server-absence.ts";
import { whyNoServer, whyStopped } from "../../../../src/hosts/claude-code/resident/why-no-server.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { claudeCode } from "../../../support/agents.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { hookProcess } from "../../../support/hooks.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";
import { startServer } from "../../mcp/server.ts";

/** Hooks that call the server, and what Claude Code's own files say about it. */
async function world(servers: (project: string) => object) {
  const made = temporaryWorld();
  const user = made.env["HOME"] ?? "";
  const settings = join(user, ".claude", "settings.json");
  mkdirSync(join(user, ".claude"), { recursive: true });
  const { bin } = claudeCode("2.1.325");
  const env: NodeJS.ProcessEnv = {
    ...made.env,
    PATH: `${bin}:${made.env["PATH"]}`,
    CLAUDE_PROJECT_DIR: made.root,
  };
  await runInProcess(["install", "claude-code"], { env, cwd: made.root });
  const wired = readFileSync(settings, "utf8");
  expect(wired).toContain('"mcp_tool"');
  const own = JSON.parse(readFileSync(join(user, ".claude.json"), "utf8"));
  writeFileSync(join(user, ".claude.json"), JSON.stringify({ ...own, ...servers(made.root) }));
  /** The hook that runs because the server does not. */
  const prompt = async (more: NodeJS.ProcessEnv = {}) => {
    const place = { root: made.root, env: { ...env, ...more } };
    const payload = { session_id: "s", prompt: "hello", prompt_id: "p" };
    const { code, stdout } = await hookProcess(place, "UserPromptSubmit no-server", payload);
    expect(code).toBe(0);
    // The first prompt of a session also tells what the session begins with.
    const lines = stdout === "" ? [] : String(JSON.parse(stdout)["systemMessage"] ?? "").split("\n");
    return lines.find((line) => line.includes("MCP server"));
  };
  /** A session starts. */
  const start = async (more: NodeJS.ProcessEnv = {}) => {
    const place = { root: made.root, env: { ...env, ...more } };
    const { code, stdout } = await hookProcess(place, "SessionStart", {
      session_id: "s2",
      source: "startup",
    });
    expect(code).toBe(0);
    return stdout;
  };
  /** The process that a server leaves behind when it was stopped. */
  const stopped = () =>
    runScript(CONTINUO, ["mcp"], { env: { ...env, CONTINUO_SERVER_STOPPED: "1" }, cwd: made.root });
  const say = (what: object) =>
    writeFileSync(join(user, ".claude.json"), JSON.stringify({ ...own, ...what }));
  const isByTool = () => readFileSync(settings, "utf8").includes('"mcp_tool"');
  return { ...made, env, settings, wired, prompt, start, stopped, say, isByTool };
}

const OFF = (project: string) => ({ projects: { [project]: { disabledMcpServers: ["continuo"] } } });

describe.skipIf(process.platform === "win32")("a prompt without an MCP server", () => {
  it("makes hooks commands again if the user switched the server off, and says so once", async () => {
    const { prompt, isByTool } = await world(OFF);
    expect(await prompt()).toMatch(/^Continuo: its MCP server is switched off, so its hooks start processes/);
    expect(isByTool()).toBe(false);
    expect(await prompt()).toBeUndefined();
  });

  it.each([
    ["late", () => ({}), true],
    ["switched off in another project", () => OFF("/elsewhere"), true],
    ["not configured any more", () => ({ mcpServers: {} }), false],
  ])("changes hooks only for a reason: the server is %s", async (_, servers, isByToolStill) => {
    const { prompt, isByTool } = await world(servers);
    const line = await prompt();
    expect(line === undefined).toBe(isByToolStill);
    expect(isByTool()).toBe(isByToolStill);
  });

  it("knows that Claude Code keeps it under the main worktree: in a subfolder, in a linked worktree", () => {
    const { env, root } = temporaryWorld();
    const main = realpathSync(root);
    const git = (...args: string[]) => spawnSync("git", ["-C", main, ...args], { env, encoding: "utf8" });
    const linked = join(realpathSync(temporaryFolder()), "linked");
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "one");
    expect(git("worktree", "add", "-q", linked).stderr).toBe("");
    write(main, { "packages/app/a.txt": "" });
    const servers = { mcpServers: { continuo: {} }, ...OFF(main) };
    write(env["HOME"] ?? "", { ".claude.json": JSON.stringify(servers) });
    const why = (folder: string) => whyNoServer({ ...env, CLAUDE_PROJECT_DIR: folder });
    for (const folder of [main, join(main, "packages/app"), linked]) expect(why(folder)).toBe("switched off");
    expect(why(realpathSync(temporaryFolder()))).toBeUndefined();
  });

  it("waits until Claude Code has written down that a server was switched off, while it runs", async () => {
    const { env, root } = temporaryWorld();
    const own = { ...env, CLAUDE_PROJECT_DIR: root };
    const say = (what: object) =>
      write(env["HOME"] ?? "", { ".claude.json": JSON.stringify({ mcpServers: { continuo: {} }, ...what }) });
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      if (pauses.length === 3) say(OFF(root));
    };
    say({});
    expect(await whyStopped(own, process.pid, pause)).toBe("switched off");
    expect(pauses).toEqual([100, 200, 400]);
    say({});
    expect(await whyStopped(own, 4_194_301, pause)).toBeUndefined();
    expect(pauses).toHaveLength(3);
    expect(await whyStopped(own, process.pid, pause)).toBeUndefined();
    expect(pauses.slice(3).reduce((sum, ms) => sum + ms)).toBe(25_500);
  });

  it.skipIf(process.platform !== "linux")(
    "is seen at once when the server is stopped while it is busy",
    async () => {
      const { env, root, home, isByTool } = await world(OFF);
      const server = startServer(CONTINUO, { ...env, CLAUDECODE: "1" }, root);
      await server.initialize("2025-11-25", "claude-code");
      await server.request("tools/list");
      const mark = readFileSync(join(home.root, "servers", String(process.pid)), "utf8");
      const worker = Number(mark.split("\n")[0]);
      process.kill(worker, "SIGSTOP"); // as if it were busy
      // A thread that is not stopped yet would take the next signal.
      await expect.poll(() => areStopped(worker), { timeout: 20_000 }).toBe(true);
      // As Claude Code does, which waits a tenth of a second in between.
      for (const signal of ["SIGINT", "SIGTERM"] as const) server.child.kill(signal);
      await expect.poll(() => waitingSignals(worker), { timeout: 20_000 }).toEqual(["SIGINT", "SIGTERM"]);
      process.kill(worker, "SIGCONT");
      await server.ended;
      await expect.poll(isByTool, { timeout: 50_000 }).toBe(false);
    },
  );

  it.skipIf(process.platform !== "linux")(
    "sees that the host was started with --strict-mcp-config",
    async () => {
      const { prompt, isByTool } = await world(() => ({}));
      const host = spawn(process.execPath, [
        "-e",
        "setTimeout(() => {}, 60_000)",
        "--",
        "--strict-mcp-config",
      ]);
      onTestFinished(() => void host.kill());
      expect(await prompt({ CLAUDE_PID: String(process.pid) })).toBeUndefined();
      expect(await prompt({ CLAUDE_PID: String(host.pid) })).toContain("left out by --strict-mcp-config");
      expect(isByTool()).toBe(false);
    },
  );

  it.each(["starting\n", "ended\n", "4194999\n4194998\n"])(
    "makes hooks commands until its host process ends, if the mark of the server is old and says %j",
    async (mark) => {
      const { home, prompt, start, isByTool } = await world(() => ({}));
      const host = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
      onTestFinished(() => void host.kill());
      const own = { CLAUDE_PID: String(host.pid) };
      await start(own);
      expect(await prompt(own)).toBeUndefined();
      expect(isByTool()).toBe(true);
      write(home.root, { [`servers/${host.pid}`]: mark });
      utimesSync(join(home.root, "servers", String(host.pid)), 1, 1);
      expect(await prompt(own)).toBe(
        "Continuo: its MCP server does not run, so its hooks start processes until the next session",
      );
      expect(isByTool()).toBe(false);
      expect(await prompt(own)).toBeUndefined();
      expect(readHealth(home.logs).records.map(({ code }) => code)).toContain("server-gone");
      await start(own);
      expect(isByTool()).toBe(false);
      const ended = new Promise((resolve) => host.on("exit", resolve));
      host.kill();
      await ended;
      await start();
      expect(isByTool()).toBe(true);
    },
  );

  it("is undone by the next session that has the server, byte for byte", async () => {
    const { root, prompt, start, say, isByTool, settings, wired } = await world(OFF);
    await prompt();
    await start();
    expect(isByTool()).toBe(false);
    say(OFF(temporaryFolder("elsewhere")));
    await start();
    expect(isByTool()).toBe(false);
    say({ mcpServers: {} });
    await start();
    expect(isByTool()).toBe(false);
    say({ projects: { [root]: { disabledMcpServers: [] }, ...OFF("/gone").projects } });
    await start();
    expect(readFileSync(settings, "utf8")).toBe(wired);
  });

  it.skipIf(process.platform !== "linux")("is not undone while a host runs without the server", async () => {
    const { start, isByTool } = await world(() => ({}));
    const strict = ["-e", "setTimeout(() => {}, 60_000)", "--", "--strict-mcp-config"];
    const hosts = [spawn(process.execPath, strict), spawn(process.execPath, strict)];
    onTestFinished(() => hosts.forEach((host) => void host.kill()));
    for (const { pid } of hosts) await start({ CLAUDE_PID: String(pid) });
    expect(isByTool()).toBe(false);
    for (const host of hosts) {
      await start();
      expect(isByTool()).toBe(false);
      const ended = new Promise((resolve) => host.on("exit", resolve));
      host.kill();
      await ended;
    }
    await start();
    expect(isByTool()).toBe(true);
  });

  it("is told once at the next start, if the server was switched off where nobody could see it", async () => {
    const { prompt, start, stopped, isByTool } = await world(OFF);
    await stopped();
    expect(isByTool()).toBe(false);
    const line =
      "Continuo: its MCP server is switched off in /mcp, so its hooks start processes until it is on again";
    expect(await start()).toContain(line);
    expect(await start()).not.toContain("/mcp");
    expect(await prompt()).toBeUndefined();
  });

  it("is not told again at a start, if a prompt told it", async () => {
    const { prompt, start } = await world(OFF);
    expect(await prompt()).toBeDefined();
    expect(await start()).not.toContain("/mcp");
  });

  it("is not undone for a user who installed commands", async () => {
    const { env, root, start, isByTool } = await world(OFF);
    await runInProcess(["install", "claude-code", "--no-mcp"], { env, cwd: root });
    await start();
    expect(isByTool()).toBe(false);
  });

  it("changes nothing in settings that it cannot edit safely, and records it for doctor", async () => {
    const { prompt, settings, wired, home } = await world(OFF);
    writeFileSync(settings, wired.replace("{", "{ // mine"));
    expect(await prompt()).toBeUndefined();
    expect(readFileSync(settings, "utf8")).toBe(wired.replace("{", "{ // mine"));
    expect(readHealth(home.logs).records.map(({ code }) => code)).toContain("settings-not-strict");
  });

  it.each(["", "{", undefined])("changes nothing while .claude.json is %j", async (text) => {
    const { env, prompt, isByTool } = await world(OFF);
    const file = join(env["HOME"] ?? "", ".claude.json");
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    expect(await prompt()).toBeUndefined();
    expect(isByTool()).toBe(true);
  });

  it("leaves hooks of others alone that call a tool", async () => {
    const { prompt, settings } = await world(OFF);
    const hooks = { Stop: [{ hooks: [{ type: "mcp_tool", server: "mine", tool: "hook" }] }] };
    writeFileSync(settings, JSON.stringify({ hooks }));
    expect(await prompt()).toBeUndefined();
    expect(readFileSync(settings, "utf8")).toBe(JSON.stringify({ hooks }));
  });

  it.each(["install", "uninstall"])("is forgotten by %s: nothing is undone later", async (command) => {
    const { env, root, home, prompt } = await world(OFF);
    await prompt();
    expect(isWithoutServer(home, "claude-code")).toBe(true);
    await runInProcess([command, "claude-code"], { env, cwd: root });
    expect(isWithoutServer(home, "claude-code")).toBe(false);
  });

  it("cannot change the plugin's hooks: it says once in a host process what to do", async () => {
    const { prompt, isByTool, root } = await world((project) => ({
      projects: { [project]: { disabledMcpServers: ["plugin:continuo:continuo"] } },
    }));
    const plugin = { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PID: "4194301" };
    expect(await prompt(plugin)).toContain("disable the plugin");
    expect(await prompt(plugin)).toBeUndefined();
    expect(await prompt({ ...plugin, CLAUDE_PID: "4194302" })).toContain("Switch it on in /mcp");
    expect(isByTool()).toBe(true);
  });
});

/** Of those that a process has been sent and not seen yet. */
function areStopped(pid: number): boolean {
  const states = readdirSync(`/proc/${pid}/task`).map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").replace(/^.*\) /, ""),
  );
  return states.every((state) => state.startsWith("T"));
}

function waitingSignals(pid: number): string[] {
  const [, bits = ""] = /^ShdPnd:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const names = ["SIGINT", "SIGTERM"] as const;
  return names.filter((name) => BigInt(`0x${bits}`) & (1n << BigInt(constants.signals[name] - 1)));
}
