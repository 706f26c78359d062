import type { SessionState } from "../../moments/state/session-state.ts";
import type { History } from "./conversation.ts";

export type Opening = "start" | "resume" | "compacted";

/**
 * With which moment a session, or an epoch of it, is to be opened before this prompt; undefined when it is open.
 * pi calls every new process a "startup", so a resume is told from what the branch and our state already hold.
 */
export function openingOf(
  history: History,
  snapshot: SessionState["snapshot"] | undefined,
  begun: boolean,
): Opening | undefined {
  if (!snapshot) return history.hasPrompts ? "resume" : "start";
  // pi compacted and we were not asked: another process without us, or our answer came too late.
  if (history.compactedAt !== undefined && Date.parse(snapshot.at) < Date.parse(history.compactedAt)) {
    return "compacted";
  }
  if (!begun) return "resume";
  // A step back in pi's tree can lead to a place before our snapshot.
  return snapshot.text !== "" && !history.texts.includes(snapshot.text) ? "resume" : undefined;
}
