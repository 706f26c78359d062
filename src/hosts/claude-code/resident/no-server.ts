import { existsSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ContinuoError } from "../../../base/errors.ts";
import type { Source } from "../../../moments/ports/source.ts";
import { findHome, type Home } from "../../../store/home.ts";
import { recordFailure } from "../../shared/follow.ts";
import { installedVersion } from "../../shared/install/receipt.ts";
import { rewireHooks } from "../../shared/install/rewire-hooks.ts";
import { wiringFor } from "../../shared/install/wiring.ts";
import { claudeCodeInstaller } from "../installer.ts";
import { hostProcess } from "./host-process.ts";
import {
  forgetWithoutServer,
  isToBeTold,
  noteWithoutServer,
  runsWithoutServer,
  strictProcess,
} from "./server-absence.ts";
import { isServerGone, markTold } from "./server-marks.ts";
import { hooksCallServer, isFromPlugin, serversOf, whyNoServer, whyStopped } from "./why-no-server.ts";

const HOST = claudeCodeInstaller.host;

/**
 * Called by a process that runs because the MCP server does not. If the user disabled the server or if it is gone, the
 * hooks that call it become commands. The plugin's hooks stay unchanged. Returns a line for the user, once. Never
 * throws; `doctor` reports what failed.
 */
export async function withoutServer(
  env: NodeJS.ProcessEnv,
  sources: readonly Source[],
  at: "start" | "prompt" | "stopped",
): Promise<string[]> {
  try {
    if (!isFromPlugin(env) && !hooksCallServer(env)) return [];
    const home = findHome(env);
    const host = env["CLAUDE_PID"] ?? "";
    const why = at === "stopped" ? await whyStopped(env, hostProcess(env)) : whyNoServer(env);
    // A server that stopped may be about to restart. At a prompt, hooks that call it have already failed.
    if (why === undefined && !(at === "prompt" && (await isGoneForGood(home, host)))) return [];
    const what = why === undefined ? "does not run" : `is ${why}`;
    if (isFromPlugin(env))
      return markTold(home, host)
        ? [
            `Continuo: its MCP server ${what}, and the plugin's hooks need it. Switch it on in /mcp, or disable the plugin`,
          ]
        : [];
    if (!(await rewireHooks(claudeCodeInstaller, env, home, wiringIn(env, home, sources), Date.now())))
      return [];
    const process = why === undefined ? Number(host) : strictProcess(env);
    // A process that the server left behind cannot show anything.
    noteWithoutServer(home, HOST, { process, isTold: at !== "stopped" });
    if (why === undefined) recordFailure(env, "hook claude-code: MCP server", gone(), Date.now());
    const until = why === undefined ? "the next session" : "it is back";
    return [`Continuo: its MCP server ${what}, so its hooks start processes until ${until}`];
  } catch (error) {
    recordFailure(env, "hook claude-code: hooks without a server", error, Date.now());
    return [];
  }
}

/** Checks again for a moment, because the user may be restarting the server. */
async function isGoneForGood(home: Home, host: string): Promise<boolean> {
  while (isServerGone(home, host, Date.now())) {
    if (process.uptime() > LOOK_SECONDS) return true;
    await sleep(25);
  }
  return false;
}

/** Counted from the start of this process, because the host waits for its answer. */
const LOOK_SECONDS = 0.5;

function gone(): ContinuoError {
  return new ContinuoError("server-gone", "Claude Code ran without Continuo's MCP server, which had ended", {
    hint: "a new session starts it; see /mcp there if this happens again",
  });
}

/**
 * Called when a session starts and the hooks run commands because the server was disabled. Makes them call the server
 * again if nothing prevents that. Returns the reason why not, if the user does not know it yet. Never throws.
 */
export async function withServerAgain(env: NodeJS.ProcessEnv, sources: readonly Source[]): Promise<string[]> {
  try {
    const home = findHome(env);
    const strict = strictProcess(env);
    if (strict !== undefined) noteWithoutServer(home, HOST, { process: strict });
    if (isFromPlugin(env) || runsWithoutServer(home, HOST)) return [];
    const servers = serversOf(env);
    // As in an installation, projects that were deleted do not count.
    if (servers?.offIn.some((path) => existsSync(path))) return isToBeTold(home, HOST) ? [OFF] : [];
    if (!servers?.hasOurs) return [];
    const wiring = { ...wiringIn(env, home, sources), mcp: { offIn: [] } };
    await rewireHooks(claudeCodeInstaller, env, home, wiring, Date.now());
    forgetWithoutServer(home, HOST);
  } catch (error) {
    recordFailure(env, "hook claude-code: hooks with a server again", error, Date.now());
  }
  return [];
}

const OFF =
  "Continuo: its MCP server is switched off in /mcp, so its hooks start processes until it is on again";

/** The wiring without the server. Paths of the runtime and the script are taken from the existing hooks. */
function wiringIn(env: NodeJS.ProcessEnv, home: Home, sources: readonly Source[]) {
  // The launcher of the running package.
  const packageRoot = dirname(dirname(realpathSync(process.argv[1] ?? "")));
  const hostVersion = installedVersion(home, HOST);
  return wiringFor({ sources, packageRoot, env, home, hostVersion });
}
