import type { SessionHit } from "./library.ts";
import { label, oneLine } from "./words-for-people.ts";

const LONGEST_PASSAGE = 200;

/** Sessions that have something on a query, best first, each with the words that show it. */
export function showHits(hits: readonly SessionHit[]): string {
  return hits
    .map(({ session, best }) =>
      best === undefined
        ? `- ${label(session)}`
        : `- ${label(session)}\n  ${oneLine(best.snippet, LONGEST_PASSAGE)}`,
    )
    .join("\n");
}
