/**
 * The name of a concept, as maenifold makes it: two links name the same concept exactly when this gives the same text.
 * Nothing but the following is changed; dots, accents and signs are part of a name.
 */
export function normaliseConcept(name: string): string {
  return lower(name.replace(OUTER_SPACE, ""))
    .replace(/[ _/]/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "");
}

/** White space as .NET trims it: with the next-line character, without the byte order mark that JavaScript trims. */
const SPACE = "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const OUTER_SPACE = new RegExp(`^[${SPACE}]+|(?<![${SPACE}])[${SPACE}]+$`, "g");

/** Letter by letter: JavaScript looks at a word to choose between two forms of sigma, .NET does not; nor does it split İ. */
function lower(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  let result = "";
  for (const char of text) result += char === "\u0130" ? char : char.toLowerCase();
  return result;
}
