import type { Source } from "../../../moments/ports/source.ts";
import { findHome } from "../../../store/home.ts";
import { NO_SERVER } from "../../names.ts";
import { recordFailure } from "../../shared/follow.ts";
import { isWithoutServer, strictProcess } from "./server-absence.ts";
import { markStarting } from "./server-marks.ts";

/** What a hook process has to do about the MCP server, besides its moment; undefined in nearly every process. */
export function serverTask(
  env: NodeJS.ProcessEnv,
  sources: readonly Source[],
  [host, event, entry = "1"]: readonly string[],
): (() => Promise<string[]>) | undefined {
  if (host !== "claude-code") return undefined;
  if (entry === NO_SERVER)
    return async () => (await import("./no-server.ts")).withoutServer(env, sources, "prompt");
  if (event !== "SessionStart" || entry !== "1") return undefined;
  noteStart(env);
  if (hooksAreCommands(env))
    return async () => (await import("./no-server.ts")).withServerAgain(env, sources);
  if (strictProcess(env) === undefined) return undefined;
  return async () => (await import("./no-server.ts")).withoutServer(env, sources, "start");
}

/** Starts the time after which a missing server counts as late. */
function noteStart(env: NodeJS.ProcessEnv): void {
  try {
    markStarting(findHome(env), env["CLAUDE_PID"] ?? "");
  } catch (error) {
    recordFailure(env, "hook claude-code: mark", error, Date.now());
  }
}

/** Whether the server was disabled, so that hooks of this session may have called it in vain. */
export function hooksAreCommands(env: NodeJS.ProcessEnv): boolean {
  try {
    return isWithoutServer(findHome(env), "claude-code");
  } catch {
    return false; // without a home nothing can have been changed
  }
}
