import type { RegexNode } from "./regex-tree.ts";

/**
 * At most how many steps JavaScript's own engine takes for an expression at one place of a text of `length` characters. It
 * tries one way of matching after the other, so each choice multiplies what follows it; a choice inside a repetition has
 * no useful bound. What this says is never less than what happens, and often far more.
 */
export function stepsAtMost(tree: RegexNode, length: number): number {
  return costOf(tree).steps;

  /** `ways` are the ways in which a part can match, each of which may be tried; `steps` what trying all of them takes. */
  function costOf(node: RegexNode): { steps: number; ways: number } {
    switch (node.kind) {
      case "unit":
      case "assertion":
        return { steps: 1, ways: 1 };
      case "lookahead":
        // Once it holds, no other way in which it might hold is tried.
        return { steps: costOf(node.inner).steps + 1, ways: 1 };
      case "alternatives": {
        const parts = node.parts.map(costOf);
        return { steps: 1 + sum(parts.map(({ steps }) => steps)), ways: sum(parts.map(({ ways }) => ways)) };
      }
      case "sequence": {
        let [steps, ways] = [0, 1];
        for (const one of node.parts.map(costOf)) {
          steps += ways * one.steps;
          ways *= one.ways;
        }
        return { steps, ways };
      }
      case "repeat": {
        const inner = costOf(node.inner);
        const times = Math.min(node.most, node.least + length) + 1;
        // Each number of times is one way, each time in each of the inner part's ways.
        const ways = inner.ways <= 1 ? times : inner.ways ** times * 2;
        return { steps: 1 + ways * inner.steps, ways };
      }
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
