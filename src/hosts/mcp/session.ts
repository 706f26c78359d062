import type { Session } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";

/** Ids go into ledger and file names: one that is longer is no id that a host made. */
const MAX_ID = 200;

/**
 * Whose tool call this is. Codex says it with each call and sets no variable; Claude Code gives the server its session's
 * id when it starts it. The call comes first: a Codex that was started from within Claude Code inherits the variable.
 */
export function sessionOf(env: NodeJS.ProcessEnv, meta: unknown, ownId: string): Session {
  const codex = codexSession(meta);
  if (codex !== undefined) return { host: "codex", id: codex };
  const claudeCode = idFrom(env["CLAUDE_CODE_SESSION_ID"]);
  if (claudeCode !== undefined) return { host: "claude-code", id: claudeCode };
  // A client that names no session starts a server for each: the process is the session.
  return { host: "mcp", id: ownId };
}

function codexSession(meta: unknown): string | undefined {
  if (!isRecord(meta)) return undefined;
  const turn = parsed(meta["x-codex-turn-metadata"]);
  return isRecord(turn) ? (idFrom(turn["session_id"]) ?? idFrom(turn["thread_id"])) : undefined;
}

/** Codex sends the same data to its model server as a JSON text: either form is understood. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined; // another program's field: what it means is not ours to judge
  }
}

function idFrom(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID ? value : undefined;
}
