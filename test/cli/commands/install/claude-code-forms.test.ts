import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeCodeInstaller } from "../../../../src/hosts/claude-code/installer.ts";
import type { Wiring } from "../../../../src/hosts/port/installer.ts";
import { rewireHooks } from "../../../../src/hosts/shared/install/rewire-hooks.ts";
import { wiringFor } from "../../../../src/hosts/shared/install/wiring.ts";
import { SOURCES } from "../../../../src/sources/index.ts";
import { claudeCode } from "../../../support/agents.ts";
import { ROOT } from "../../../support/child.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { write } from "../../../support/world.ts";

const SETTINGS = '{\n\t"model": "opus",   "odd":"spacing"\n}';
const SERVERS = '{"numStartups": 3,\n "mcpServers": {}}';
const BY_TOOL = ["PostCompact", "PostToolUse", "PreCompact", "Stop", "UserPromptSubmit"];

interface Hook {
  type: string;
  server?: string;
  tool?: string;
  command?: string;
  timeout: number;
  input?: Record<string, string>;
}

/** A user with Claude Code of this version, without one when it is undefined. */
function world(version: string | undefined) {
  const { bin, become } = claudeCode(version);
  const made = commandWorld({}, { PATH: bin });
  const [settings, servers] = [join(made.user, ".claude", "settings.json"), join(made.user, ".claude.json")];
  write(made.user, { ".claude/settings.json": SETTINGS, ".claude.json": SERVERS });
  const hooks = () =>
    JSON.parse(readFileSync(settings, "utf8")).hooks as Record<string, [{ hooks: [Hook, ...Hook[]] }]>;
  const switchOff = (project: string) => {
    const text = JSON.parse(readFileSync(servers, "utf8"));
    const projects = { [project]: { disabledMcpServers: ["continuo"] } };
    writeFileSync(servers, JSON.stringify({ ...text, projects }));
  };
  const finding = async () => {
    const { findings } = await made.data("doctor");
    return (findings as { what: string; status: string; detail: string }[]).find(
      ({ what }) => what === "Claude Code",
    );
  };
  const byTool = () =>
    Object.entries(hooks()).flatMap(([event, [{ hooks: all }]]) =>
      all.some(({ type }) => type === "mcp_tool") ? [event] : [],
    );
  return { ...made, settings, servers, become, hooks, byTool, switchOff, finding };
}

describe.skipIf(process.platform === "win32")("the hooks of Claude Code", () => {
  it("call the MCP server where it can answer, and one more starts a process at a prompt if it is gone", async () => {
    const { run, hooks, byTool, settings, servers, finding } = world("2.1.325");
    expect((await run("install", "claude-code")).code).toBe(0);
    expect(byTool().sort()).toEqual(BY_TOOL);
    const [tool] = hooks()["PostToolUse"]?.[0].hooks ?? [];
    expect(tool).toMatchObject({
      type: "mcp_tool",
      server: "continuo",
      tool: "for_hooks_only",
      timeout: 2,
    });
    expect(tool?.input).toMatchObject({ event: "PostToolUse", session_id: `\${session_id}` });
    const prompt = hooks()["UserPromptSubmit"]?.[0].hooks ?? [];
    expect(prompt.map(({ type }) => type)).toEqual([
      "mcp_tool",
      ...Array.from({ length: 4 }, () => "command"),
    ]);
    expect(prompt[1]?.command).toContain("parts/waiting/2");
    expect(prompt.at(-1)?.command).toContain("UserPromptSubmit no-server");
    expect(await finding()).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("they call its MCP server"),
    });
    expect((await run("install", "claude-code")).stdout).toContain("already set up");
    await run("uninstall", "claude-code");
    expect(readFileSync(settings, "utf8")).toBe(SETTINGS);
    expect(readFileSync(servers, "utf8")).toBe(SERVERS);
  });

  it("ask guards in a process, so that they hold while the server is away", async () => {
    const { run, hooks, byTool, finding } = world("2.1.325");
    await run("rules", "trust", "--yes");
    await run("install", "claude-code");
    expect(byTool().sort()).toEqual(BY_TOOL);
    expect(hooks()["PreToolUse"]?.[0].hooks.map(({ type }) => type)).toEqual(["command"]);
    expect(await finding()).toMatchObject({ status: "ok" });
  });

  it.each([
    ["in a version that does not know such hooks", "2.0.77", []],
    ["in a version that is not known", undefined, []],
    ["without the MCP entry", "2.1.325", ["--no-mcp"]],
  ])("start processes %s", async (_, version, more) => {
    const { run, byTool, finding, settings } = world(version);
    await run("install", "claude-code", ...more);
    expect(byTool()).toEqual([]);
    expect(await finding()).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("each starts a process"),
    });
    await run("uninstall", "claude-code");
    expect(readFileSync(settings, "utf8")).toBe(SETTINGS);
  });

  it("change with the version and with --no-mcp at the next installation, and the original comes back all the same", async () => {
    const { run, become, byTool, settings, servers } = world("2.0.77");
    const forms: string[][] = [];
    const install = async (...args: string[]) => {
      expect((await run("install", "claude-code", ...args)).code).toBe(0);
      forms.push(byTool().sort());
    };
    await install();
    become("2.1.400");
    await install();
    await install("--no-mcp");
    await install();
    become("2.1.100");
    await install();
    expect(forms).toEqual([[], BY_TOOL, [], BY_TOOL, []]);
    await run("uninstall", "claude-code");
    expect(readFileSync(settings, "utf8")).toBe(SETTINGS);
    expect(readFileSync(servers, "utf8")).toBe(SERVERS);
  });

  it("start processes while the server is switched off in a project that exists", async () => {
    const { run, byTool, switchOff, root, finding } = world("2.1.325");
    switchOff(root);
    await run("install", "claude-code");
    expect(byTool()).toEqual([]);
    expect(await finding()).toMatchObject({
      status: "ok",
      detail: expect.stringContaining(`because its MCP server is switched off in ${root}`),
    });
    switchOff("/gone/project");
    await run("install", "claude-code");
    expect(byTool().sort()).toEqual(BY_TOOL);
  });
});

describe.skipIf(process.platform === "win32")("doctor on the hooks of Claude Code", () => {
  it.each<[string, string, (made: ReturnType<typeof world>) => void]>([
    ["an older Claude Code than they need", "hooks need Claude Code", ({ become }) => become("2.1.50")],
    ["a server that is switched off", "which is switched off in", ({ switchOff, root }) => switchOff(root)],
    [
      "no server at all",
      "call the MCP server, which is not set up",
      ({ servers }) => writeFileSync(servers, SERVERS),
    ],
    [
      "some that start a process",
      "some hooks call the MCP server and some start a process",
      ({ settings, hooks }) => {
        const all = hooks();
        const [{ hooks: start }] = all["SessionStart"] ?? [{ hooks: [] }];
        const command = String(start[0]?.command).replace("SessionStart", "Stop");
        const Stop = [{ hooks: [{ type: "command", command, timeout: 5 }] }];
        writeFileSync(settings, JSON.stringify({ hooks: { ...all, Stop } }));
      },
    ],
  ])("finds %s, and an installation fixes it", async (_, detail, harm) => {
    const made = world("2.1.325");
    await made.run("install", "claude-code");
    expect(await made.finding()).toMatchObject({ status: "ok" });
    harm(made);
    const found = await made.finding();
    expect(found?.detail).toContain(detail);
    expect(found?.status).not.toBe("ok");
    await made.run("install", "claude-code");
    expect(await made.finding()).toMatchObject({ status: "ok" });
  });
});

describe.skipIf(process.platform === "win32")("doctor on hooks that start processes", () => {
  it.each([
    ["an older version was there", "2.0.77"],
    ["no version could be found", undefined],
  ])("says that Claude Code can call the server now, if at their installation %s", async (_, before) => {
    const { run, become, finding, byTool } = world(before);
    await run("install", "claude-code");
    expect(await finding()).toMatchObject({ status: "ok" });
    become("2.1.325");
    const detail = expect.stringContaining("Claude Code 2.1.325 can call the MCP server");
    expect(await finding()).toMatchObject({ status: "warn", detail });
    await run("install", "claude-code");
    expect(byTool().sort()).toEqual(BY_TOOL);
    expect(await finding()).toMatchObject({ status: "ok" });
  });
});

const wiringOf = () =>
  wiringFor({ sources: SOURCES, packageRoot: ROOT, env: {}, home: undefined, hostVersion: "2.1.325" });

describe.skipIf(process.platform === "win32")("rewireHooks", () => {
  it("makes hooks commands again, only Continuo's, and uninstalling still restores the user's bytes", async () => {
    const { run, env, home, settings, servers, byTool, finding } = world("2.1.325");
    await run("install", "claude-code");
    const server = readFileSync(servers, "utf8");
    const change = () => rewireHooks(claudeCodeInstaller, env, home, wiringOf(), Date.now());
    expect(await change()).toBe(true);
    expect(byTool()).toEqual([]);
    expect(readFileSync(servers, "utf8")).toBe(server);
    expect(await change()).toBe(false);
    expect(await finding()).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("each hook starts a process, but could call the MCP server"),
    });
    await run("uninstall", "claude-code");
    expect(readFileSync(settings, "utf8")).toBe(SETTINGS);
  });

  it("entries that call the tool by its former name stay Continuo's until they are written anew", async () => {
    const { run, settings, finding } = world("2.1.325");
    await run("install", "claude-code");
    const now = readFileSync(settings, "utf8");
    writeFileSync(settings, now.replaceAll('"for_hooks_only"', '"hook"'));
    expect(await finding()).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("another version"),
    });
    await run("install", "claude-code");
    expect(readFileSync(settings, "utf8")).toBe(now);
  });

  it("changes only what an installation left: its paths, its events, its groups", async () => {
    const { run, env, home, settings, hooks, byTool } = world("2.1.325");
    await run("install", "claude-code");
    const before = hooks();
    const { Stop: _, ...rest } = before;
    const mine = { type: "mcp_tool", server: "mine", tool: "hook", timeout: 1 } as const;
    const [tool] = before["PostToolUse"]?.[0].hooks ?? [];
    const PostToolUse = [{ matcher: "Read", hooks: [mine, tool] }];
    const elsewhere = (text: string) => text.replaceAll(`${ROOT}/dist`, "/elsewhere/dist");
    writeFileSync(settings, elsewhere(JSON.stringify({ hooks: { ...rest, PostToolUse } }, null, 2)));
    const change = (wiring: Wiring) => rewireHooks(claudeCodeInstaller, env, home, wiring, Date.now());
    const edited = readFileSync(settings, "utf8");
    expect(await change(wiringOf())).toBe(true);
    expect(byTool()).toEqual(["PostToolUse"]);
    const after = hooks();
    expect(Object.keys(after)).toEqual(Object.keys({ ...rest, PostToolUse }));
    expect(after["PostToolUse"]).toMatchObject([{ matcher: "Read", hooks: [mine, { type: "command" }] }]);
    expect(after["UserPromptSubmit"]?.[0].hooks[0].command).toContain("/elsewhere/dist/continuo.cjs");
    expect(after["SessionStart"]).toEqual(JSON.parse(edited).hooks.SessionStart);
    expect(await change({ ...wiringOf(), mcp: { offIn: [] } })).toBe(true);
    expect(readFileSync(settings, "utf8")).toBe(edited);
  });

  it("changes nothing without the receipt of an installation", async () => {
    const { run, env, home, byTool } = world("2.1.325");
    await run("install", "claude-code");
    rmSync(join(home.backups, "claude-code", "receipt.json"));
    expect(await rewireHooks(claudeCodeInstaller, env, home, wiringOf(), Date.now())).toBe(false);
    expect(byTool().sort()).toEqual(BY_TOOL);
  });

  it("changes nothing in settings that cannot be edited safely", async () => {
    const { run, env, home, settings } = world("2.1.325");
    await run("install", "claude-code");
    const text = readFileSync(settings, "utf8").replace("{", "{ // mine");
    writeFileSync(settings, text);
    await expect(rewireHooks(claudeCodeInstaller, env, home, wiringOf(), Date.now())).rejects.toThrow();
    expect(readFileSync(settings, "utf8")).toBe(text);
  });
});
