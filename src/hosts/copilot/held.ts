import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileNameFor, homeForHost } from "../../store/home.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/**
 * A program built on Copilot's SDK speaks for its sessions itself (src/hosts/copilot-sdk). The runtime calls the hooks of
 * Copilot CLI's users there too, and of two contexts for one event it takes only the program's: ours would be lost and
 * count as delivered. So the program says that it holds a session, again and again while it is at work, and hooks keep
 * silent meanwhile.
 */
export const HOLD_AGAIN_MS = 10_000;

/** Past this the program has left, however it ended. */
const HELD_FOR_MS = 60_000;

export function hold(env: NodeJS.ProcessEnv, id: string): void {
  writeFileAtomic(pathOf(env, id), "", { durable: false });
}

export function letGo(env: NodeJS.ProcessEnv, id: string): void {
  rmSync(pathOf(env, id), { force: true });
}

export function isHeld(env: NodeJS.ProcessEnv, id: string, now: number): boolean {
  try {
    const stat = statSync(pathOf(env, id), { throwIfNoEntry: false });
    return stat !== undefined && Math.abs(now - stat.mtimeMs) < HELD_FOR_MS;
  } catch {
    return false; // a home that may not be looked into: nobody can hold anything there
  }
}

function pathOf(env: NodeJS.ProcessEnv, id: string): string {
  return join(homeForHost(env).home.state, "copilot", `${fileNameFor(id)}.held`);
}
