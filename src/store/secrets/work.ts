/**
 * How many characters were looked at closely. Ordinary text stays far below the budget; text that is made to be slow (a name
 * beside every other, each with everything behind it as its value) goes beyond it, and is from there on redacted without a look.
 */
export interface Work {
  spent: number;
  readonly budget: number;
}

const PER_CHARACTER = 4;
const LEAST = 4096;

export function workFor(text: string): Work {
  return { spent: 0, budget: LEAST + PER_CHARACTER * text.length };
}

export function isSpent(work: Work): boolean {
  return work.spent > work.budget;
}
