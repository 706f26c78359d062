import { count, grouped } from "../../base/when.ts";

/** The usual size of a model's context. Most agents do not report theirs: then this is assumed, which the text says. */
const USUAL_CONTEXT = 200_000;

/** `about 479 tokens, 0.2% of a 200,000-token context (assumed)`: all counts of tokens are estimates. */
export function costOf(tokens: number, contextWindow?: number): string {
  if (tokens === 0) return "no tokens";
  const size = contextWindow ?? USUAL_CONTEXT;
  const assumed = contextWindow === undefined ? " (assumed)" : "";
  return `about ${count(tokens, "token")}, ${shareOf(tokens, size)} of a ${grouped(size)}-token context${assumed}`;
}

function shareOf(tokens: number, size: number): string {
  const percent = (100 * tokens) / size;
  if (percent < 0.1) return "less than 0.1%";
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}
