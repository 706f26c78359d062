import { COUNT, readOccurrences } from "../../../search/postings.ts";
import type { Store } from "./corpus.ts";

/** Where one term stands, in passages that are not gone. */
export interface Occurrences {
  /** In how many passages and sessions, of all that there are: how rare it is does not depend on who is asked. */
  readonly passages: number;
  readonly sessions: number;
  /** The sessions with it that are asked. */
  readonly found: readonly number[];
  /** Of the first `count`, which are theirs: the passage, over all segments, and how often it has the term. */
  readonly count: number;
  readonly places: Int32Array;
  readonly counts: Uint8Array;
}

/**
 * Leaves in the store how often each session that is asked has the term, and where in its head. `lists`: the term's, by
 * segment; `isAsked`: by session. Most occurrences follow one of the same session, and those of others cost little.
 */
export function occurrencesOf(
  store: Store,
  lists: ReadonlyMap<number, Uint8Array>,
  isAsked: Uint8Array,
): Occurrences {
  const { segments, owners, times, flags: heads, places, counts } = store;
  const isSeen = new Uint8Array(times.length);
  const found: number[] = [];
  let passages = 0;
  let sessions = 0;
  let count = 0;
  for (const { segment, start } of segments) {
    const list = lists.get(segment.id);
    if (list === undefined) continue;
    const end = readOccurrences(list, count, places, counts);
    let before = 0;
    let isWanted = false;
    for (let at = count; at < end; at++) {
      const place = start + (places[at] as number);
      const session = owners[place] as number;
      if (session === 0) continue;
      passages++;
      if (session !== before) {
        before = session;
        isWanted = isAsked[session] === 1;
        if (isSeen[session] === 0) {
          isSeen[session] = 1;
          sessions++;
          if (isWanted) found.push(session);
        }
      }
      if (!isWanted) continue;
      const flags = counts[at] ?? 0;
      places[count] = place;
      counts[count++] = flags & COUNT;
      times[session] = (times[session] ?? 0) + (flags & COUNT);
      if (flags > COUNT) heads[session] = (heads[session] ?? 0) | (flags & ~COUNT);
    }
  }
  return { passages, sessions, found, count, places, counts };
}
