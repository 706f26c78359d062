import { randomUUID } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, requestText, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CONTINUO, ROOT, runScript } from "../support/child.ts";
import { CLAUDE_CODE, startClaudeCode } from "../support/claude-code.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { temporaryFolder, write } from "../support/world.ts";

const PLUGIN = join(ROOT, "dist", "claude-code-plugin");
const TOOL = "mcp__plugin_continuo_continuo__set_relevant_context";

const missing = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const skip = typeof missing === "object" && "skip" in missing ? missing.skip : false;

/** The real program with the plugin from its local marketplace, as docs/hosts/claude-code.md says to install it. */
async function withPlugin({ settingsHooks = false } = {}) {
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => {
      if (classify(request) === "compaction")
        return { text: "<analysis>x</analysis>\n<summary>We said hello.</summary>" };
      return classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "ok" };
    },
  });
  onTestFinished(() => server.close());
  const host = await startClaudeCode({ git: true, server });
  onTestFinished(() => host.dispose());
  write(host.project, { ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences." });
  const env = { HOME: host.home, TMPDIR: join(host.home, "..", "tmp"), PATH: "/usr/bin:/bin" };
  const cli = async (...args: string[]) => {
    const done = await runScript(CONTINUO, args, { env, cwd: host.project });
    expect(done.stderr).toBe("");
    return done.stdout;
  };
  if (settingsHooks) await cli("install", "claude-code");
  const plugin = async (...args: string[]) => {
    const done = await host.command("plugin", ...args);
    expect(done.code, done.stdout + done.stderr).toBe(0);
    return done.stdout;
  };
  // A copy outside the package: a marketplace that is not a folder is read from such a copy.
  const copy = temporaryFolder("plugin");
  cpSync(PLUGIN, copy, { recursive: true });
  await plugin("marketplace", "add", copy);
  await plugin("install", "continuo@continuo");
  /** What the model received in one run, which must not have failed. */
  const ask = async (options: Parameters<typeof host.run>[0]): Promise<ModelRequest[]> => {
    const done = await host.run(options);
    expect(done.code, done.stderr).toBe(0);
    const requests = done.requests.filter((request) => classify(request) === "main");
    expect(requests.length).toBeGreaterThan(0);
    return requests;
  };
  const reply = (...replies: Reply[]) => {
    queue = replies;
  };
  return { ...host, plugin, cli, ask, reply };
}

function expectOnce(request: ModelRequest | undefined, ...markers: string[]): void {
  for (const marker of markers) expect(request && countOccurrences(request, marker), marker).toBe(1);
}

describe.skipIf(skip)(`the plugin in Claude Code ${CLAUDE_CODE}`, () => {
  it("passes the host's own strict validation, as a marketplace and as a plugin", async () => {
    const host = await startClaudeCode();
    onTestFinished(() => host.dispose());
    for (const path of [PLUGIN, join(PLUGIN, ".claude-plugin", "plugin.json")]) {
      const { code, stdout } = await host.command("plugin", "validate", "--strict", path);
      expect(code, stdout).toBe(0);
    }
  });

  it("shows the snapshot once at the start, on resume and after a compaction, next to the host's own memory", async () => {
    const host = await withPlugin();
    write(host.project, { "CLAUDE.md": "MARK-OWN-INSTRUCTIONS" });
    const memory = join(
      host.home,
      ".claude",
      "projects",
      host.project.replaceAll(/[^A-Za-z0-9]/g, "-"),
      "memory",
    );
    write(memory, { "MEMORY.md": "MARK-OWN-MEMORY" });
    const id = randomUUID();
    const marks = ["MARK-ALWAYS", "</continuo>", "MARK-OWN-INSTRUCTIONS", "MARK-OWN-MEMORY"];
    const [first] = await host.ask({ prompt: "hello", sessionId: id });
    expectOnce(first, ...marks);
    const [second] = await host.ask({ prompt: "again", resume: id });
    expectOnce(second, ...marks);
    expect(first && second && sharedPrefix(first, second)).toMatchObject({
      system: true,
      tools: true,
      messages: true,
    });

    const summarisers = (await host.compact(id)).requests.filter((one) => classify(one) === "compaction");
    expectOnce(summarisers[0], "block out of the summary");
    expectOnce((await host.ask({ prompt: "go on", resume: id }))[0], ...marks);
    expect(JSON.parse(await host.cli("status", "--json")).data.sessions).toMatchObject([
      { session: id, snapshots: 2 },
    ]);
    expect(await host.cli("why", id)).toContain("No failures in the last 7 days");
    expect(await host.cli("doctor", "--verbose")).toMatch(/Claude Code.*installed as a plugin/);
  });

  it("delivers everything once even if the settings have hooks too", async () => {
    const host = await withPlugin({ settingsHooks: true });
    const id = randomUUID();
    expectOnce((await host.ask({ prompt: "hello", sessionId: id }))[0], "MARK-ALWAYS", "</continuo>");
    write(host.project, { ".continuo/rules/late.md": "MARK-LATE: new in mid-session." });
    expectOnce((await host.ask({ prompt: "again", resume: id }))[0], "MARK-ALWAYS", "MARK-LATE");
    await host.compact(id);
    expectOnce(
      (await host.ask({ prompt: "go on", resume: id }))[0],
      "MARK-ALWAYS",
      "MARK-LATE",
      "</continuo>",
    );
    expect(JSON.parse(await host.cli("status", "--json")).data.sessions).toMatchObject([
      { session: id, snapshots: 2, additions: 1 },
    ]);
    expect(await host.cli("why", id)).toContain("No failures in the last 7 days");
  });

  it("lists its tools in every request, but not its skill and its commands", async () => {
    const host = await withPlugin();
    const [request] = await host.ask({ prompt: "hello" });
    const names = request?.body.tools?.map((tool) => tool.name);
    expect(names).toContain("mcp__plugin_continuo_continuo__write_memory");
    expectOnce(request, TOOL); // deferred: its name
    expect(request && requestText(request)).not.toMatch(/(?<!plugin:)continuo:(continuo|why)/);
  });

  it("answers /continuo:why with what this session received, without a tool call", async () => {
    const host = await withPlugin();
    const id = randomUUID();
    await host.ask({ prompt: "hello", sessionId: id });
    await host.ask({ prompt: "another session of the project" });
    const requests = await host.ask({ prompt: "/continuo:why", resume: id });
    expect(requests).toHaveLength(1);
    const text = requestText(requests[0]!);
    expect(text).toContain(`(Claude Code, project project, ${id.slice(0, 8)})\nCost: about `);
    expect(text).toMatch(/ {2}always\.md +rules +\d+ +always on/);
    expect(text).toContain("No failures in the last 7 days");
  });

  it("answers /continuo:handoff with what this session has", async () => {
    const host = await withPlugin();
    const id = randomUUID();
    await host.ask({ prompt: "Round the prices half to even", sessionId: id });
    await host.ask({ prompt: "another session of the project" });
    const [request] = await host.ask({ prompt: "/continuo:handoff", resume: id });
    const text = request === undefined ? "" : requestText(request);
    expect(text).toContain(`From session ${id} (claude-code`);
    expect(text).toContain("- Round the prices half to even");
  });

  it("lets /continuo:sets change a set through the tool, and never passes the input to a shell", async () => {
    const host = await withPlugin();
    const id = randomUUID();
    host.reply({ toolUses: [{ name: TOOL, input: { setName: "ports", items: ["3000"] } }] });
    const touch = (name: string) => `touch ${join(host.project, name)}`;
    const typed = `ports 3000 $(${touch("one")}) ; ${touch("two")} !\`${touch("three")}\``;
    const args = ["--permission-mode", "bypassPermissions"];
    const first = await host.ask({ prompt: `/continuo:sets ${typed}`, sessionId: id, args });
    expect(requestText(first[0]!)).toContain("This session has no context sets");
    expect(requestText(first[0]!)).toContain(`ports 3000 $(${touch("one")})`);
    expect(first[1]?.raw).toContain("Set ports: 1 item");
    expect(readdirSync(host.project).sort()).toEqual([".continuo", ".git"]);

    // The command itself allows the tool: no permission mode is needed.
    host.reply({ toolUses: [{ name: TOOL, input: { setName: "ports", items: ["3001"] } }] });
    const second = await host.ask({ prompt: "/continuo:sets ports 3001", resume: id });
    expect(requestText(second[0]!)).toMatch(/ports:\n {2}3000/);
    expect(second[1]?.raw).toContain("Set ports: 1 item");
    expect(JSON.parse(await host.cli("sets", "get", "--session", id, "--json")).data.context).toEqual({
      ports: ["3001"],
    });
  });

  it("runs guards as soon as a project is trusted, without a second installation", async () => {
    const host = await withPlugin();
    const guard = "---\nguard: { action: deny, tool: Bash, match: 'rm -rf' }\n---\nNever delete recursively.";
    write(host.project, { ".continuo/rules/no-rm.md": guard });
    const attempt = async () => {
      write(host.project, { "precious/file.txt": "x" });
      host.reply({ toolUses: [{ name: "Bash", input: { command: "rm -rf precious" } }] });
      await host.ask({ prompt: "clean up", args: ["--permission-mode", "bypassPermissions"] });
      return existsSync(join(host.project, "precious"));
    };
    expect(await attempt()).toBe(false);
    await host.cli("rules", "trust", "--yes");
    expect(await attempt()).toBe(true);
  });

  it("does no harm if there is no node", async () => {
    const host = await withPlugin();
    const bare = temporaryFolder();
    for (const name of ["sh", "bash", "git"]) symlinkSync(`/bin/${name}`, join(bare, name));
    const args = ["--output-format", "stream-json", "--verbose", "--include-hook-events"];
    const done = await host.run({ prompt: "hello", args, env: { PATH: bare } });
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toContain('Executable not found in $PATH: \\"node\\"');
    const text = requestText(done.requests[0]!);
    expect(text).not.toMatch(/MARK-ALWAYS|hook command/);
    expect(text).toContain("plugin:continuo:continuo (ENOENT)"); // the host's own words about the MCP server
  });

  it("is gone after an uninstallation: no entry, no hook, nothing in the request", async () => {
    const host = await withPlugin();
    await host.plugin("uninstall", "continuo@continuo");
    await host.plugin("marketplace", "remove", "continuo");
    const settings = readFileSync(join(host.home, ".claude", "settings.json"), "utf8");
    expect(JSON.parse(settings)).toEqual({ enabledPlugins: {}, extraKnownMarketplaces: {} });
    const [request] = await host.ask({ prompt: "hello" });
    expect(request?.raw.replace("?? .continuo/", "")).not.toMatch(/continuo/i);
    expect(readdirSync(join(host.home, ".continuo"))).toEqual(["config.json"]); // the test's own; see bePatient
  });
});
