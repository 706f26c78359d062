/** A regular expression, taken apart. Groups are gone: what they held stands in their place. */
export type RegexNode =
  | { readonly kind: "unit"; readonly token: string }
  | { readonly kind: "assertion"; readonly at: Assertion }
  | { readonly kind: "lookahead"; readonly isNegative: boolean; readonly inner: RegexNode }
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "alternatives"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "repeat"; readonly inner: RegexNode; readonly least: number; readonly most: number };

export type Assertion = "start" | "end" | "edge" | "inside";

const TOKEN = /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<\w+>|.))?|./sy;
const COUNT = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

const ASSERTIONS = new Map<string, Assertion>([
  ["^", "start"],
  ["$", "end"],
  ["\\b", "edge"],
  ["\\B", "inside"],
]);

/**
 * Reads JavaScript's grammar without flags. undefined for what is no regular expression or is not regular:
 * back-references, lookbehind, and without `lookahead` also that.
 */
export function readRegex(source: string, lookahead: boolean): RegexNode | undefined {
  try {
    new RegExp(source); // whatever the grammar below does not check
    return parse(source, lookahead);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined; // also: nested too deep
    throw error;
  }
}

function parse(source: string, mayLookAhead: boolean): RegexNode {
  let at = 0;
  const all = alternatives();
  if (at < source.length) throw new SyntaxError("unexpected )");
  return all;

  function alternatives(): RegexNode {
    const parts = [sequence()];
    for (; source[at] === "|"; parts.push(sequence())) at++;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "alternatives", parts };
  }

  function sequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(counted(single()));
    return { kind: "sequence", parts };
  }

  function single(): RegexNode {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source)?.[0] ?? "";
    at += token.length;
    if (token === "(" || token === "(?:" || /^\(\?<\w+>$/.test(token)) return group();
    if (mayLookAhead && (token === "(?=" || token === "(?!"))
      return { kind: "lookahead", isNegative: token === "(?!", inner: group() };
    if (token.startsWith("(") || /^\\([\dkpP]|c$)/.test(token)) throw new SyntaxError("not regular");
    const assertion = ASSERTIONS.get(token);
    return assertion === undefined ? { kind: "unit", token } : { kind: "assertion", at: assertion };
  }

  function group(): RegexNode {
    const inner = alternatives();
    at++; // its closing parenthesis: the expression is known to be valid
    return inner;
  }

  function counted(inner: RegexNode): RegexNode {
    COUNT.lastIndex = at;
    const found = COUNT.exec(source);
    if (found === null) return inner;
    at += found[0].length;
    const [sign, low, comma, high] = [found[0][0], found[1], found[2], found[3]];
    const least = sign === "+" ? 1 : Number(low ?? 0);
    const most = sign === "?" ? 1 : low === undefined || (comma && !high) ? Infinity : Number(high || low);
    return { kind: "repeat", inner, least, most };
  }
}
