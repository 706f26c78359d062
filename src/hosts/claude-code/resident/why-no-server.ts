import { setTimeout as sleep } from "node:timers/promises";
import { isRecord } from "../../../base/json.ts";
import { worktreesOf } from "../../../git/worktrees.ts";
import { findProject } from "../../../moments/project/project.ts";
import { readText } from "../../../store/read-file.ts";
import { isRunning } from "../../../store/running.ts";
import { MCP_SERVER } from "../../names.ts";
import { findEntries } from "../../shared/install/hook-entries.ts";
import { parseObject } from "../../shared/install/jsonc.ts";
import { PLUGIN_SERVER, serverFile, serverOffIn, settingsFile } from "../files.ts";
import { isStrict } from "./server-absence.ts";

/** Why Claude Code runs without Continuo's MCP server. */
type NoServer = "switched off" | "left out by --strict-mcp-config" | "not configured any more";

/**
 * Why hooks find no MCP server, according to Claude Code's own files and arguments. undefined if nothing says that it
 * will not come: it may just be late, or be restarting.
 */
export function whyNoServer(env: NodeJS.ProcessEnv): NoServer | undefined {
  if (isStrict(env["CLAUDE_PID"])) return "left out by --strict-mcp-config";
  const servers = serversOf(env);
  if (servers === undefined) return undefined;
  if (!servers.hasOurs) return "not configured any more";
  const project = env["CLAUDE_PROJECT_DIR"];
  const isOff = project && namesFor(project).some((name) => servers.offIn.includes(name));
  return isOff ? "switched off" : undefined;
}

/**
 * The same for a server that Claude Code (process `host`) has just stopped. Claude Code records later which server the
 * user disabled; on a busy machine, after seconds.
 */
export async function whyStopped(
  env: NodeJS.ProcessEnv,
  host: number,
  pause: (ms: number) => Promise<void> = sleep,
): Promise<NoServer | undefined> {
  for (let ms = 100; ; ms *= 2) {
    const why = whyNoServer(env);
    if (why !== undefined || ms > LONGEST_PAUSE_MS || !isRunning(host)) return why;
    await pause(ms);
  }
}

/** 25 s together with the shorter pauses before it. */
const LONGEST_PAUSE_MS = 15_000;

/**
 * The names under which Claude Code may store a folder's settings: in a repository, it uses the root of its main
 * worktree.
 */
function namesFor(folder: string): string[] {
  const { id, root } = findProject(folder);
  return [folder, root, ...worktreesOf(id).slice(0, 1)];
}

/** Whether the hooks in the settings are Continuo's and call its server. */
export function hooksCallServer(env: NodeJS.ProcessEnv): boolean {
  return findEntries("claude-code", readText(settingsFile(env), LIMIT)).some(
    ({ call }) => call.kind === "tool",
  );
}

interface Servers {
  /** Whether Continuo's server is configured in Claude Code. The plugin has its own. */
  readonly hasOurs: boolean;
  /** The projects in which the user disabled it. */
  readonly offIn: readonly string[];
}

/** The servers in Claude Code's file; undefined if the file is empty or cannot be read, which proves nothing. */
export function serversOf(env: NodeJS.ProcessEnv): Servers | undefined {
  try {
    const text = readText(serverFile(env), LIMIT);
    if (text.trim() === "") return undefined;
    const servers = parseObject(text, true)["mcpServers"];
    const isPlugin = isFromPlugin(env);
    return {
      hasOurs: isPlugin || (isRecord(servers) && Object.hasOwn(servers, MCP_SERVER)),
      offIn: serverOffIn(text, isPlugin ? PLUGIN_SERVER : MCP_SERVER),
    };
  } catch {
    return undefined; // Claude Code may be writing it at this moment
  }
}

/** Whether this hook belongs to the plugin, whose hooks are not in any settings file. */
export function isFromPlugin(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env["CLAUDE_PLUGIN_ROOT"]);
}

/** `.claude.json` grows to a few megabytes; this is far more. */
const LIMIT = { maxBytes: 64 * 1024 * 1024 };
