import { ContinuoError } from "../../moments/errors.ts";
import type { Sessions } from "./library.ts";
import type { SessionKey } from "./session.ts";
import { sessionCard } from "./session-card.ts";

/** A person reads it, and a new session begins with it: long enough for all that a record has. */
const TOKENS = 3_000;

/** What a new session, in any host, needs to go on with this one. */
export function handoff(library: Sessions, key: SessionKey): string {
  const session = library.get(key);
  if (session === undefined)
    throw new ContinuoError("session-not-found", `nothing is known of session ${key.id}`, {
      hint: "a session that said nothing yet has nothing to hand over",
    });
  return sessionCard({ session, record: library.record(key), cited: [], ancestors: [], tokens: TOKENS });
}
