import { join } from "node:path";
import { fileNameFor, userHome } from "../../store/home.ts";
import { tailLines } from "../../transcripts/tail.ts";

/** Where Copilot keeps a session's history; its payloads do not say. */
export function eventsFile(env: NodeJS.ProcessEnv, session: string): string {
  const home = env["COPILOT_HOME"] || join(userHome(env), ".copilot");
  return join(home, "session-state", fileNameFor(session), "events.jsonl");
}

/** Far enough to see what came since the last request. */
const REACH = 256 * 1024;

/**
 * Was the session resumed since its last request? There is an event for it, but its hook runs beside the prompt's, and
 * either may be first.
 */
export function isJustResumed(events: string | undefined): boolean {
  if (events === undefined) return false;
  try {
    const line = tailLines(events, REACH).find((one) =>
      /^\{"type":"(?:session\.resume|user\.message)"/.test(one),
    );
    return line?.startsWith('{"type":"session.resume"') === true;
  } catch {
    return false; // no file yet, or one that cannot be read: a card less, but the rules all the same
  }
}
