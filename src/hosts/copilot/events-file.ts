import { isAbsolute, join } from "node:path";
import { fileNameFor } from "../../store/home.ts";
import { tailLines } from "../shared/history/lines.ts";

/** Where Copilot keeps a session's history: its payloads do not name it. undefined when the user has no home folder. */
export function eventsFile(env: NodeJS.ProcessEnv, session: string): string | undefined {
  const user = env["HOME"] || env["USERPROFILE"];
  const home = env["COPILOT_HOME"] || (user && isAbsolute(user) ? join(user, ".copilot") : undefined);
  return home && join(home, "session-state", fileNameFor(session), "events.jsonl");
}

const EVENTS = /^\{"type":"(?:session\.resume|session\.shutdown|user\.message)"/;

/** Enough to see what happened since the last request. */
const REACH = 256 * 1024;

/**
 * Was the session resumed since its last request? Copilot has an event for it, but runs its hook at the same time as the
 * prompt's, in any order.
 */
export function isJustResumed(events: string | undefined): boolean {
  if (events === undefined) return false;
  try {
    // The shutdown of the old process counts as well: the new one's first event may not be on disk yet.
    const newest = tailLines(events, REACH).find((line) => EVENTS.test(line));
    return newest !== undefined && !newest.startsWith('{"type":"user.message"');
  } catch {
    return false; // no file yet, or an unreadable one: the card is left out, the rules are still delivered
  }
}
