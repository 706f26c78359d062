import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHealth } from "../../src/store/health.ts";
import { ROOT, runScript } from "../support/child.ts";
import { givenWorld } from "../support/given-world.ts";
import { INITIALIZE, startMcpProcess } from "../support/mcp-process.ts";
import { startWebProcess } from "../support/web-process.ts";
import { temporaryFolder, temporaryWorld } from "../support/world.ts";

describe("a package that is replaced while it is used", () => {
  it("never makes a hook fail that has only the launcher", async () => {
    const folder = temporaryFolder();
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    const stdin = JSON.stringify({ session_id: "s1", cwd: world.root, source: "startup" });
    const start = () =>
      runScript(join(folder, "dist/continuo.cjs"), ["hook", "claude-code", "SessionStart"], {
        env: world.env,
        cwd: world.root,
        stdin,
      });
    cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
    const [name = ""] = readdirSync(join(folder, "dist")).filter((one) => /^code-\w{8}\.cjs$/.test(one));
    rmSync(join(folder, "dist", name));
    expect(await start()).toMatchObject({ code: 0, stdout: "" });
  });

  /** A package of its own, which can be removed. */
  function installed() {
    const folder = temporaryFolder("package");
    cpSync(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
    return {
      script: join(folder, "dist", "continuo.cjs"),
      remove: () => rmSync(join(folder, "dist"), { recursive: true }),
    };
  }

  it("leaves a running MCP server all its tools, also those that it had not loaded yet", async () => {
    const { script, remove } = installed();
    const world = temporaryWorld();
    givenWorld(world);
    const { ask, child } = startMcpProcess({ world, script, more: {} });
    await ask(INITIALIZE);
    remove();
    const { result } = (await ask({ method: "tools/list", params: {} })) as { result: { tools: Tool[] } };
    expect(result.tools.length).toBeGreaterThan(3);
    for (const { name, inputSchema } of result.tools) {
      const text = Object.fromEntries((inputSchema.required ?? []).map((one) => [one, "cart totals"]));
      const answer = JSON.stringify(await ask({ method: "tools/call", params: { name, arguments: text } }));
      expect(answer).not.toMatch(/ENOENT|fault in Continuo|updated/);
    }
    child.stdin.end();
    // Without the table of meaning, search uses words only, and says so.
    const { records } = readHealth(world.home.logs);
    expect(records.filter(({ code }) => code !== "meaning-missing")).toEqual([]);
  });

  it("leaves a running page server all its answers", async () => {
    const { script, remove } = installed();
    const world = temporaryWorld();
    givenWorld(world);
    const { url, port } = await startWebProcess({ env: world.env, cwd: world.root, script });
    remove();
    const entered = await fetch(url, { headers: { accept: "application/json" } });
    const { page } = (await entered.json()) as { readonly page: string };
    const headers = {
      cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "",
      "x-continuo-page": page,
    };
    for (const [path, status] of [
      ["/", 200],
      ["/api/sessions", 200],
      ["/api/rules", 200],
      ["/api/notes", 200],
      ["/api/inbox", 200],
      ["/api/connect", 200],
      ["/api/given/days", 200],
      ["/api/nothing", 404],
    ] as const) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      expect([path, answer.status, await answer.text()]).toEqual([path, status, expect.anything()]);
    }
  });
});

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
}
