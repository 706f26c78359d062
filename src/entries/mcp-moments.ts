import { isRecord } from "../base/json.ts";
import { claudeCode } from "../hosts/claude-code/hook.ts";
import { loadHistory } from "../hosts/index.ts";
import type { HookCall } from "../hosts/mcp/hook-socket.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { eventOf } from "../hosts/shared/hook/adapter.ts";
import { createBackground } from "../hosts/shared/in-process/background.ts";
import { cancelReadAhead, planReadAhead } from "../hosts/shared/in-process/read-ahead.ts";
import { findProject } from "../moments/project/project.ts";
import { SOURCES } from "../sources/index.ts";
import { answerStop } from "./answer-stop.ts";
import { answerCall } from "./mcp-calls.ts";
import { answerHook } from "./mcp-hooks.ts";

const background = createBackground((where, error) => recordFailure(process.env, where, error, Date.now()));

/** Loads what the first prompt needs, soon, unless a hook comes before. */
export function readAhead(env: NodeJS.ProcessEnv, cwd: string): void {
  const parts = { sources: SOURCES, history: loadHistory, env, now: Date.now };
  const session = { host: claudeCode.name, id: "read-ahead" };
  planReadAhead(parts, () => ({ session, project: findProject(cwd), cwd }));
}

/**
 * As `answerHook`. What happens when the agent goes idle takes longer than the host should wait, so most of it is done after
 * the answer, which is known early: whether the stop is refused. A server that ends meanwhile leaves the rest to the hook at
 * the session's end.
 */
export async function answerMoment(
  args: unknown,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  cancelReadAhead();
  const event = isRecord(args) ? args["event"] : undefined;
  if (typeof event !== "string" || eventOf(claudeCode, event)?.kind !== "idle")
    return answerHook(args, signal, env, cwd);
  const printed = await answerStop(background, `mcp ${event}`, JSON.stringify(args), (stop, decided) =>
    answerHook(args, stop, env, cwd, decided),
  );
  return printed === "" ? NOTHING : printed;
}

/** A hook that asked over the socket. */
export function answerAsked(call: HookCall, signal: AbortSignal): Promise<string> {
  cancelReadAhead();
  return answerCall(call, signal, process.env);
}

const NOTHING = "{}";
