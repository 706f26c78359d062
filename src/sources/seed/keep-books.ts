import { changeSeed } from "./file/change.ts";
import { isNoted, noteSession, type SessionFacts } from "./last-session.ts";

/** The host waits. */
const LOCK_WAIT_MS = 300;

/**
 * Keeps "last session" true. The first rest of a session writes it, so that a host that is killed is not forgotten; the
 * later ones do not, and only the end commits: a commit for every rest would bury the decisions in the history.
 */
export async function keepBooks(path: string, facts: SessionFacts, isEnd: boolean): Promise<void> {
  await changeSeed(
    path,
    (config) => {
      if (!isEnd && isNoted(config, facts)) return undefined;
      return {
        config: noteSession(config, facts),
        kind: "Update",
        what: `session in ${facts.project} (${facts.host})`,
      };
    },
    { lockWaitMs: LOCK_WAIT_MS, commit: isEnd },
  );
}
