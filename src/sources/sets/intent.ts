import { clipWithin, collapse } from "../../base/text.ts";
import type { MetaPatch } from "../../moments/state/session-meta.ts";
import { redact } from "../../store/redact.ts";

// The most characters of an intent in a session's metadata.
export const MAX_INTENT = 300;
export const MAX_NAME = 200;
export const MAX_HINT = 2000;

/** The change of the metadata when an agent says what it is doing; empty removes it. */
export function intentPatch(said: string, now: number): MetaPatch {
  const intent = clipWithin(collapse(redact(said)), MAX_INTENT);
  return intent === ""
    ? { currentIntent: null, currentIntentAt: null }
    : { currentIntent: intent, currentIntentAt: new Date(now).toISOString() };
}
