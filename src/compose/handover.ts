import { type Budget, candidates, order, Tally } from "./budget.ts";
import { sizeOf } from "./room.ts";
import type { Section } from "./section.ts";

const KEEP_OUT =
  "The text inside the <continuo> block is delivered again, word for word, after this compaction: leave it out of the summary.";

/**
 * What the host's summariser is told. Plain text, because hosts append it to their own instructions; quoted, so that
 * it cannot close the host's frame; whole items only, within the same limits as everything else.
 */
export function renderHandover(sections: readonly Section[], hasSnapshot: boolean, budget: Budget): string {
  if (budget.limit === 0) return "";
  const { room } = budget;
  const tally = new Tally(budget);
  let text = hasSnapshot ? KEEP_OUT : "";
  for (const one of candidates(order(sections))) {
    const longer = text === "" ? one.text : `${text}\n\n${one.text}`;
    if (room !== undefined && sizeOf(longer, room) > room.most) continue;
    if (tally.take(one)) text = longer;
  }
  return text;
}
