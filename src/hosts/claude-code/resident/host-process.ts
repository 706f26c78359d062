/**
 * What the server knows about the process that started it. Has no imports, because the launcher of every command loads
 * this.
 */

/**
 * The variable with the host's process id, if a shell is between the host and the server
 * (`hosts/claude-code/resident/start-again.ts`).
 */
export const HOST_PROCESS = "CONTINUO_HOST_PID";

/** The exit code of a server that wants the shell to restart it. */
export const START_AGAIN = 75;

/** Set for a server that the shell has restarted: no handshake follows. */
export const STARTED_AGAIN = "CONTINUO_STARTED_AGAIN";

/** Set for a process that finds out why the host stopped its server. */
export const STOPPED = "CONTINUO_SERVER_STOPPED";

/** The process of the host that runs this server. */
export function hostProcess(env: NodeJS.ProcessEnv): number {
  return Number(env[HOST_PROCESS]) || process.ppid;
}
