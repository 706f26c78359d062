import type { Turn } from "../../src/moments/ports/turn.ts";

/** The turns that were read before: a set, or a table. */
export interface SeenIds {
  has(id: string): boolean;
  add(id: string): void;
}

/**
 * Leaves out the turns that a fork copied from its original session: most hosts copy them with their ids; if they get new
 * ids, the reader has marked them. For sessions in the order in which they began.
 */
export function* originals(turns: Iterable<Turn>, seen: SeenIds): Generator<Turn> {
  for (const turn of turns) {
    if (turn.marks.copied || seen.has(turn.id)) continue;
    seen.add(turn.id);
    yield turn;
  }
}
