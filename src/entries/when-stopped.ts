import { hostProcess } from "../hosts/mcp/host-process.ts";

/** Set for the process that looks whether the user switched the server off. */
export const STOPPED = "CONTINUO_SERVER_STOPPED";

/** Claude Code writes down that a server is switched off within a tenth of a second after it stopped it. */
const LOOK = 'sleep 0.3 || sleep 1; kill -0 "$1" && exec "$2" "$3" mcp';

/**
 * Claude Code interrupts its MCP servers when it ends, and when the user switches one off. Which of both it is shows only
 * later, and the program does not wait: a shell does, and if the program still runs then, a process puts hooks that call
 * the server back to commands. Without it they would all show an error.
 */
export async function lookWhyStopped(env: NodeJS.ProcessEnv): Promise<void> {
  const { spawn } = await import("node:child_process");
  const args = [String(hostProcess(env)), process.execPath, process.argv[1] ?? ""];
  const options = { detached: true, stdio: "ignore", env: { ...env, [STOPPED]: "1" } } as const;
  const child = spawn("/bin/sh", ["-c", LOOK, "continuo", ...args], options);
  child.on("error", () => undefined); // without a shell the next prompt's hook does it
  child.unref();
}
