import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Input } from "../../../../src/cli/command.ts";
import { type ConnectOptions, connectAll } from "../../../../src/cli/commands/install/connect.ts";
import { listOfAgents } from "../../../../src/cli/commands/install/install.ts";
import { unpainted } from "../../../../src/cli/terminal/paint.ts";
import { PLAIN } from "../../../../src/cli/terminal/screen.ts";
import type { Installer } from "../../../../src/hosts/port/installer.ts";
import { agentStates, findAgents } from "../../../../src/setup/agents.ts";
import { claudeCode } from "../../../support/agents.ts";
import { inputIn } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const SETTINGS =
  '{\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "echo hunter2" }] }] }\n}\n';

/** A user with Claude Code, whose answers are given in advance. */
function world(...answers: (string | undefined)[]) {
  const made = temporaryWorld();
  const user = made.env["HOME"] ?? "";
  const { bin } = claudeCode("2.1.325");
  write(user, { ".claude/settings.json": SETTINGS });
  const env = { ...made.env, PATH: bin };
  const shown: string[] = [];
  const input: Input = {
    ...inputIn({ env, root: made.root }),
    values: {},
    positionals: [],
    output: { say: (text) => void shown.push(text), json: () => undefined },
  };
  const asked: string[] = [];
  const ask = (question: string) => {
    asked.push(question);
    return answers.shift();
  };
  const claude = async () => (await findAgents(input, ["claude-code"]))[0]!;
  const settings = () => readFileSync(join(user, ".claude", "settings.json"), "utf8");
  return { ...made, user, input, ask, asked, shown, claude, settings };
}

async function connect(input: Input, installer: Installer, options?: ConnectOptions) {
  const [result] = await connectAll(input, [installer], options);
  return result!;
}

describe.skipIf(process.platform === "win32")("connect", () => {
  it("says what it adds and where, and asks; Enter means yes", async () => {
    const { input, ask, asked, claude, settings } = world("");
    const { outcome, lines } = await connect(input, await claude(), { ask });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.replace(/\n +/g, " ")).toMatch(
      /^Adds hooks for 8 events and 1 MCP server to ~\/\.claude\/settings\.json and ~\/\.claude\.json\nYour own entries stay as they are\.\nWith t, .*\nConnect Claude Code\? \[Y\]es \/ yes with \[t\]ools \/ \[n\]o \/ \[d\]iff $/,
    );
    expect(outcome).toBe("connected");
    expect(lines.join("\n")).not.toContain("Your own entries");
    expect(settings()).toContain('{ "hooks": [{ "type": "command", "command": "echo hunter2" }] }');
  });

  it.each([
    ["no", ["n"]],
    ["no after the diff and a typing error", ["d", "what", "no"]],
  ])("changes nothing after %s", async (_, answers) => {
    const { input, ask, asked, claude, settings, home } = world(...answers);
    const { outcome } = await connect(input, await claude(), { ask });
    expect(outcome).toBe("declined");
    expect(asked).toHaveLength(answers.length);
    expect(settings()).toBe(SETTINGS);
    expect(existsSync(home.backups)).toBe(false);
  });

  it("shows the edit on request, without the values of others", async () => {
    const { input, ask, asked, shown, claude } = world("d", "y");
    await connect(input, await claude(), { ask });
    expect(shown[0]).toContain("hook claude-code SessionStart");
    expect(shown[0]).not.toContain("hunter2");
    expect(asked[1]).toMatch(/^Connect Claude Code\?/);
  });

  it("shows repeated entries once, what t would add, and the command for every line", async () => {
    const { input, ask, shown, claude, settings, user } = world("d", "n");
    const before = JSON.stringify(JSON.parse(SETTINGS), null, 2);
    write(user, { ".claude/settings.json": before });
    await connect(input, await claude(), { ask });
    const text = shown.join("");
    expect(text).toMatch(/SessionStart 2\)[\s\S]*… 4 more entries like this one, for parts 3 to 6 of a text/);
    expect(text).not.toContain("SessionStart 3)");
    expect(text).toMatch(
      /With t, these permissions are added too:\n[\s\S]*\+ .*"mcp__continuo__read_memory"/,
    );
    expect(text).toMatch(/\nTo see every line of the edit: continuo install claude-code --diff\n$/);
    expect(text).not.toContain("hunter2");
    const whole = await connect(input, await claude(), { isPreview: true });
    expect(whole).toMatchObject({ outcome: "shown", diff: expect.stringContaining("SessionStart 6)") });
    expect(settings()).toBe(before);
  });

  it("wraps its question at the width of the screen", async () => {
    const { input, ask, asked, claude } = world("n");
    const screen = { ...PLAIN, isTerminal: true, isFitted: true, width: 60, height: 40 };
    await connect({ ...input, screen }, await claude(), { ask });
    expect(Math.max(...asked[0]!.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it.each([["y"], ["n"], ["d"]])(
    "changes nothing if the person leaves at the second question, after %s at the first",
    async (first) => {
      const { input, ask, asked, claude, settings, user, home } = world(first, undefined);
      mkdirSync(join(user, ".cursor"));
      const agents = [await claude(), ...(await findAgents(input, ["cursor"]))];
      await expect(connectAll(input, agents, { ask })).rejects.toMatchObject({
        code: "interrupted",
        message: "Nothing was changed.",
      });
      expect(asked).toHaveLength(2);
      expect(settings()).toBe(SETTINGS);
      expect(existsSync(join(user, ".cursor", "mcp.json"))).toBe(false);
      expect(existsSync(home.backups)).toBe(false);
    },
  );

  it("asks about an agent that is not on this machine; Enter means no", async () => {
    const { input, ask, asked, user } = world("", "y");
    const [cursor] = await findAgents(input, ["cursor"]);
    expect((await connect(input, cursor!, { ask })).outcome).toBe("declined");
    expect(asked[0]).toMatch(
      /^Cursor was not found on this machine\.\nAdds 1 MCP server to ~\/\.cursor\/mcp\.json\n[^\n]*\nConnect Cursor anyway\? \[y\]es \/ \[N\]o \/ \[d\]iff $/,
    );
    expect(existsSync(join(user, ".cursor"))).toBe(false);
    const done = await connect(input, cursor!);
    expect(done.lines[0]).toBe("Cursor was not found on this machine.");
    expect(existsSync(join(user, ".cursor", "mcp.json"))).toBe(true);
  });

  it("says that entries are gone that the agent wrote over, and how to add them again", async () => {
    const { input, claude, user } = world();
    const [cursor] = await findAgents(input, ["cursor"]);
    const meanwhile = () => {
      write(user, { ".claude/settings.json": SETTINGS });
      return [];
    };
    const results = await connectAll(input, [await claude(), { ...cursor!, besides: meanwhile }]);
    expect(results.map(({ outcome }) => outcome)).toEqual(["failed", "connected"]);
    expect(results[0]?.lines.join("\n")).toMatch(
      /wrote its settings at the same moment.* gone[\s\S]*continuo install claude-code/,
    );
  });

  it("says of a program that is only in a project that it was found there, and gives no empty version", async () => {
    const { input, user, root } = world();
    const bin = join(root, "node_modules", ".bin");
    write(bin, { codex: "#!/bin/sh\necho 1.2.3\n" });
    chmodSync(join(bin, "codex"), 0o755);
    const here = { ...input, env: { ...input.env, PATH: bin } };
    const [codex] = await findAgents(here, ["codex"]);
    const { lines } = await connect(here, codex!);
    expect(lines[0]).toMatch(/^Codex was found only in a project.*node_modules\/\.bin\/codex$/);
    write(user, { ".gemini/settings.json": "{}" });
    const versions = (await agentStates(here)).map(({ installer, noVersion }) => [installer.host, noVersion]);
    expect(versions).toContainEqual(["codex", "only in a project"]);
    expect(versions).toContainEqual(["gemini", "not on the PATH"]);
  });

  it("allows the read-only tools with the same answer, and offers it once", async () => {
    const { input, ask, asked, claude, settings } = world("t", "y");
    await connect(input, await claude(), { ask });
    expect(JSON.parse(settings()).permissions.allow).toContain("mcp__continuo__search_memories");
    expect(JSON.parse(settings()).permissions.allow).not.toContain("mcp__continuo__write_memory");
    const again = await connect(input, await claude(), { ask });
    expect(again.outcome).toBe("already connected");
    expect(asked).toHaveLength(1);
  });

  it("says what is left to do: tools that Claude Code would refuse", async () => {
    const { input, claude } = world();
    const { lines } = await connect(input, await claude());
    expect(lines.join("\n")).toContain(
      "Optional: let Claude Code use Continuo's read-only tools without asking: continuo install claude-code --allow-tools",
    );
    const allowed = world();
    const after = await connect(allowed.input, await allowed.claude(), { allowTools: true });
    expect(after.lines.join("\n")).not.toContain("--allow-tools");
  });
});

describe.skipIf(process.platform === "win32")("the list of agents", () => {
  it("tells found, connected and broken ones apart, with the command for each", async () => {
    const { input, claude, user, settings } = world();
    mkdirSync(join(user, ".cursor"));
    const stateOf = async (host: string) =>
      (await agentStates(input)).find(({ installer }) => installer.host === host)!;
    const shown = async () => unpainted(listOfAgents(await agentStates(input), input.env, PLAIN).text);
    expect(await stateOf("claude-code")).toMatchObject({
      isFound: true,
      version: "2.1.325",
      state: "not connected",
      adds: { hooks: 22, events: 8, servers: 1 },
    });
    expect(await stateOf("gemini")).toMatchObject({ isFound: false, state: "not connected" });
    expect(await stateOf("cursor")).toMatchObject({
      isFound: true,
      state: "not connected",
      adds: { servers: 1 },
    });
    expect(await shown()).toMatch(
      /Claude Code 2\.1\.325: not connected\n {2}To connect: continuo install claude-code/,
    );
    expect(await shown()).toMatch(/Not found here: [\s\S]*Gemini CLI \(gemini\)/);
    await connect(input, await claude());
    expect(await stateOf("claude-code")).toMatchObject({ state: "connected", adds: { servers: 1 } });
    expect(await shown()).toMatch(
      /Claude Code 2\.1\.325: connected\n {2}Has hooks for 8 events and 1 MCP server in /,
    );
    writeFileSync(join(user, ".claude/settings.json"), settings().replaceAll(process.execPath, "/gone/node"));
    expect(await stateOf("claude-code")).toMatchObject({
      state: "needs attention",
      problem: expect.stringContaining("/gone/node"),
    });
    expect(await shown()).toMatch(/needs attention\n[\s\S]*To fix: continuo install claude-code/);
  });

  it("goes on when the settings of one agent cannot be read", async () => {
    const { input, user } = world();
    writeFileSync(join(user, ".claude", "settings.json"), '{ "a": ');
    const states = await agentStates(input);
    const [first] = states;
    expect(first).toMatchObject({
      state: "needs attention",
      problem: expect.stringMatching(/\.claude\/settings\.json is not valid JSON/),
      fix: "correct that file first",
    });
    expect(states.length).toBeGreaterThan(6);
  });
});
