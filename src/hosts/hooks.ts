import { claudeCode } from "./claude-code/hook.ts";
import type { HookHost } from "./hook-host.ts";

/** Hosts that call `continuo hook`. Kept apart from installers so that a hook loads only what it needs. */
export const HOOK_HOSTS: readonly HookHost[] = [claudeCode];
