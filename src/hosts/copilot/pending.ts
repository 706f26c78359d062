import { readFileSync } from "node:fs";
import type { Session } from "../../moments/types.ts";
import { findHome } from "../../store/home.ts";
import { type SessionState, stateFile } from "../../store/session-state.ts";

/**
 * Was a compaction announced whose new epoch has not begun? Copilot has an event before a compaction and none after it,
 * so the first event that can deliver stands for the one that is missing.
 */
export function isCompactionPending(env: NodeJS.ProcessEnv, session: Session): boolean {
  const { path } = stateFile(findHome(env), session, { lockWaitMs: 0, onDamaged: () => undefined });
  try {
    return (JSON.parse(readFileSync(path, "utf8")) as Partial<SessionState> | null)?.compacting === true;
  } catch {
    return false; // no state yet, or a damaged one, which the engine deals with and reports
  }
}
