import type { Turn } from "../../src/moments/ports/turn.ts";

/** What is known of turns that were read before: a set, or a table. */
export interface SeenIds {
  has(id: string): boolean;
  add(id: string): void;
}

/**
 * Leaves out the turns that a fork has from the session that it was made of: most hosts copy them with their ids, and
 * where they get new ones, the reader has marked them. For sessions in the order in which they began.
 */
export function* originals(turns: Iterable<Turn>, seen: SeenIds): Generator<Turn> {
  for (const turn of turns) {
    if (turn.marks.copied || seen.has(turn.id)) continue;
    seen.add(turn.id);
    yield turn;
  }
}
