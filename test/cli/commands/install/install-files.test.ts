import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOnlyDisk } from "../../../support/disk.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld } from "../../../support/world.ts";

/** The files of each host below the user's home: its hooks or plugins, and its MCP entry. */
const FILES = {
  "claude-code": [".claude/settings.json", ".claude.json"],
  codex: [".codex/hooks.json", ".codex/config.toml"],
  copilot: [".copilot/hooks/continuo.json", ".copilot/mcp-config.json"],
  gemini: [".gemini/settings.json"],
  opencode: [".config/opencode/opencode.json"],
  pi: [".pi/agent/settings.json"],
} as const;
type Host = keyof typeof FILES;
const HOSTS = Object.keys(FILES) as Host[];

function world(files: Record<string, string | Uint8Array> = {}, env: NodeJS.ProcessEnv = {}) {
  const made = temporaryWorld();
  const user = made.env["HOME"] ?? "";
  const at = (name: string) => join(user, name);
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  const run = (...args: string[]) => runInProcess(args, { env: { ...made.env, ...env }, cwd: made.root });
  return { ...made, at, put, run, read: (name: string) => readFileSync(at(name), "utf8") };
}

/** What a user may already have in a file. Copilot's hooks are in a file that only Continuo writes. */
function originalOf(name: string): string | undefined {
  if (name.endsWith("continuo.json")) return undefined;
  if (name.endsWith(".toml")) return '# mine\nmodel = "x"   # odd\n\n[tui]\n a=1';
  return '{\n\t"a": 1,   "odd":"spacing"\n}';
}

describe.each(HOSTS)("install %s", (host) => {
  const names: readonly string[] = FILES[host];

  it("sets up every file once, and uninstall restores them byte for byte", async () => {
    const { run, read, put, at } = world();
    for (const name of names) {
      const text = originalOf(name);
      if (text !== undefined) put(name, text);
    }
    expect(await run("install", host)).toMatchObject({ code: 0, stderr: "" });
    const wired = names.map(read);
    for (const text of wired) expect(text).toContain("continuo");
    expect((await run("install", host)).stdout).toContain("already set up");
    expect(names.map(read)).toEqual(wired);
    expect((await run("uninstall", host)).code).toBe(0);
    expect(names.map((name) => (existsSync(at(name)) ? read(name) : undefined))).toEqual(
      names.map(originalOf),
    );
    expect((await run("uninstall", host)).stdout).toContain("Continuo is not installed in");
  });

  it("creates missing files, and uninstall removes them", async () => {
    const { run, at } = world();
    await run("install", host);
    expect(names.every((name) => existsSync(at(name)))).toBe(true);
    await run("uninstall", host);
    expect(names.some((name) => existsSync(at(name)))).toBe(false);
  });

  it.each([
    ["not what it should be", "{ not settings", "settings-invalid"],
    ["of the wrong type", "[]\n=", "settings-invalid"],
    ["not UTF-8", Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d), "settings-not-utf8"],
  ])("refuses each file that is %s, and touches none", async (_, content, code) => {
    for (const bad of names) {
      const { run, at, home } = world({ [bad]: content });
      const done = await run("install", host, "--json");
      expect(done.code).toBe(1);
      expect(JSON.parse(done.stdout)).toMatchObject({ ok: false, error: { code } });
      expect(JSON.parse(done.stdout).error.message).toContain(at(bad));
      expect(new Uint8Array(readFileSync(at(bad)))).toEqual(new Uint8Array(Buffer.from(content)));
      expect(names.filter((name) => existsSync(at(name)))).toEqual([bad]);
      expect(existsSync(home.backups)).toBe(false);
    }
  });

  it("refuses a folder or a read-only file at the path of a settings file", async () => {
    for (const bad of names) {
      const folder = world();
      mkdirSync(folder.at(bad), { recursive: true });
      expect((await folder.run("install", host)).stderr).toContain("it is not a regular file");
      expect(readdirSync(folder.at(bad))).toEqual([]);

      const text = originalOf(bad) ?? "{}";
      const locked = world({ [bad]: text });
      chmodSync(locked.at(bad), 0o444);
      expect((await locked.run("install", host)).stderr).toContain("is read-only");
      expect(locked.read(bad)).toBe(text);
      expect(names.filter((name) => existsSync(locked.at(name)))).toEqual([bad]);
    }
  });

  it("changes no file when Continuo's home is on a read-only disk, and says so", async ({ skip }) => {
    const disk = readOnlyDisk();
    if (disk === undefined) return skip("tmpfs cannot be mounted here");
    const own = names.flatMap((name) => {
      const text = originalOf(name);
      return text === undefined ? [] : [[name, text] as const];
    });
    const { run, at, read } = world(Object.fromEntries(own), { CONTINUO_HOME: join(disk, "home") });
    const done = await run("install", host);
    expect(done.code).not.toBe(0);
    expect(done.stderr).toMatch(/EROFS|EACCES|read-only/);
    for (const [name, text] of own) expect(read(name)).toBe(text);
    expect(names.filter((name) => existsSync(at(name)))).toEqual(own.map(([name]) => name));
  });

  it("keeps a byte order mark, Windows line ends and the file mode, and accepts an empty file", async () => {
    for (const name of names.filter((one) => originalOf(one) !== undefined)) {
      const text = `\ufeff${originalOf(name)}\n`.replaceAll("\n", "\r\n");
      const { run, at, read } = world({ [name]: text });
      chmodSync(at(name), 0o640);
      expect((await run("install", host)).stderr).toBe("");
      expect(read(name)).toMatch(/^\ufeff[^\ufeff]*$/);
      expect(read(name).replaceAll("\r\n", "")).not.toContain("\n");
      if (process.platform !== "win32") expect(statSync(at(name)).mode & 0o777).toBe(0o640);
      expect((await run("install", host)).stdout).toContain("already set up");
      await run("uninstall", host);
      expect(read(name)).toBe(text);

      const empty = world({ [name]: "" });
      expect((await empty.run("install", host)).code).toBe(0);
      await empty.run("uninstall", host);
      expect(empty.read(name)).toBe("");
    }
  });
});

describe("the MCP entry", () => {
  it("is not added with --no-mcp, which also removes it", async () => {
    for (const [host, file] of [
      ["claude-code", ".claude.json"],
      ["codex", ".codex/config.toml"],
      ["gemini", ".gemini/settings.json"],
    ] as const) {
      const { run, at, read } = world();
      await run("install", host, "--no-mcp");
      const text = () => (existsSync(at(file)) ? read(file) : "");
      expect(text()).not.toMatch(/mcpServers|mcp_servers/);
      await run("install", host);
      expect(text()).toMatch(/mcpServers|mcp_servers/);
      await run("install", host, "--no-mcp");
      expect(text()).not.toMatch(/mcpServers|mcp_servers/);
    }
  });

  it("of another program stops the installation, unless --no-mcp is given", async () => {
    const foreign = '{"mcpServers": {"continuo": {"command": "npx", "args": ["continuo", "mcp"]}}}';
    const { run, at, read } = world({ ".claude.json": foreign });
    const refused = await run("install", "claude-code");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("--no-mcp") });
    expect(existsSync(at(".claude/settings.json"))).toBe(false);
    expect((await run("install", "claude-code", "--no-mcp")).code).toBe(0);
    expect(read(".claude.json")).toBe(foreign);
  });

  it("is the only thing removed from a file that the host has changed since", async () => {
    const { run, read, put } = world({ ".claude.json": '{\n  "numStartups": 1\n}' });
    await run("install", "claude-code");
    put(".claude.json", JSON.stringify({ ...JSON.parse(read(".claude.json")), numStartups: 2 }, null, 2));
    await run("uninstall", "claude-code");
    expect(read(".claude.json")).toBe('{\n  "numStartups": 2\n}');
  });

  it("is added to a file of 20 MB without other changes, with a small diff", async () => {
    const big = { projects: { "/p": { history: Array.from({ length: 2_000 }, () => "x".repeat(10_000)) } } };
    const { run, read } = world({ ".claude.json": JSON.stringify(big) });
    const done = await run("install", "claude-code");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout.length).toBeLessThan(20_000);
    const { mcpServers, ...rest } = JSON.parse(read(".claude.json"));
    expect(rest).toEqual(big);
    expect(mcpServers.continuo.args.at(-1)).toBe("mcp");
  });
});

describe("Claude Code's plugin", () => {
  const plugin = (enabled: boolean) => JSON.stringify({ enabledPlugins: { "continuo@market": enabled } });
  const finding = async (run: (...args: string[]) => Promise<{ stdout: string }>) =>
    JSON.parse((await run("doctor", "--json")).stdout).data.findings.find(
      (one: { what: string }) => one.what === "Claude Code",
    );

  it("is enough: nothing else is installed, and doctor finds no problem", async () => {
    const { run, read, at } = world({ ".claude/settings.json": plugin(true) });
    expect(await run("install", "claude-code")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("plugin is enabled"),
    });
    expect(read(".claude/settings.json")).toBe(plugin(true));
    expect(existsSync(at(".claude.json"))).toBe(false);
    expect(await finding(run)).toMatchObject({ status: "ok", detail: "installed as a plugin" });
  });

  it("does not matter when disabled, and doctor warns when it is enabled later", async () => {
    const { run, read, put } = world({ ".claude/settings.json": plugin(false) });
    expect((await run("install", "claude-code")).code).toBe(0);
    put(".claude/settings.json", read(".claude/settings.json").replace("false", "true"));
    expect(await finding(run)).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("set up twice"),
      mend: expect.stringContaining("continuo uninstall claude-code"),
    });
  });
});

describe("the diff", () => {
  const servers = { db: { command: "x", args: ["--key=hunter1"], env: { PASSWORD: "hunter2" } } };
  it.each([
    ["on lines", JSON.stringify({ mcpServers: servers, token: "hunter3" }, null, 2)],
    ["on one line", JSON.stringify({ token: "hunter3", mcpServers: servers })],
    [
      "with an object on one line that an edit spreads over several",
      `{\n  "token": "hunter3",\n  "hooks": { "BeforeAgent": [{ "hooks": [{ "type": "command", "command": "curl hunter4" }] }] }\n}\n`,
    ],
    ["on one long line", JSON.stringify({ token: "hunter3".repeat(100), mcpServers: servers })],
  ])("shows what is Continuo's, and no values of the user's, in a file %s", async (_, text) => {
    const { run } = world({ ".gemini/settings.json": text });
    for (const command of ["install", "uninstall"]) {
      const { stdout } = await run(command, "gemini", "--diff");
      expect(stdout).not.toContain("hunter");
      expect(stdout).toContain("hook gemini SessionEnd");
      await run(command, "gemini");
    }
  });
});

describe("doctor", () => {
  it("detects Copilot by its folder, even before it has one for hooks", async () => {
    const { run } = world({ ".copilot/config.json": "{}" });
    expect((await run("doctor")).stdout).toMatch(/No agent is set up.*Copilot CLI/);
  });

  it("tests every host by running what its settings say, and leaves nothing behind", async () => {
    const { run, home } = world();
    for (const host of HOSTS) await run("install", host);
    const { stdout, code } = await run("doctor", "--json");
    const { ok, data } = JSON.parse(stdout);
    expect({ ok, code }).toEqual({ ok: true, code: 0 });
    const details = Object.fromEntries(
      data.findings.map((one: { what: string; detail: string }) => [one.what, one.detail]),
    );
    for (const what of ["Claude Code", "Codex", "Copilot CLI", "Gemini CLI"])
      expect(details[what]).toMatch(/its hook works .* its MCP server works/);
    for (const what of ["OpenCode", "pi"]) expect(details[what]).toContain("its plugin file works");
    expect(existsSync(home.ledger)).toBe(false);
    expect(existsSync(home.state)).toBe(false);
  });

  it("reports a hook that does not run: with ok, exit code and one line", async () => {
    const { run, read, put } = world();
    await run("install", "gemini");
    const file = ".gemini/settings.json";
    put(file, read(file).replaceAll(`set -- ${process.execPath} `, "set -- /bin/false "));
    const { stdout, code } = await run("doctor", "--json");
    const { ok, data } = JSON.parse(stdout);
    expect({ ok, code }).toEqual({ ok: false, code: 1 });
    const lines = data.findings.filter((one: { what: string }) => one.what === "Gemini CLI");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      status: "fail",
      detail: expect.stringMatching(/^its hook exited with code 1 after \d+ ms/),
      mend: expect.stringContaining("/bin/false"),
    });
  });
});
