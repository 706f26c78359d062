import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { HookCall } from "../hosts/mcp/hook-socket.ts";
import { eventOf } from "../hosts/shared/hook/adapter.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import type { Background } from "../hosts/shared/in-process/background.ts";
import { SOURCES } from "../sources/index.ts";
import { answerStop } from "./answer-stop.ts";
import { guardTask } from "./guard-task.ts";

/**
 * Answers a hook that asked over the socket: what a hook process would print. When the agent stops it waits only until it is
 * known whether the stop is refused, and the rest is done in the background.
 */
export async function answerCall(
  call: HookCall,
  signal: AbortSignal,
  background: Background,
): Promise<string> {
  const { host, event, payload } = call;
  const known = HOOK_HOSTS.find(({ name }) => name === host);
  if (known === undefined || eventOf(known, event)?.kind !== "idle") return run(call, signal);
  return answerStop(background, `mcp ${event}`, payload.toString("latin1"), (stop, decided) =>
    run(call, stop, decided),
  );
}

function run(
  { host, event, env, payload }: HookCall,
  signal: AbortSignal,
  onStopDecided?: (printed: string) => void,
): Promise<string> {
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
    ...(onStopDecided === undefined ? {} : { isWaitedFor: false, onStopDecided }),
    moreLines: async () => (await guardTask(env, [host, event])?.()) ?? [],
    readPayload: async () => payload,
  });
}
