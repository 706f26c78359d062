/** How the MCP server answers hooks: with what a hook process would print. */
import { orUndefinedAfter } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";
import { claudeCode } from "../hosts/claude-code/hook.ts";
import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import type { SocketCall } from "../hosts/mcp/hook-socket.ts";
import type { EventKind } from "../hosts/port/hook-host.ts";
import { recordFailure, stopLate } from "../hosts/shared/follow.ts";
import { eventOf, mayAsk } from "../hosts/shared/hook/events.ts";
import { parsePayload } from "../hosts/shared/hook/payload.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import { readToolCall } from "../hosts/shared/hook/tool-input.ts";
import { type Background, createBackground } from "../hosts/shared/in-process/background.ts";
import { cancelReadAhead, planReadAhead } from "../hosts/shared/in-process/read-ahead.ts";
import { findProject } from "../moments/project/project.ts";
import { SOURCES } from "../sources/index.ts";
import { guardTask } from "./guard-task.ts";

const PARTS = { now: Date.now, hosts: HOOK_HOSTS, sources: SOURCES, history: loadHistory };

const background = createBackground((where, error) => recordFailure(process.env, where, error, Date.now()));

/** Soon loads what the first prompt needs, unless a hook comes first. */
export function readAhead(env: NodeJS.ProcessEnv, cwd: string): void {
  const session = { host: claudeCode.name, id: "read-ahead" };
  planReadAhead({ ...PARTS, env }, () => ({ session, project: findProject(cwd), cwd }));
}

/** Sessions whose last hook was answered by this process. Any other session may have had hooks that failed. */
const followed = new Set<string>();

/** Far more than a program runs: one session at a time, and a few subagents. */
const MOST_FOLLOWED = 1_000;

/**
 * Claude Code tells the model about a tool that answered with empty text ("UserPromptSubmit hook success: …"), but not
 * about an empty object. Around a compaction it is the other way round: it shows the object as the hook's output.
 */
const PLAIN: ReadonlySet<EventKind | undefined> = new Set<EventKind>(["compacting", "summary"]);

/** Answers a hook of Claude Code that calls a tool of this MCP server. */
export async function answerToolCall(
  args: unknown,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<string> {
  cancelReadAhead();
  const { event, payload, session } = readToolCall(claudeCode, args);
  const mayHaveMissed = !followed.has(session);
  const kind = eventOf(claudeCode, event)?.kind;
  // Prompts and tool calls make up for missed hooks.
  if (kind === "prompt" || kind === "tool") followed.add(session);
  if (followed.size > MOST_FOLLOWED) followed.clear();
  const answer = (until: AbortSignal, onPrinted?: (printed: string) => void) =>
    runHook({
      ...PARTS,
      host: claudeCode.name,
      event,
      env,
      cwd,
      signal: until,
      isWaitedFor: onPrinted === undefined,
      onPrinted,
      mayHaveMissed,
      onFailed: () => followed.delete(session),
      moreLines: async () => (await guardTask(env, [claudeCode.name, event])?.()) ?? [],
      readPayload: async () => payload(),
    });
  const text =
    kind === "idle"
      ? await answerStop(background, `mcp ${event}`, JSON.stringify(args), answer)
      : await answer(signal);
  return text === "" && !PLAIN.has(kind) ? "{}" : text;
}

/** Shorter than hosts wait when the agent stops (`WAIT_MS.idle`). Work from an earlier stop may still be running. */
const DECIDED_MS = 2_000;

/**
 * When the agent goes idle, the work takes longer than the host should wait. So this answers as soon as it is known
 * whether the stop is refused, and does the rest in the background. `work` calls `decided` with the output. If the
 * server ends meanwhile, the hook at the session's end does the rest.
 */
export async function answerStop(
  queue: Background,
  name: string,
  about: string,
  work: (signal: AbortSignal, decided: (printed: string) => void) => Promise<unknown>,
  decidedMs = DECIDED_MS,
): Promise<string> {
  let isOver = false;
  const answer = new Promise<string>((resolve) => {
    const decided = (printed: string) => {
      if (isOver && printed !== "") throw stopLate();
      resolve(printed);
    };
    queue.begin(name, (signal) => work(signal, decided).finally(() => resolve("")), about);
  });
  const printed = await orUndefinedAfter(decidedMs, answer);
  isOver = true;
  return printed ?? "";
}

/**
 * Variables that say where the files of this user and the agents are. If a hook's values differ from this server's, a
 * process answers it.
 */
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

/** Variables that describe a hook's own call. */
const OF_THE_CALL = ["PWD", ...HOOK_HOSTS.flatMap(({ projectVariable }) => projectVariable ?? [])];

/**
 * Answers a hook of any other host, which asked over the server's socket. Uses the server's own environment: a
 * sandboxed command of an agent may reach the socket too, and must not bring a home, a PATH or options that would take
 * effect outside the sandbox.
 */
export async function answerSocketCall(
  { host, event, env, payload }: SocketCall,
  signal: AbortSignal,
  own: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  cancelReadAhead();
  const hook = HOOK_HOSTS.find(({ name }) => name === host);
  if (hook === undefined || !mayAsk(hook, event) || PLACES.some((name) => env[name] !== own[name]))
    throw new ContinuoError("not-asked", `${host} ${event} is not asked of this server`);
  const ofCall = Object.fromEntries(OF_THE_CALL.map((name) => [name, env[name]]));
  return runHook({
    ...PARTS,
    host,
    event,
    env: { ...own, ...ofCall },
    // Used only if the payload names no folder.
    cwd: env["PWD"] ?? "/",
    signal,
    moreLines: async () => (await guardTask(own, [host, event])?.()) ?? [],
    readPayload: async () => parsePayload(payload),
  });
}
