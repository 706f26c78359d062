import { createTwoFilesPatch } from "diff/lib/patch/create.js";

/** Longer texts, and a comparison that takes longer, would stop the page. */
const MOST_CHARACTERS = 200_000;
const MOST_MS = 300;

/** A unified diff from the saved text to the one in the page; undefined if that is too much to compare. */
export function compare(name: string, saved: string, here: string): string | undefined {
  if (saved.length + here.length > MOST_CHARACTERS) return undefined;
  return createTwoFilesPatch(name, name, saved, here, "saved", "here", { context: 2, timeout: MOST_MS });
}
