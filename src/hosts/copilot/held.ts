import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileNameFor, homeForHost } from "../../store/home.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

/**
 * A program built on Copilot's SDK runs Continuo itself for its sessions (src/hosts/copilot/sdk). The SDK's runtime
 * also calls the user's Copilot CLI hooks, but of two contexts for one event it uses only the program's: the hook's
 * context would be lost, yet counted as delivered. So the program repeatedly marks its sessions as held while it works,
 * and hooks do nothing for them.
 */
export const HOLD_AGAIN_MS = 10_000;

/** An older mark is from a program that has ended. */
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
    return false; // an unreadable home: no program can have left a mark there
  }
}

function pathOf(env: NodeJS.ProcessEnv, id: string): string {
  return join(homeForHost(env).home.state, "copilot", `${fileNameFor(id)}.held`);
}
