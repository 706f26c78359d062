/**
 * One pattern of many phrases, for lists too long to read as a regular expression. They are parted by ` | `, or by `|` at a
 * line's end, and found as whole words.
 */
export function phrases(text: string): RegExp {
  const joined = text
    .trim()
    .replace(/ +\| +|\s*\|\n\s*/g, "|")
    .replace(/\n\s*/g, "");
  return new RegExp(`\\b(?:${joined})\\b`, "i");
}
