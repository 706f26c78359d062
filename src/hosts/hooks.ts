import { claudeCode } from "./claude-code/hook.ts";
import { codex } from "./codex/hook.ts";
import { copilot } from "./copilot/hook.ts";
import { gemini } from "./gemini/hook.ts";
import type { HookHost } from "./port/hook-host.ts";

/** Hosts that call `continuo hook`. Kept apart from installers so that a hook loads only what it needs. */
export const HOOK_HOSTS: readonly HookHost[] = [claudeCode, codex, copilot, gemini];
