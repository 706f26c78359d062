import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Longer than Continuo gives work that nobody waits for. */
const MOST_MS = 30_000;

/**
 * Waits for hooks that go on when their host has ended, as a person waits a little before the next session. For hosts with this
 * folder in their environment.
 */
export async function hooksOver(root: string): Promise<void> {
  for (const until = Date.now() + MOST_MS; Date.now() < until && hasHooks(root); ) await sleep(50);
}

function hasHooks(root: string): boolean {
  return processesOf(root).some((pid) => /continuo\.cjs\0hook\0/.test(fileOf(pid, "cmdline")));
}

/** Processes with this folder in their environment; none if there is no /proc. */
export function processesOf(root: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && fileOf(pid, "environ").includes(root));
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return ""; // it ended, or it is not ours to look at
  }
}
