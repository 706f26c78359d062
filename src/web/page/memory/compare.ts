import { createTwoFilesPatch } from "diff";

/** Longer texts would stop the page. */
const MOST_CHARACTERS = 200_000;
const MOST_MS = 500;

/** A unified diff; empty when the texts are too long or too different, or the same. */
export function compare(before: string, after: string): string {
  if (before === after || before.length + after.length > MOST_CHARACTERS) return "";
  return (
    createTwoFilesPatch("saved", "yours", before, after, undefined, undefined, { timeout: MOST_MS }) ?? ""
  );
}
