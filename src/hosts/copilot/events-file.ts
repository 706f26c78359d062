import { isAbsolute, join } from "node:path";
import { fileNameFor } from "../../store/home.ts";
import { tailLines } from "../shared/history/lines.ts";

/** Where Copilot keeps a session's history; its payloads do not say. undefined without a home of the user's. */
export function eventsFile(env: NodeJS.ProcessEnv, session: string): string | undefined {
  const user = env["HOME"] || env["USERPROFILE"];
  const home = env["COPILOT_HOME"] || (user && isAbsolute(user) ? join(user, ".copilot") : undefined);
  return home && join(home, "session-state", fileNameFor(session), "events.jsonl");
}

const EVENTS = /^\{"type":"(?:session\.resume|session\.shutdown|user\.message)"/;

/** Far enough to see what came since the last request. */
const REACH = 256 * 1024;

/**
 * Was the session resumed since its last request? There is an event for it, but its hook runs beside the prompt's, and
 * either may be first.
 */
export function isJustResumed(events: string | undefined): boolean {
  if (events === undefined) return false;
  try {
    // The old process's last event counts as well: the new one's first may not be on the disk yet.
    const newest = tailLines(events, REACH).find((line) => EVENTS.test(line));
    return newest !== undefined && !newest.startsWith('{"type":"user.message"');
  } catch {
    return false; // no file yet, or one that cannot be read: a card less, but the rules all the same
  }
}
