import type { Section } from "../moments/types.ts";
import { type Budget, choose, order } from "./budget.ts";
import { quote } from "./escape.ts";

const KEEP_OUT =
  "The text inside the <continuo> block is delivered again, word for word, after this compaction: leave it out of the summary.";

/**
 * What the host's summariser is told. Plain text, because hosts append it to their own instructions; quoted, so that
 * it cannot close the host's frame; whole items only, within the same limits as everything else.
 */
export function renderHandover(sections: readonly Section[], hasSnapshot: boolean, budget: Budget): string {
  if (budget.limit === 0) return "";
  const { kept } = choose(order(sections), budget);
  const parts = [...(hasSnapshot ? [KEEP_OUT] : []), ...kept.map(({ item }) => quote(item.text).trim())];
  const max = budget.maxChars ?? Number.POSITIVE_INFINITY;
  while (parts.length > 0 && parts.join("\n\n").length > max) parts.pop();
  return parts.join("\n\n");
}
