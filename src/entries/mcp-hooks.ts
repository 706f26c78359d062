import { claudeCode } from "../hosts/claude-code/hook.ts";
import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { EventKind } from "../hosts/port/hook-host.ts";
import { eventOf } from "../hosts/shared/hook/adapter.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import { readToolCall } from "../hosts/shared/hook/tool-input.ts";
import { SOURCES } from "../sources/index.ts";
import { guardTask } from "./guard-task.ts";

/**
 * Answers one hook of Claude Code inside the MCP server, as a hook process would. With `onStopDecided` the host waits only
 * until that is called.
 */
export async function answerHook(
  args: unknown,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  cwd: string,
  onStopDecided?: (printed: string) => void,
): Promise<string> {
  const { event, payload, session } = readToolCall(claudeCode, args);
  const mayHaveMissed = !followed.has(session);
  const kind = eventOf(claudeCode, event)?.kind;
  // These two make up for what was missed.
  if (kind === "prompt" || kind === "tool") followed.add(session);
  if (followed.size > MOST_FOLLOWED) followed.clear();
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
    ...(onStopDecided === undefined ? {} : { isWaitedFor: false, onStopDecided }),
    mayHaveMissed,
    onFailed: () => followed.delete(session),
    moreLines: async () => (await guardTask(env, [claudeCode.name, event])?.()) ?? [],
    readPayload: async () => payload(),
  });
  return text === "" && !PLAIN.has(kind) ? "{}" : text;
}

/** Sessions whose last hook this process has answered. Hooks of any other may have come to nothing before. */
const followed = new Set<string>();

/** A program runs one session at a time, and a few subagents. */
const MOST_FOLLOWED = 1_000;

/**
 * Claude Code tells the model about a tool that answered with nothing ("UserPromptSubmit hook success: …"), but not about
 * an empty object. Around a compaction it is the other way round: it shows the object as what the hook printed.
 */
const PLAIN: ReadonlySet<EventKind | undefined> = new Set<EventKind>(["compacting", "summary"]);
