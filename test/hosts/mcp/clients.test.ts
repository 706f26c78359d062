import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { mcpClients } from "../../../src/hosts/mcp/clients.ts";
import { runInProcess } from "../../support/in-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const fileOf = (host: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv) =>
  mcpClients(platform)
    .find((one) => one.host === host)
    ?.settingsFile(env);

describe("the settings of MCP clients", () => {
  it.each([
    ["cursor", "linux", "/u/.cursor/mcp.json"],
    ["windsurf", "darwin", "/u/.codeium/windsurf/mcp_config.json"],
    ["zed", "linux", "/u/.config/zed/settings.json"],
    ["zed", "darwin", "/u/.config/zed/settings.json"],
    ["zed", "win32", "/u/AppData/Roaming/Zed/settings.json"],
    ["vscode", "linux", "/u/.config/Code/User/mcp.json"],
    ["vscode", "darwin", "/u/Library/Application Support/Code/User/mcp.json"],
    ["claude-desktop", "darwin", "/u/Library/Application Support/Claude/claude_desktop_config.json"],
    ["claude-desktop", "win32", "/u/AppData/Roaming/Claude/claude_desktop_config.json"],
    [
      "cline",
      "linux",
      "/u/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ],
  ] as const)("of %s on %s are in %s", (host, platform, path) => {
    expect(fileOf(host, platform, { HOME: "/u" })).toBe(join(path));
  });

  it("follow the variables of the system", () => {
    expect(fileOf("zed", "linux", { HOME: "/u", XDG_CONFIG_HOME: "/x" })).toBe(join("/x/zed/settings.json"));
    expect(fileOf("vscode", "win32", { HOME: "/u", APPDATA: "/a" })).toBe(join("/a/Code/User/mcp.json"));
  });

  it.each(mcpClients().map(({ host }) => [host] as const))(
    "of %s get one entry, and lose it again without a trace",
    async (host) => {
      const { env, root } = temporaryWorld();
      const file = fileOf(host, process.platform, env) ?? "";
      const text = '// mine\n{\n    "other": { "env": { "KEY": "hunter2" } }, // secret\n}\n';
      write(join(file, ".."), { [file.slice(join(file, "..").length + 1)]: text });
      const run = (...args: string[]) => runInProcess(args, { env, cwd: root });
      expect(await run("install", host)).toMatchObject({ code: 0, stderr: "" });
      const added = readFileSync(file, "utf8");
      const { other: _, ...lists } = parse(added);
      const [{ continuo }] = Object.values(lists) as [{ continuo: { command: string; args: string[] } }];
      expect([continuo.command, continuo.args.at(-1)]).toEqual([process.execPath, "mcp"]);
      expect((await run("install", host, "--diff")).stdout).not.toMatch(/hunter2|secret/);
      // Changed since: only the entry goes.
      write(join(file, ".."), { [file.slice(join(file, "..").length + 1)]: added.replace("mine", "yours") });
      expect((await run("uninstall", host)).code).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(text.replace("mine", "yours"));
    },
  );
});
