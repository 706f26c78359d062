import { count } from "../base/when.ts";

/** The usual context of a model today: who has never counted tokens can judge a share of it. */
const CONTEXT = 200_000;

/** `about 479 tokens, 0.2% of a context of 200,000`: all counts of tokens are estimates. */
export function costOf(tokens: number): string {
  return tokens === 0
    ? "no tokens"
    : `about ${count(tokens, "token")}, ${shareOf(tokens)} of a context of 200,000`;
}

function shareOf(tokens: number): string {
  const percent = (100 * tokens) / CONTEXT;
  if (percent < 0.1) return "less than 0.1%";
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}
