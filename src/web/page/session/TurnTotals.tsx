import type { PromptTotals } from "../../api/conversation.ts";
import { count, elapsed, number } from "../core/format.ts";
import { share } from "../given/words.ts";

/** At the end of what a prompt led to: how long it took, and what the model read and wrote. */
export function TurnTotals({ of: { ms, tokens } }: { of: PromptTotals }) {
  const parts = [
    ...(ms === undefined ? [] : [elapsed(ms)]),
    ...(tokens === undefined
      ? []
      : [
          count(tokens.requests, "model call"),
          `${number(tokens.input)} tokens in${tokens.cached > 0 ? ` (${share(tokens)} from the cache)` : ""}`,
          `${number(tokens.output)} out`,
        ]),
  ];
  if (parts.length === 0) return null;
  return (
    <p class="turn-totals" title="From the prompt to this turn">
      {parts.join(" · ")}
    </p>
  );
}
