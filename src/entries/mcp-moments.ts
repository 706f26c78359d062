/** What the MCP server answers hooks: what a hook process would print. */
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

/** Loads what the first prompt needs, soon, unless a hook comes before. */
export function readAhead(env: NodeJS.ProcessEnv, cwd: string): void {
  const session = { host: claudeCode.name, id: "read-ahead" };
  planReadAhead({ ...PARTS, env }, () => ({ session, project: findProject(cwd), cwd }));
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

/** Answers a hook of Claude Code, which calls a tool of its MCP server. */
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
  // These two make up for what was missed.
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

/** Less than hosts wait when the agent stops (`WAIT_MS.idle`). Work of an earlier stop may be under way. */
const DECIDED_MS = 2_000;

/**
 * What happens when the agent goes idle takes longer than the host should wait: this answers as soon as it is known whether the stop
 * is refused, and does the rest in the background. `work` calls `decided` with what is printed. A server that ends meanwhile leaves
 * the rest to the hook at the session's end.
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
 * Answers a hook of any other host, which asked over the server's socket. In the server's own environment, because a command that an
 * agent runs in a sandbox may reach the socket too: it must not bring a home, a PATH or options that would be followed outside of the
 * sandbox.
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
    // Only where the payload names no folder.
    cwd: env["PWD"] ?? "/",
    signal,
    moreLines: async () => (await guardTask(own, [host, event])?.()) ?? [],
    readPayload: async () => parsePayload(payload),
  });
}
