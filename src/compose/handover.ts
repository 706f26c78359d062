import type { Section } from "../moments/types.ts";
import { order } from "./budget.ts";
import { quote } from "./escape.ts";

const KEEP_OUT =
  "The text inside the <continuo> block is delivered again, word for word, after this compaction: leave it out of the summary.";

/**
 * What the host's summariser is told. Plain text, because hosts append it to their own instructions; quoted, so that
 * it cannot close the host's frame.
 */
export function renderHandover(sections: readonly Section[], hasSnapshot: boolean): string {
  const parts = order(sections).map((section) =>
    section.items.map((item) => quote(item.text).trim()).join("\n"),
  );
  return [...(hasSnapshot ? [KEEP_OUT] : []), ...parts].join("\n\n");
}
