import { readFileSync } from "node:fs";
import type { Session } from "../../moments/types.ts";
import { findHome } from "../../store/home.ts";
import { type SessionState, stateFile } from "../../store/session-state.ts";

/**
 * Did a compression take our texts out of the conversation? No event says so: `PreCompress` comes before every request,
 * whether or not there is anything to compress. But the transcript always ends with the conversation as it is now.
 */
export function isSnapshotLost(env: NodeJS.ProcessEnv, session: Session, transcript?: string): boolean {
  const { path } = stateFile(findHome(env), session, { lockWaitMs: 0, onDamaged: () => undefined });
  const state = parsed(readText(path)) as Partial<SessionState> | undefined;
  const lines = transcript === undefined ? "" : readText(transcript);
  const mark = markOf(state);
  return mark !== undefined && lines !== "" && !currentHistory(lines).includes(mark);
}

/** What must be found in the conversation; Gemini writes our angle brackets as entities. */
function markOf(state: Partial<SessionState> | undefined): string | undefined {
  if (!state?.snapshot) return undefined;
  if (state.snapshot.text !== "") return "&lt;continuo&gt;";
  return Object.keys(state.delivered ?? {}).length > 0 ? "&lt;continuo-addition&gt;" : undefined;
}

/** From the last line that replaces all messages; one message alone is the greeting of a process that just started. */
export function currentHistory(transcript: string): string {
  const lines = transcript.split("\n");
  const from = lines.findLastIndex((line) => {
    if (!line.startsWith('{"$set":{"messages":[')) return false;
    const value = parsed(line) as { $set?: { messages?: unknown[] } } | undefined;
    return (value?.$set?.messages?.length ?? 0) > 1;
  });
  return lines.slice(Math.max(from, 0)).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined; // none yet, or a line that is being written
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // before its first message a session has neither file
  }
}
