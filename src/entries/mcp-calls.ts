import { ContinuoError } from "../base/errors.ts";
import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { HookCall } from "../hosts/mcp/hook-socket.ts";
import { mayAsk } from "../hosts/shared/hook/adapter.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";

import { SOURCES } from "../sources/index.ts";
import { guardTask } from "./guard-task.ts";

/** Where this user's and the agents' files are. A hook that looks elsewhere than this server is answered by a process. */
const PLACES = [
  "HOME",
  "USERPROFILE",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "CONTINUO_HOME",
  "PAI_DIR",
  "CLAUDE_CONFIG_DIR",
  "OPENCODE_CONFIG_DIR",
  "OPENCODE_DB",
  "PI_CODING_AGENT_DIR",
  "MAENIFOLD_ROOT",
  "CODEX_HOME",
  "COPILOT_HOME",
  "GEMINI_CLI_HOME",
];

/** What a hook's environment says about its own call. */
const OF_THE_CALL = ["PWD", ...HOOK_HOSTS.flatMap(({ projectVariable }) => projectVariable ?? [])];

/**
 * Answers a hook that asked over the socket: what a hook process would print. In the server's own environment, because a
 * command that an agent runs in a sandbox may reach the socket too: it must not bring a home, a PATH or options that would
 * be followed outside of the sandbox.
 */
export async function answerCall(
  { host, event, env, payload }: HookCall,
  signal: AbortSignal,
  own: NodeJS.ProcessEnv,
): Promise<string> {
  const hook = HOOK_HOSTS.find(({ name }) => name === host);
  if (hook === undefined || !mayAsk(hook, event) || PLACES.some((name) => env[name] !== own[name]))
    throw new ContinuoError("not-asked", `${host} ${event} is not asked of this server`);
  const ofCall = Object.fromEntries(OF_THE_CALL.map((name) => [name, env[name]]));
  return runHook({
    host,
    event,
    env: { ...own, ...ofCall },
    // Only where the payload names no folder.
    cwd: env["PWD"] ?? "/",
    now: Date.now,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    history: loadHistory,
    signal,
    moreLines: async () => (await guardTask(own, [host, event])?.()) ?? [],
    readPayload: async () => payload,
  });
}
