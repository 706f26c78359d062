import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { claudeCodeInstaller } from "../hosts/claude-code/installer.ts";
import { isFromPlugin, whyNoServer } from "../hosts/claude-code/no-server.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { useCommands } from "../hosts/shared/install/use-commands.ts";
import { installedVersion } from "../hosts/shared/install/wire.ts";
import { wiringFor } from "../hosts/shared/install/wiring.ts";
import { SOURCES } from "../sources/index.ts";
import { findHome } from "../store/home.ts";
import { markTold } from "../store/server-marks.ts";

/**
 * For a process that runs because the MCP server does not: if the user took the server away, the hooks that call it are made
 * commands again. Those of the plugin stay as they are. Returns what the user is told, once. Never throws; `doctor` tells about what did not work.
 */
export async function withoutServer(env: NodeJS.ProcessEnv): Promise<string[]> {
  try {
    const why = whyNoServer(env);
    if (why === undefined) return [];
    const home = findHome(env);
    if (isFromPlugin(env))
      return markTold(home, env["CLAUDE_PID"] ?? "")
        ? [
            `Continuo: its MCP server is ${why}, and the plugin's hooks need it. Switch it on in /mcp, or disable the plugin`,
          ]
        : [];
    const hostVersion = installedVersion(home, claudeCodeInstaller.host);
    // The launcher of the package that runs now.
    const packageRoot = dirname(dirname(realpathSync(process.argv[1] ?? "")));
    const wiring = wiringFor({ sources: SOURCES, packageRoot, env, home, hostVersion });
    if (!(await useCommands(claudeCodeInstaller, env, home, wiring, Date.now()))) return [];
    return [
      `Continuo: its MCP server is ${why}, so its hooks start processes from now on. To undo: continuo install claude-code`,
    ];
  } catch (error) {
    recordFailure(env, "hook claude-code: hooks without a server", error, Date.now());
    return [];
  }
}
