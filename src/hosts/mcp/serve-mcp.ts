import { ContinuoError, systemCode } from "../../base/errors.ts";
import { unique } from "../../base/fingerprint.ts";
import { isRecord } from "../../base/json.ts";
import { offeredTools } from "../../moments/offers/offered-tools.ts";
import type { LoadHistory } from "../../moments/ports/history.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findHome, type Home } from "../../store/home.ts";
import { hostProcess, START_AGAIN } from "../claude-code/resident/host-process.ts";
import { serverLife } from "../claude-code/resident/server-life.ts";
import { HOOK_TOOL, isHookTool } from "../names.ts";
import { recordFailure } from "../shared/follow.ts";
import { type AnswerCall, listenForHooks } from "./hook-socket.ts";
import { leaveSoon, whenOrphaned } from "./process.ts";
import { type Caller, type Capabilities, connect, type ListedTool } from "./protocol.ts";
import { defersTools, isAnonymous, isClaudeCode, mayCallHook, namesSession, sessionOf } from "./session.ts";

export interface ServeOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  readonly version: string;
  readonly history: LoadHistory;
  readonly capabilities: Capabilities;
  /** Called once before the first request; the returned function is called when the client is gone. */
  readonly onOpen?: (home: Home) => () => void;
  /** Answers hooks, if this server does that. Loaded when the first one comes. */
  readonly hooks?: () => Promise<HookAnswers>;
  /** Called once, after the first answer: for what can wait until then. */
  readonly onReady?: () => void;
}

/** Returns the text that a hook process would print. */
export interface HookAnswers {
  /** For a hook of Claude Code that calls the tool `HOOK_TOOL`; in a form that Claude Code accepts. */
  answerToolCall(args: unknown, signal: AbortSignal, env: NodeJS.ProcessEnv, cwd: string): Promise<string>;
  /** For a hook that asks over the server's socket. */
  answerSocketCall: AnswerCall;
  /** Loads what hooks need, because a host that works in this folder may soon call some. */
  readAhead(env: NodeJS.ProcessEnv, cwd: string): void;
}

/** For other tools Claude Code gives the model only the name, until the model asks for more. */
const LOADED = { "anthropic/alwaysLoad": true };

/** The description for a model that has seen the tool's name. */
const FOR_HOOKS = {
  content: [{ type: "text" as const, text: "Only Continuo's hooks call this tool. There is nothing to do." }],
  isError: true,
};

/** A client that breaks the protocol does so all the time, so the first few records are enough. */
const MAX_PROTOCOL_RECORDS = 5;

/** Serves one client on stdin and stdout until the client is gone. */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const { env, now, capabilities, hooks } = options;
  const record = (place: string, error: unknown) => recordFailure(env, `mcp: ${place}`, error, now());
  // The process still ends, but the failure is recorded.
  process.once("uncaughtExceptionMonitor", (error) => record("server", error));
  const home = findHome(env);
  const life = serverLife(home, env, (error) => record("mark", error));
  const onClose = options.onOpen?.(home);
  const ownId = unique(); // not a UUID: loading node:crypto takes a tenth of the start
  const cwd = env["CLAUDE_PROJECT_DIR"] || options.cwd;
  const contextOf = ({ meta, client, signal, ask }: Caller): ToolContext => ({
    session: sessionOf(env, meta, client, ownId),
    cwd,
    home,
    env,
    now: now(),
    history: options.history,
    signal,
    host: ask && { ask },
  });

  async function listTools(caller: Caller): Promise<readonly ListedTool[]> {
    const call = contextOf(caller);
    const defers = defersTools(caller);
    const place = {
      ...call,
      session: isAnonymous(call.session) ? undefined : call.session,
      namesSession: namesSession(call.session, caller),
    };
    const tools = await offeredTools(capabilities.tools, place, { defers, onFailure: record });
    const listed = tools.map((tool) => ({
      ...tool,
      ...(defers && (tool.need ?? "often") === "often" ? { meta: LOADED } : {}),
    }));
    // The tool for hooks is not listed, so that no version of Claude Code can show it to a model.
    if (hooks !== undefined && isClaudeCode(caller)) {
      life.markConnected();
      hooks().then(
        ({ readAhead }) => readAhead(env, cwd),
        () => undefined,
      );
    }
    return listed;
  }

  // Not for Claude Code, whose hooks call an MCP tool instead.
  const stopListening =
    hooks === undefined || life.isStartedByShell
      ? () => undefined
      : listenForHooks(
          home,
          hostProcess(env),
          async (call, signal) => (await hooks()).answerSocketCall(call, signal),
          life.isReplaced,
        );
  process.once("exit", stopListening);

  let listed: Promise<readonly ListedTool[]> | undefined;
  let protocolErrors = 0;
  const connection = connect({
    version: options.version,
    capabilities,
    namesSession: !isAnonymous(sessionOf(env, undefined, undefined, ownId)),
    contextOf,
    onFault: record,
    requests: life.requests,
    onReady() {
      // Before the first answer, the host should see that the server failed.
      if (life.isStartedByShell) process.once("uncaughtException", () => process.exit(START_AGAIN));
      options.onReady?.();
    },
    // The first answer is kept for as long as the server runs: another list would invalidate the host's cached prompt.
    listTools: (caller) => {
      listed ??= listTools(caller);
      return listed;
    },
    callTool: async (name, args, caller) => {
      if (isHookTool(name)) {
        const isHook = mayCallHook(caller) && isRecord(args) && args["event"] !== undefined;
        if (hooks === undefined || !isHook) return FOR_HOOKS;
        // An error would be shown to the user, and at some events to the model.
        const text = await life
          .during(async () => (await hooks()).answerToolCall(args, caller.signal, env, options.cwd))
          .catch((error: unknown) => {
            record(HOOK_TOOL, error);
            return "{}";
          });
        return { content: [{ type: "text", text }] };
      }
      const tool = capabilities.tools.find((one) => one.name === name);
      if (tool === undefined) return undefined;
      try {
        const { ok, text } = await tool.run(args, contextOf(caller));
        return { content: [{ type: "text", text }], ...(ok ? {} : { isError: true }) };
      } catch (error) {
        record(name, error);
        const text = `${name} failed because of a fault in Continuo; "continuo doctor" shows it`;
        return { content: [{ type: "text", text }], isError: true };
      }
    },
    onProtocolError: (error) => {
      // A host that ends during an answer is not a failure, and nobody is left to answer.
      if (systemCode(error) === "EPIPE" || ++protocolErrors > MAX_PROTOCOL_RECORDS) return;
      record("protocol", new ContinuoError("mcp-protocol", error.message, { cause: error }));
    },
  });
  const stopWatching = whenOrphaned(() => void connection.close(), hostProcess(env));
  await connection.closed;
  stopWatching();
  life.markEnded();
  stopListening();
  onClose?.();
  leaveSoon();
}
