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
 * or if nothing says that it will not come: then it may be late, or have crashed.
 */
export function whyNoServer(env: NodeJS.ProcessEnv): NoServer | undefined {
  const isPlugin = isFromPlugin(env);
  if (!isPlugin && !readText(settingsFile(env), LIMIT).includes('"mcp_tool"')) return undefined;
  if (isStrict(env["CLAUDE_PID"])) return "left out by --strict-mcp-config";
  const text = readText(serverFile(env), LIMIT);
  const servers = parseObject(text, true)["mcpServers"];
  if (!isPlugin && !(isRecord(servers) && Object.hasOwn(servers, MCP_SERVER)))
    return "not configured any more";
  const offIn = serverOffIn(text, isPlugin ? PLUGIN_SERVER : MCP_SERVER);
  return offIn.includes(env["CLAUDE_PROJECT_DIR"] ?? "") ? "switched off" : undefined;
}

/** Whether this hook is one of the plugin's, which are in no settings. */
export function isFromPlugin(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env["CLAUDE_PLUGIN_ROOT"]);
}

/** `.claude.json` grows to a few megabytes. */
const LIMIT = { maxBytes: 64 * 1024 * 1024 };
