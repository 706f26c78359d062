import { claudeCode } from "../hosts/claude-code/hook.ts";
import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { EventKind } from "../hosts/port/hook-host.ts";
import { eventOf } from "../hosts/shared/hook/adapter.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import { readToolCall } from "../hosts/shared/hook/tool-input.ts";
import { SOURCES } from "../sources/index.ts";

/** Answers one hook of Claude Code inside the MCP server, as a hook process would. */
export async function answerHook(
  args: unknown,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  cwd: string,
  isWaitedFor = true,
): Promise<string> {
  const { event, payload } = readToolCall(claudeCode, args);
  const text = await runHook({
    host: claudeCode.name,
    event,
    env,
    cwd,
    now: Date.now,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    history: loadHistory,
    signal,
    isWaitedFor,
    readPayload: async () => payload(),
  });
  return text === "" && !PLAIN.has(eventOf(claudeCode, event)?.kind) ? "{}" : text;
}

/**
 * Claude Code tells the model about a tool that answered with nothing ("UserPromptSubmit hook success: …"), but not about
 * an empty object. Around a compaction it is the other way round: it shows the object as what the hook printed.
 */
const PLAIN: ReadonlySet<EventKind | undefined> = new Set<EventKind>(["compacting", "summary"]);
