/** More of it is not looked through for its end. */
const MOST_ARITHMETIC = 1_000;

const PASSED = /[^()'"\\]+|\\[\s\S]|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;

/**
 * Where arithmetic ends that begins here, after `((`: before its `))`. "none" if the inner parenthesis is closed alone, as in
 * `((a); (b))`: that is a subshell in a subshell. This is how shells tell them apart.
 */
export function endOfArithmetic(source: string, from: number, end: number): number | "none" | "unknown" {
  const window = source.slice(from, Math.min(end, from + MOST_ARITHMETIC));
  let depth = 0;
  for (let at = 0; at < window.length; ) {
    const character = window[at];
    if (character === ")" && depth === 0) return window[at + 1] === ")" ? from + at : "none";
    if (character === "(" || character === ")") {
      depth += character === "(" ? 1 : -1;
      at++;
      continue;
    }
    PASSED.lastIndex = at;
    if (!PASSED.test(window)) return "unknown";
    at = PASSED.lastIndex;
  }
  return "unknown";
}
