import { isRecord } from "../../base/json.ts";
import { readText } from "../../store/read-file.ts";
import { MCP_SERVER } from "../names.ts";
import { parseObject } from "../shared/install/jsonc.ts";
import { serverFile, serverOffIn, settingsFile } from "./files.ts";
import { isStrict } from "./strict.ts";

/** Why Claude Code runs without Continuo's MCP server. */
export type NoServer = "switched off" | "left out by --strict-mcp-config" | "not configured any more";

/**
 * Why hooks that call the MCP server find none, by Claude Code's own files and arguments. undefined if hooks do not call it,
 * or if nothing says that it will not come: then it may be late, or have crashed.
 */
export function whyNoServer(env: NodeJS.ProcessEnv): NoServer | undefined {
  if (!readText(settingsFile(env), LIMIT).includes('"mcp_tool"')) return undefined;
  if (isStrict(env["CLAUDE_PID"])) return "left out by --strict-mcp-config";
  const text = readText(serverFile(env), LIMIT);
  const servers = parseObject(text, true)["mcpServers"];
  if (!isRecord(servers) || servers[MCP_SERVER] === undefined) return "not configured any more";
  return serverOffIn(text).includes(env["CLAUDE_PROJECT_DIR"] ?? "") ? "switched off" : undefined;
}

/** `.claude.json` grows to a few megabytes. */
const LIMIT = { maxBytes: 64 * 1024 * 1024 };
