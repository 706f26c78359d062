import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { namesIn } from "../../../store/folder.ts";
import { readAt, withFile } from "../../../store/read-file.ts";

/** Set for a command and inherited by all its descendants, so that they can be found again. */
export const MARK = "CONTINUO_RUN";

const MAX_PROCESSES = 20_000;
const MAX_ENVIRONMENT = 256 * 1024;
/** Repeated, because a process may start another while the list is read. */
const ROUNDS = 5;

/** Sends a command and its process group a request to end. */
export function askToEnd(pid: number): void {
  if (process.platform !== "win32") signal(-pid, "SIGTERM");
}

/**
 * Kills a command, its process group and, on systems that show environments (Linux), also processes that left the
 * group. Elsewhere a process that formed its own group is not found.
 */
export function endAll(pid: number, mark: string): void {
  if (process.platform === "win32") {
    spawnSync(taskkill(), ["/T", "/F", "/PID", String(pid)], {
      stdio: "ignore",
      windowsHide: true,
      timeout: 5000,
    });
    return;
  }
  signal(-pid, "SIGKILL");
  for (let round = 0; round < ROUNDS; round++) {
    const left = marked(mark);
    if (left.length === 0) return;
    for (const one of left) signal(one, "SIGKILL");
  }
}

function taskkill(): string {
  return join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

/** Processes whose environment contains this mark. Does not include a process that has ended. */
export function marked(mark: string): number[] {
  if (process.platform !== "linux") return [];
  const sought = Buffer.from(`${MARK}=${mark}`);
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .slice(0, MAX_PROCESSES)
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(sought));
}

function environmentOf(pid: number): Buffer {
  try {
    // Files below /proc have no size, so they are read up to the limit.
    return withFile(`/proc/${pid}/environ`, ({ descriptor }) => readAt(descriptor, 0, MAX_ENVIRONMENT));
  } catch {
    return NOTHING; // it has ended, or belongs to another user
  }
}

const NOTHING = Buffer.alloc(0);
