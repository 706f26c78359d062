import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { startClaudeCode } from "../support/claude-code.ts";
import { copilotEnv, copilotProgram } from "../support/copilot.ts";
import { geminiEnv, geminiProgram, geminiSettings } from "../support/gemini.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { makePlace, type Place } from "../support/place.ts";
import { write } from "../support/world.ts";

const NOWHERE = "http://127.0.0.1:9";

/** A home in which `continuo install` was run for one host. */
async function installed(host: string, files: Record<string, string> = {}): Promise<Place> {
  const place = await makePlace("codex");
  onTestFinished(() => place.dispose());
  write(place.home, files);
  await continuo(place, "install", host);
  return place;
}

async function continuo({ env, project }: Place, ...args: string[]): Promise<void> {
  const done = await runScript(CONTINUO, args, { env, cwd: project });
  expect(done, done.stderr).toMatchObject({ code: 0 });
}

describe("the MCP entry that install writes works in the real host", () => {
  it("Claude Code connects to it, and keeps it in the file that it rewrites", async ({ skip }) => {
    const found = await orSkipReason(startClaudeCode());
    if ("skip" in found) return skip(found.skip);
    onTestFinished(() => found.dispose());
    const env = { HOME: found.home, TMPDIR: join(dirname(found.home), "tmp"), PATH: "/usr/bin:/bin" };
    const file = join(found.home, ".claude.json");
    const cli = (...args: string[]) => runScript(CONTINUO, args, { env, cwd: found.project });
    expect((await cli("install", "claude-code")).code).toBe(0);
    const seen: string[] = [];
    found.server.respondWith((request) => {
      seen.push(JSON.stringify(request.body));
      return { text: "done" };
    });
    expect((await found.run({ prompt: "hello" })).code).toBe(0);
    expect(seen.some((body) => body.includes("mcp__continuo__"))).toBe(true);
    expect(readFileSync(file, "utf8")).toContain("continuo.cjs");
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveProperty("userID");
    expect((await cli("uninstall", "claude-code")).code).toBe(0);
    const { userID, mcpServers } = JSON.parse(readFileSync(file, "utf8"));
    expect({ userID, mcpServers }).toEqual({ userID: expect.any(String), mcpServers: undefined });
  });

  it("Codex lists it next to the user's, even after it edited the file itself", async ({ skip }) => {
    const found = await orSkipReason(installedPackage("@openai/codex", "0.169.0"));
    if (typeof found !== "string") return skip(found.skip);
    const program = codexIn(found);
    const config = '# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "true"\n';
    const place = await installed("codex", { ".codex/config.toml": config });
    const list = async () => JSON.parse(await place.run([program, "mcp", "list", "--json"]));
    const [ours] = (await list()).filter((one: { name: string }) => one.name === "continuo");
    expect(ours.transport).toMatchObject({ type: "stdio", args: [CONTINUO, "mcp"] });
    await place.run([program, "mcp", "add", "third", "--", "true"]);
    await continuo(place, "uninstall", "codex");
    expect((await list()).map((one: { name: string }) => one.name).sort()).toEqual(["other", "third"]);
    expect(readFileSync(join(place.home, ".codex/config.toml"), "utf8")).toContain(config);
  });

  it("Gemini CLI connects to it", async ({ skip }) => {
    const program = await orSkipReason(geminiProgram());
    if (typeof program !== "string") return skip(program.skip);
    const place = await installed("gemini", { ".gemini/settings.json": geminiSettings() });
    // It prints to stderr if there is no terminal.
    const shell = `${process.execPath} ${program} mcp list 2>&1`;
    const said = await place.run(["/bin/sh", "-c", shell], geminiEnv(NOWHERE));
    expect(said).toMatch(/continuo: .*continuo\.cjs mcp \(stdio\) - Connected/);
  });

  it("Copilot CLI lists it with all its tools", async ({ skip }) => {
    const program = await orSkipReason(copilotProgram());
    if (typeof program !== "string") return skip(program.skip);
    const place = await installed("copilot");
    const said = await place.run([program, "mcp", "get", "continuo"], copilotEnv(NOWHERE));
    expect(said).toMatch(/Status: Enabled[\s\S]*continuo\.cjs mcp[\s\S]*Tools: \* \(all\)/);
  });
});

function codexIn(folder: string): string {
  const scope = join(folder, "node_modules", "@openai");
  const platform = readdirSync(scope).find((name) => name.startsWith("codex-")) ?? "";
  const files = readdirSync(join(scope, platform, "vendor"), { recursive: true, encoding: "utf8" });
  const program = files.find((path) => /(^|[\\/])codex(\.exe)?$/.test(path));
  if (program === undefined) throw new Error("Codex has no build for this system");
  return join(scope, platform, "vendor", program);
}
