import { isRecord } from "../../base/json.ts";
import { readText } from "../../store/read-file.ts";
import { MCP_SERVER } from "../names.ts";
import { parseObject } from "../shared/install/jsonc.ts";
import { PLUGIN_SERVER, serverFile, serverOffIn, settingsFile } from "./files.ts";
import { isStrict } from "./strict.ts";

/** Why Claude Code runs without Continuo's MCP server. */
export type NoServer = "switched off" | "left out by --strict-mcp-config" | "not configured any more";

/**
 * Why hooks that call the MCP server find none, by Claude Code's own files and arguments. undefined if hooks do not call it,
 * or if nothing says that it will not come: then it may be late, or is being started again.
 */
export function whyNoServer(env: NodeJS.ProcessEnv): NoServer | undefined {
  if (!isFromPlugin(env) && !readText(settingsFile(env), LIMIT).includes('"mcp_tool"')) return undefined;
  if (isStrict(env["CLAUDE_PID"])) return "left out by --strict-mcp-config";
  if (!hasServer(env)) return "not configured any more";
  return offIn(env).includes(env["CLAUDE_PROJECT_DIR"] ?? "") ? "switched off" : undefined;
}

/** Whether Claude Code knows the server. The plugin brings its own. */
export function hasServer(env: NodeJS.ProcessEnv): boolean {
  if (isFromPlugin(env)) return true;
  const servers = parseObject(readText(serverFile(env), LIMIT), true)["mcpServers"];
  return isRecord(servers) && Object.hasOwn(servers, MCP_SERVER);
}

/** The projects in which the user switched the server off. */
export function offIn(env: NodeJS.ProcessEnv): string[] {
  return serverOffIn(readText(serverFile(env), LIMIT), isFromPlugin(env) ? PLUGIN_SERVER : MCP_SERVER);
}

/** Whether this hook is one of the plugin's, which are in no settings. */
export function isFromPlugin(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env["CLAUDE_PLUGIN_ROOT"]);
}

/** `.claude.json` grows to a few megabytes. */
const LIMIT = { maxBytes: 64 * 1024 * 1024 };
