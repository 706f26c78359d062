/** The syntax tree of a regular expression. Groups are replaced by their contents. */
export type RegexNode =
  | { readonly kind: "unit"; readonly token: string }
  | { readonly kind: "assertion"; readonly at: Assertion }
  | { readonly kind: "lookahead"; readonly isNegative: boolean; readonly inner: RegexNode }
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "alternatives"; readonly parts: readonly RegexNode[] }
  | { readonly kind: "repeat"; readonly inner: RegexNode; readonly least: number; readonly most: number };

type Assertion = "start" | "end" | "edge" | "inside";

const TOKEN = /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<\w+>|.))?|./sy;
const COUNT = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

const ASSERTIONS = new Map<string, Assertion>([
  ["^", "start"],
  ["$", "end"],
  ["\\b", "edge"],
  ["\\B", "inside"],
]);

/**
 * Parses JavaScript's grammar without flags. Returns undefined for an invalid expression and for one that is not
 * regular: back-references, lookbehind and, unless `lookahead` is set, lookahead.
 */
export function readRegex(source: string, lookahead: boolean): RegexNode | undefined {
  try {
    new RegExp(source); // checks what the parser below does not
    return parse(source, lookahead);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined; // RangeError: nested too deeply
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
    at++; // the closing parenthesis: the expression is known to be valid
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

/**
 * A state of the automaton. It leads to `to` after one character that passes `test`, if `at` holds, if the lookahead
 * `ahead` matches (or does not match), or unconditionally.
 */
interface State {
  readonly to: number[];
  readonly test?: (unit: number) => boolean;
  readonly at?: Assertion;
  readonly ahead?: { readonly start: number; readonly isNegative: boolean };
  /** How many lookaheads it is nested in. Inner lookaheads are decided before outer ones. */
  readonly depth: number;
}

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** The final states of the whole expression and of each lookahead. */
  readonly ends: readonly number[];
  readonly maxDepth: number;
}

/** Repetitions are unrolled. Returns undefined if there are more than `maxStates` states. */
export function toAutomaton(tree: RegexNode, maxStates: number, ignoreCase: boolean): Automaton | undefined {
  const states: State[] = [{ to: [], depth: 0 }];
  const ends = [0];
  const tests = new Map<string, (unit: number) => boolean>();
  let maxDepth = 0;
  let visits = 0;
  const start = build(tree, 0, 0);
  return start === undefined ? undefined : { start, states, ends, maxDepth };

  function add(state: State): number | undefined {
    return states.length >= maxStates ? undefined : states.push(state) - 1;
  }

  /** Adds the states of one node, given the state that follows it, and returns the first of them. */
  function build(node: RegexNode, next: number | undefined, depth: number): number | undefined {
    // Visits are counted because a node such as (?:){9999} adds no states.
    if (next === undefined || visits++ > maxStates * 4) return undefined;
    switch (node.kind) {
      case "unit":
        return add({ to: [next], test: testOf(node.token), depth });
      case "assertion":
        return add({ to: [next], at: node.at, depth });
      case "sequence":
        return node.parts.reduceRight<number | undefined>((after, one) => build(one, after, depth), next);
      case "alternatives": {
        const to = node.parts.map((one) => build(one, next, depth));
        return to.includes(undefined) ? undefined : add({ to: to.map((one) => one ?? 0), depth });
      }
      case "lookahead": {
        maxDepth = Math.max(maxDepth, depth + 1);
        const end = add({ to: [], depth: depth + 1 });
        if (end !== undefined) ends.push(end);
        const first = build(node.inner, end, depth + 1);
        if (first === undefined) return undefined;
        return add({ to: [next], ahead: { start: first, isNegative: node.isNegative }, depth });
      }
      case "repeat":
        return repeat(node, next, depth);
    }
  }

  function repeat(node: RegexNode & { kind: "repeat" }, next: number, depth: number): number | undefined {
    const { inner, least, most } = node;
    let first: number | undefined = next;
    if (most === Infinity) {
      first = add({ to: [next], depth });
      const again = build(inner, first, depth);
      if (first === undefined || again === undefined) return undefined;
      states[first]?.to.unshift(again);
    } else {
      for (let i = least; i < most && first !== undefined; i++) {
        const once: number | undefined = build(inner, first, depth);
        first = once === undefined ? undefined : add({ to: [once, next], depth });
      }
    }
    for (let i = 0; i < least && first !== undefined; i++) first = build(inner, first, depth);
    return first;
  }

  function testOf(token: string): (unit: number) => boolean {
    const made = tests.get(token) ?? unitTest(token, ignoreCase);
    tests.set(token, made);
    return made;
  }
}

/** Whether one UTF-16 unit matches a class, an escape, a dot or a character. JavaScript decides; the result is cached. */
function unitTest(token: string, ignoreCase: boolean): (unit: number) => boolean {
  if (token.length === 1 && token !== "." && !ignoreCase) {
    const only = token.charCodeAt(0);
    return (unit) => unit === only;
  }
  const regex = new RegExp(`^(?:${/^[\]{}]$/.test(token) ? `\\${token}` : token})$`, ignoreCase ? "i" : "");
  const known = new Map<number, boolean>();
  return (unit) => {
    const before = known.get(unit);
    if (before !== undefined) return before;
    const passes = regex.test(String.fromCharCode(unit));
    known.set(unit, passes);
    return passes;
  };
}
