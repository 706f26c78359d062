import { isRecord } from "../base/json.ts";
import { claudeCode } from "../hosts/claude-code/hook.ts";
import { loadHistory } from "../hosts/index.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { eventOf } from "../hosts/shared/hook/adapter.ts";
import { createBackground } from "../hosts/shared/in-process/background.ts";
import { cancelReadAhead, planReadAhead } from "../hosts/shared/in-process/read-ahead.ts";
import { findProject } from "../moments/project.ts";
import { SOURCES } from "../sources/index.ts";
import { answerHook } from "./mcp-hooks.ts";

const background = createBackground((where, error) => recordFailure(process.env, where, error, Date.now()));

/** Loads what the first prompt needs, soon, unless a hook comes before. */
export function readAhead(env: NodeJS.ProcessEnv, cwd: string): void {
  const parts = { sources: SOURCES, history: loadHistory, env, now: Date.now };
  const session = { host: claudeCode.name, id: "read-ahead" };
  planReadAhead(parts, () => ({ session, project: findProject(cwd), cwd }));
}

/**
 * As `answerHook`. What happens when the agent goes idle delivers nothing and takes longer than the host should wait, so it
 * is done after the answer. A server that ends meanwhile leaves the rest to the hook at the session's end.
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
  background.begin(`mcp ${event}`, (stop) => answerHook(args, stop, env, cwd, false), JSON.stringify(args));
  return "{}";
}
