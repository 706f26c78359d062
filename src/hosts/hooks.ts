import type { Room } from "../compose/room.ts";
import { claudeCode } from "./claude-code/hook.ts";
import { codex } from "./codex/hook.ts";
import { copilot } from "./copilot/hook.ts";
import { gemini } from "./gemini/hook.ts";
import type { HookHost } from "./port/hook-host.ts";
import { roomAt } from "./shared/hook/adapter.ts";

/** Hosts that call `continuo hook`. Separate from the installers, so that a hook loads only what it needs. */
export const HOOK_HOSTS: readonly HookHost[] = [claudeCode, codex, copilot, gemini];

/** How much of one output a host shows the model when a session begins; undefined where it shows everything. */
export function openingRoom(name: string): Room | undefined {
  const host = HOOK_HOSTS.find((one) => one.name === name);
  return host && roomAt(host, host.opening);
}
