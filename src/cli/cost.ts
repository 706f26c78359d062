import { count } from "../base/when.ts";

/** The usual context of a model. Agents do not tell the size of theirs, so this one is assumed, and the text says so. */
const CONTEXT = 200_000;

/** `about 479 tokens, 0.2% of a 200,000-token context (assumed)`: all counts of tokens are estimates. */
export function costOf(tokens: number): string {
  return tokens === 0
    ? "no tokens"
    : `about ${count(tokens, "token")}, ${shareOf(tokens)} of a 200,000-token context (assumed)`;
}

function shareOf(tokens: number): string {
  const percent = (100 * tokens) / CONTEXT;
  if (percent < 0.1) return "less than 0.1%";
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}
