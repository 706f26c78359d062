import { ContinuoError } from "../../../base/errors.ts";
import { quote } from "../../../compose/escape.ts";
import type { Sessions } from "../library.ts";
import type { SessionKey } from "../session.ts";
import { handoffOf } from "./texts.ts";

/** What a new session, in any host, needs to go on with this one; and how to ask it for more. */
export function handoff(library: Sessions, key: SessionKey): string {
  const session = library.get(key);
  const outline = library.outline(key);
  if (session === undefined || outline === undefined)
    throw new ContinuoError("session-not-found", `nothing is known of session ${key.id}`, {
      hint: "a session that said nothing yet has nothing to hand over",
    });
  return `${quote(handoffOf(session, outline, library.record(key)))}\n\nFor anything else call query_session with session "${session.id}".`;
}
