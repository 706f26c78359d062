import { join } from "node:path";
import { isRecord } from "../../base/json.ts";
import { userHome } from "../../store/home.ts";
import { MCP_SERVER } from "../names.ts";
import { parseObject } from "../shared/install/jsonc.ts";

/** Where Claude Code has its hooks, and where its MCP servers. */

export function settingsFile(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || join(userHome(env), ".claude"), "settings.json");
}

/** Claude Code reads servers only from `.claude.json`, which it also writes itself, often. */
export function serverFile(env: NodeJS.ProcessEnv): string {
  return join(env["CLAUDE_CONFIG_DIR"] || userHome(env), ".claude.json");
}

/** The projects in which the user switched Continuo's server off in `/mcp`. */
export function serverOffIn(text: string, server: string = MCP_SERVER): string[] {
  const projects = parseObject(text, true)["projects"];
  return Object.entries(isRecord(projects) ? projects : {}).flatMap(([path, project]) => {
    const off = isRecord(project) ? project["disabledMcpServers"] : undefined;
    return Array.isArray(off) && off.includes(server) ? [path] : [];
  });
}

/** What Claude Code calls the server that Continuo's plugin brings. */
export const PLUGIN_SERVER = `plugin:continuo:${MCP_SERVER}`;
