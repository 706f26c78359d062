import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { HookCall } from "../hosts/mcp/hook-socket.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import { SOURCES } from "../sources/index.ts";
import { guardTask } from "./guard-task.ts";

/** Answers a hook that asked over the socket: what a hook process would print. */
export function answerCall({ host, event, env, payload }: HookCall, signal: AbortSignal): Promise<string> {
  return runHook({
    host,
    event,
    env,
    // Only where the payload names no folder.
    cwd: env["PWD"] ?? "/",
    now: Date.now,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    history: loadHistory,
    signal,
    moreLines: async () => (await guardTask(env, [host, event])?.()) ?? [],
    readPayload: async () => payload,
  });
}
