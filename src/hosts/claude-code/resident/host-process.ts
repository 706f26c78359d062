/** What the server knows about the process that started it. Without imports: the launcher of every command reads this. */

/** The variable with the host's process id, where a shell is between the host and the server (`hosts/claude-code/resident/start-again.ts`). */
export const HOST_PROCESS = "CONTINUO_HOST_PID";

/** The code with which a server ends that wants the shell to start it again. */
export const START_AGAIN = 75;

/** The variable that is set for a server that the shell has started again: no handshake follows. */
export const STARTED_AGAIN = "CONTINUO_STARTED_AGAIN";

/** The variable that is set for a process that looks why the host stopped its server. */
export const STOPPED = "CONTINUO_SERVER_STOPPED";

/** The process of the host that runs this server. */
export function hostProcess(env: NodeJS.ProcessEnv): number {
  return Number(env[HOST_PROCESS]) || process.ppid;
}
