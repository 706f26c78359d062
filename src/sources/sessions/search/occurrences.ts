import { COUNT, readOccurrences } from "../../../search/postings.ts";
import type { Store } from "./store.ts";

/** Where one term stands, in passages that are not gone. */
export interface Occurrences {
  readonly passages: number;
  /** Of the first so many: the passage, over all segments, and how often it has the term. */
  readonly places: Int32Array;
  readonly counts: Uint8Array;
  readonly sessions: readonly number[];
}

/** Leaves in the store how often each session has the term, and where in its head. `lists`: the term's, by segment. */
export function occurrencesOf(store: Store, lists: ReadonlyMap<number, Uint8Array>): Occurrences {
  const { segments, owners, times, flags: heads, places, counts } = store;
  const sessions: number[] = [];
  let passages = 0;
  for (const { segment, start } of segments) {
    const list = lists.get(segment.id);
    if (list === undefined) continue;
    const end = readOccurrences(list, passages, places, counts);
    for (let at = passages; at < end; at++) {
      const place = start + (places[at] ?? 0);
      const flags = counts[at] ?? 0;
      const session = owners[place] ?? 0;
      if (session === 0) continue;
      if (times[session] === 0 && heads[session] === 0) sessions.push(session);
      places[passages] = place;
      counts[passages++] = flags & COUNT;
      times[session] = (times[session] ?? 0) + (flags & COUNT);
      heads[session] = (heads[session] ?? 0) | (flags & ~COUNT);
    }
  }
  return { passages, places, counts, sessions };
}
