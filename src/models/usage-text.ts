import type { ModelUsage } from "./port.ts";

/** For people: what it cost, or how much was read and written where nobody knows the price. */
export function usageText({ input, output, costUsd }: ModelUsage): string {
  if (costUsd === undefined) return `${input} tokens read, ${output} written`;
  return `$${costUsd.toFixed(costUsd >= 0.01 ? 4 : 6)}`;
}

export function addUsage(one: ModelUsage, other: ModelUsage | undefined): ModelUsage {
  if (other === undefined) return one;
  const [a, b] = [one.costUsd, other.costUsd];
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    // A sum of which a part is unknown would be a lie.
    ...(a !== undefined && b !== undefined && { costUsd: a + b }),
  };
}
