import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Home } from "../../../store/home.ts";

/** Where the launcher of all commands is, seen from the file that this code is in. */
const PLACES = [
  "continuo.cjs", // dist, and the bundles of the Claude Code plugin
  "../continuo.cjs", // dist/chunks
  "../../../../dist/continuo.cjs", // the sources
];

/**
 * Hooks and Claude Code's resident server have little processor time (`hook-command.ts`, `start-again.ts`), and what they start
 * would inherit that: a linter that uses all cores could be killed long before its own time limit.
 */
function liftLimit(): [] | [string, ...string[]] {
  return existsSync(SHELL) ? [SHELL, "-c", 'ulimit -S -t "$(ulimit -H -t)"; exec "$@"', "continuo"] : [];
}

const SHELL = "/bin/sh";

/** The command word of the runner. No person types it. */
export const RUN_CHECKS = "run-checks";

/**
 * Starts a runner that outlives this process and that nobody waits for: a hook ends as soon as it has answered, and a host may
 * be closed. The runner always ends by itself.
 */
export function launchRunner(
  home: Pick<Home, "root">,
  project: string,
  env: NodeJS.ProcessEnv,
  onFailure: (error: Error) => void,
  from = import.meta.dirname,
): void {
  const script = PLACES.map((place) => join(from, place)).find((path) => existsSync(path));
  if (script === undefined)
    throw new ContinuoError("run-no-launcher", `continuo.cjs is missing near ${from}`);
  const [program, ...args] = [...liftLimit(), process.execPath, script, RUN_CHECKS, project];
  const child = spawn(program, args, {
    cwd: home.root,
    // In a host that is a program of its own, its runtime is asked to be nothing but that.
    env: { ...env, CONTINUO_HOME: home.root, BUN_BE_BUN: "1", ELECTRON_RUN_AS_NODE: "1" },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", onFailure);
  child.unref();
}
