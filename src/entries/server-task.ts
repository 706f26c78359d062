import { strictProcess } from "../hosts/claude-code/strict.ts";
import { NO_SERVER } from "../hosts/names.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { findHome } from "../store/home.ts";
import { isWithoutServer } from "../store/server-absence.ts";
import { markStarting } from "../store/server-marks.ts";

/** What a hook process has to do about the MCP server, beside its moment; undefined in nearly every process. */
export function serverTask(
  env: NodeJS.ProcessEnv,
  [host, event, entry = "1"]: readonly string[],
): (() => Promise<string[]>) | undefined {
  if (host !== "claude-code") return undefined;
  if (entry === NO_SERVER) return async () => (await import("./no-server.ts")).withoutServer(env, "prompt");
  if (event !== "SessionStart" || entry !== "1") return undefined;
  noteStart(env);
  if (hooksAreCommands(env)) return async () => (await import("./no-server.ts")).withServerAgain(env);
  if (strictProcess(env) === undefined) return undefined;
  return async () => (await import("./no-server.ts")).withoutServer(env, "start");
}

/** From then on a server that does not come is late. */
function noteStart(env: NodeJS.ProcessEnv): void {
  try {
    markStarting(findHome(env), env["CLAUDE_PID"] ?? "");
  } catch (error) {
    recordFailure(env, "hook claude-code: mark", error, Date.now());
  }
}

/** Whether the server was taken away: hooks of this session may have called it in vain. */
export function hooksAreCommands(env: NodeJS.ProcessEnv): boolean {
  try {
    return isWithoutServer(findHome(env), "claude-code");
  } catch {
    return false; // without a home nothing was changed
  }
}
