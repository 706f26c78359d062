import { join } from "node:path";
import { isRecord } from "../../base/json.ts";
import { userHome } from "../../store/home.ts";
import { MCP_SERVER } from "../names.ts";
import { parseObject } from "../shared/install/jsonc.ts";

/** The settings file with Claude Code's hooks. Its MCP servers are in another file. */

export function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "settings.json");
}

/** Claude Code reads MCP servers only from `.claude.json`, a file that it often rewrites. */
export function serverFile(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || userHome(env), ".claude.json");
}

/** The projects in which the user disabled Continuo's server in `/mcp`. */
export function serverOffIn(text: string, server: string = MCP_SERVER): string[] {
  const projects = parseObject(text, true)["projects"];
  return Object.entries(isRecord(projects) ? projects : {}).flatMap(([path, project]) => {
    const off = isRecord(project) ? project["disabledMcpServers"] : undefined;
    return Array.isArray(off) && off.includes(server) ? [path] : [];
  });
}

/** Claude Code's name for the server in Continuo's plugin. */
export const PLUGIN_SERVER = `plugin:continuo:${MCP_SERVER}`;
