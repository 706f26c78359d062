import { readAt, withFile } from "../../../store/read-file.ts";

/** Whether the program with this process id was started without the servers of its settings. Only Linux tells cheaply. */
export function isStrict(host: string | undefined): boolean {
  if (process.platform !== "linux" || host === undefined || !/^\d{1,10}$/.test(host)) return false;
  try {
    const bytes = withFile(`/proc/${host}/cmdline`, ({ descriptor }) => readAt(descriptor, 0, MOST));
    return bytes.toString("latin1").split("\0").includes("--strict-mcp-config");
  } catch {
    return false; // it has ended, or belongs to someone else
  }
}

/** The program that runs this hook, if it was started so. */
export function strictProcess(env: NodeJS.ProcessEnv): number | undefined {
  return isStrict(env["CLAUDE_PID"]) ? Number(env["CLAUDE_PID"]) : undefined;
}

/** A prompt may be among the arguments; what comes after a very long one is not seen. */
const MOST = 128 * 1024;
