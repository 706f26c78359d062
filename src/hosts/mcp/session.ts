import { isRecord, parseBounded } from "../../base/json.ts";
import type { Session } from "../../moments/types.ts";
import type { Caller } from "./protocol.ts";

/** Ids are used in the ledger and in file names. A longer one does not come from a host. */
const MAX_ID = 200;

/**
 * Hosts that pass their session's id to the server in a variable, and the name by which each client introduces itself.
 */
const BY_VARIABLE = [
  { host: "claude-code", variable: "CLAUDE_CODE_SESSION_ID", client: /^claude/i },
  { host: "copilot", variable: "COPILOT_AGENT_SESSION_ID", client: /copilot/i },
] as const;

/** These set no variable of their own, but inherit one if they are started from another host. */
const WITHOUT_VARIABLE = /^(gemini|codex)/i;

/**
 * The session of a call. Codex passes it with each call. Others set a variable, which counts only if this client is the
 * one that sets it: a host started from another host inherits the other's variable.
 */
export function sessionOf(
  env: NodeJS.ProcessEnv,
  meta: unknown,
  client: string | undefined,
  ownId: string,
): Session {
  const codex = codexSession(meta);
  if (codex !== undefined) return { host: "codex", id: codex };
  // A client that names no session starts one server per session, so the process identifies the session.
  const own: Session = { host: "mcp", id: ownId };
  if (client !== undefined && WITHOUT_VARIABLE.test(client)) return own;
  const itself = BY_VARIABLE.filter((one) => client !== undefined && one.client.test(client));
  for (const { host, variable } of itself.length > 0 ? itself : BY_VARIABLE) {
    const id = idFrom(env[variable]);
    if (id !== undefined) return { host, id };
  }
  return own;
}

/** Known only by the server's own id. */
export function isAnonymous({ host }: Session): boolean {
  return host === "mcp";
}

/** Whether the client names the session of each call. Codex does so only with the calls, not before. */
export function namesSession(session: Session, { client = "" }: Pick<Caller, "client">): boolean {
  return !isAnonymous(session) || /^codex/i.test(client);
}

/** Claude Code defers tools that do not ask to be loaded. Versions before 2.1 load all listed ones. */
export function defersTools(caller: Pick<Caller, "client">): boolean {
  return isClaudeCode(caller);
}

export function isClaudeCode({ client = "" }: Pick<Caller, "client">): boolean {
  return /^claude-code/i.test(client);
}

/** A server that was restarted within a session does not know its client. */
export function mayCallHook(caller: Pick<Caller, "client">): boolean {
  return caller.client === undefined || isClaudeCode(caller);
}

function codexSession(meta: unknown): string | undefined {
  if (!isRecord(meta)) return undefined;
  const turn = parsed(meta["x-codex-turn-metadata"]);
  return isRecord(turn) ? (idFrom(turn["session_id"]) ?? idFrom(turn["thread_id"])) : undefined;
}

/** Codex sends the same data to its model server as JSON text, so both forms are accepted. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return parseBounded(value);
  } catch {
    return undefined; // another program's field, with an unknown meaning
  }
}

function idFrom(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID ? value : undefined;
}
