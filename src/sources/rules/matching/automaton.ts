import type { Assertion, RegexNode } from "./regex-tree.ts";

/**
 * One step of a regular expression. A state leads to `to`: past one character that passes `test`, where `at` holds, where
 * what begins at `ahead` matches (or does not), or freely.
 */
export interface State {
  readonly to: number[];
  readonly test?: (unit: number) => boolean;
  readonly at?: Assertion;
  readonly ahead?: { readonly start: number; readonly isNegative: boolean };
  /** In how many lookaheads it stands: those inside are decided before those around them. */
  readonly depth: number;
}

export interface Automaton {
  readonly states: readonly State[];
  readonly start: number;
  /** Where a match ends, and where the match of each lookahead ends. */
  readonly ends: readonly number[];
  readonly maxDepth: number;
}

/** undefined when it would have more than `maxStates`: repetitions are written out. */
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

  /** Adds the states of one part, given the state that follows it, and returns the first of them. */
  function build(node: RegexNode, next: number | undefined, depth: number): number | undefined {
    // Also what adds no state, such as (?:){9999}, must come to an end.
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

/** Whether one UTF-16 unit passes a class, an escape, a dot or a character: asked of JavaScript, once each. */
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
