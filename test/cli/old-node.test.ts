import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { temporaryWorld } from "../support/world.ts";

/** Makes the process believe that it runs on Node 20, which has no SQLite either. */
const NODE_20 = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
const { getBuiltinModule } = process;
process.getBuiltinModule = (id) => (id === "node:sqlite" ? undefined : getBuiltinModule(id));`;

function onNode20() {
  const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
  const preload = join(world.root, "..", "node-20.cjs");
  writeFileSync(preload, NODE_20);
  const run = (args: readonly string[], stdin?: string) =>
    runScript(CONTINUO, args, {
      env: world.env,
      cwd: world.root,
      nodeArgs: ["--require", preload],
      ...(stdin === undefined ? {} : { stdin }),
    });
  return { world, run };
}

describe("on a Node that is too old", () => {
  it.each([
    [["note", "hello there"]],
    [["install", "--all", "--yes"]],
    [["--yes"]],
    [["search", "hello"]],
    [["start"]],
    [["web", "--no-open"]],
    [["rules"]],
  ])("%j says at once what is missing, and does nothing", async (args) => {
    const { world, run } = onNode20();
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^continuo: Continuo needs Node 22\.19 or newer; this is Node 20\.20\.2 \(/);
    expect(stderr).toMatch(/Node 24 \(https:\/\/nodejs\.org/);
    expect(existsSync(join(world.home.root, "memory"))).toBe(false);
    const json = JSON.parse((await run([...args, "--json"])).stdout);
    expect(json).toMatchObject({ ok: false, error: { code: "node-too-old" } });
  });

  it("still shows help, checks the setup and takes Continuo away", async () => {
    const { run } = onNode20();
    expect((await run(["help"])).code).toBe(0);
    expect((await run(["--version"])).code).toBe(0);
    expect((await run(["doctor"])).stdout).toContain("rules work, search does not");
    expect((await run(["uninstall", "--all", "--yes"])).code).toBe(0);
  });

  it("gives rules in hooks, and an agent's note is written once and reported as written", async () => {
    const { world, run } = onNode20();
    const start = { session_id: "s1", cwd: world.root, source: "startup" };
    expect((await run(["hook", "claude-code", "SessionStart"], JSON.stringify(start))).stdout).toContain(
      "Rule A.",
    );
    const calls = [
      {
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "any", version: "1" },
        },
      },
      {
        method: "tools/call",
        params: {
          name: "write_memory",
          arguments: { title: "Staging", content: "Staging has no cron jobs." },
        },
      },
    ];
    const stdin = calls.map((call, id) => JSON.stringify({ jsonrpc: "2.0", id, ...call })).join("\n");
    const { stdout } = await run(["mcp"], `${stdin}\n`);
    const answer = stdout.split("\n").find((line) => line.includes('"id":1')) ?? "";
    expect(answer).toContain("memory://staging");
    expect(answer).not.toContain('"isError":true');
    expect(readFileSync(join(world.home.root, "memory", "staging.md"), "utf8")).toContain("no cron jobs");
  });
});
