import { strictProcess } from "../hosts/claude-code/strict.ts";
import { NO_SERVER } from "../hosts/names.ts";
import { findHome } from "../store/home.ts";
import { isWithoutServer } from "../store/server-absence.ts";

/** What a hook process has to do about the MCP server, beside its moment; undefined in nearly every process. */
export function serverTask(
  env: NodeJS.ProcessEnv,
  [host, event, entry = "1"]: readonly string[],
): (() => Promise<string[]>) | undefined {
  if (host !== "claude-code") return undefined;
  if (entry === NO_SERVER) return async () => (await import("./no-server.ts")).withoutServer(env);
  if (event !== "SessionStart" || entry !== "1") return undefined;
  if (hooksAreCommands(env)) return async () => (await import("./no-server.ts")).withServerAgain(env);
  if (strictProcess(env) === undefined) return undefined;
  return async () => (await import("./no-server.ts")).withoutServer(env);
}

/** Whether the server was taken away: hooks of this session may have called it in vain. */
export function hooksAreCommands(env: NodeJS.ProcessEnv): boolean {
  try {
    return isWithoutServer(findHome(env), "claude-code");
  } catch {
    return false; // without a home nothing was changed
  }
}
