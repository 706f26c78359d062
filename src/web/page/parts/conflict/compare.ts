import { createTwoFilesPatch } from "diff/lib/patch/create.js";

/** Longer texts, and a longer comparison, would block the page. */
const MOST_CHARACTERS = 200_000;
const MOST_MS = 300;

/** A unified diff from the saved text to the one in the page; undefined if there is too much to compare. */
export function compare(name: string, saved: string, here: string): string | undefined {
  if (saved.length + here.length > MOST_CHARACTERS) return undefined;
  return createTwoFilesPatch(name, name, saved, here, "saved", "here", { context: 2, timeout: MOST_MS });
}
