import { collapse } from "../../base/text.ts";

/** Longer names are cut, because they are shown in lists and typed after `@@`. */
export const MOST_OF_A_NAME = 80;

/** A session's name as stored and shown everywhere: one line that can be typed after `@@`. */
export function cleanName(text: string): string {
  return cutName(plainLine(text.slice(0, MOST_OF_A_NAME * 100)));
}

/** On one line, and without `@@`, which would be a reference to another session. */
export function plainLine(text: string): string {
  return collapse(text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ").replace(/@{2,}/g, ""));
}

export function cutName(line: string): string {
  const characters = [...line.slice(0, MOST_OF_A_NAME * 4)];
  return characters.length <= MOST_OF_A_NAME
    ? line.slice(0, MOST_OF_A_NAME * 4)
    : `${characters.slice(0, MOST_OF_A_NAME - 1).join("")}…`;
}
