import type { RegexNode } from "./automaton.ts";

/** At most this many literals for one pattern, none of them longer than this. */
const MAX_LITERALS = 16;
const MAX_LENGTH = 48;

/** What is known of the texts that match a node. */
interface Known {
  /** All of them, if they are few. */
  readonly exact?: readonly string[];
  /** Each of them contains one of these. */
  readonly need?: readonly string[];
}

/**
 * Literals of which every text that matches contains at least one; undefined if there are none. A search for them is many
 * times faster than the automaton. With `ignoreCase` they are in lower case and have only ASCII characters.
 */
export function literalsOf(tree: RegexNode, ignoreCase: boolean): readonly string[] | undefined {
  const { exact, need } = known(tree);
  return better(usable(exact), need);

  function known(node: RegexNode): Known {
    switch (node.kind) {
      case "unit": {
        const character = characterOf(node.token);
        if (character === undefined) return {};
        if (!ignoreCase) return { exact: [character] };
        return character.charCodeAt(0) < 128 ? { exact: [character.toLowerCase()] } : {};
      }
      case "assertion":
      case "lookahead":
        return { exact: [""] };
      case "sequence":
        return inSequence(node.parts.map(known));
      case "alternatives": {
        const parts = node.parts.map(known);
        const exact = union(parts.map((one) => one.exact));
        const need = union(parts.map((one) => better(usable(one.exact), one.need)));
        return { ...(exact && { exact }), ...(need && { need }) };
      }
      case "repeat": {
        const inner = known(node.inner);
        if (node.least === 0) {
          const exact = node.most === 1 ? union([inner.exact, [""]]) : undefined;
          return exact === undefined ? {} : { exact };
        }
        if (node.least === 1 && node.most === 1) return inner;
        const once = better(usable(inner.exact), inner.need);
        // `a{3}` contains "aaa". Of longer repetitions the beginning is enough.
        const times = Math.min(node.least, MAX_LENGTH);
        const several = inSequence(Array.from({ length: times }, () => inner));
        const need = better(better(usable(several.exact), several.need), once);
        return {
          ...(node.least === node.most && times === node.least && several.exact && { exact: several.exact }),
          ...(need && { need }),
        };
      }
    }
  }
}

function inSequence(parts: readonly Known[]): Known {
  let need: readonly string[] | undefined;
  let run: readonly string[] = [""];
  let isExact = true;
  for (const part of parts) {
    const longer = part.exact && crossed(run, part.exact);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    isExact = false;
    need = better(better(need, usable(run)), better(usable(part.exact), part.need));
    run = part.exact ?? [""];
  }
  need = better(need, usable(run));
  return { ...(isExact && { exact: run }), ...(need && { need }) };
}

/** Undefined if there are too many or too long ones. */
function crossed(a: readonly string[], b: readonly string[]): readonly string[] | undefined {
  if (a.length * b.length > MAX_LITERALS) return undefined;
  const all = a.flatMap((one) => b.map((other) => one + other));
  return all.some((one) => one.length > MAX_LENGTH) ? undefined : [...new Set(all)];
}

function union(sets: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const all = new Set<string>();
  for (const set of sets) {
    if (set === undefined) return undefined;
    for (const one of set) all.add(one);
    if (all.size > MAX_LITERALS) return undefined;
  }
  return [...all];
}

/** Every text contains the empty one. */
function usable(set: readonly string[] | undefined): readonly string[] | undefined {
  return set === undefined || set.length === 0 || set.includes("") ? undefined : set;
}

/** The set whose shortest literal is longer is rarer in texts. */
function better(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [shortestA, shortestB] = [a, b].map((set) => Math.min(...set.map((one) => one.length)));
  if (shortestA === shortestB) return a.length <= b.length ? a : b;
  return (shortestA ?? 0) > (shortestB ?? 0) ? a : b;
}

const ESCAPES: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f", v: "\v" };

/** The only character that a token of a regular expression matches; undefined for a class or a dot. */
function characterOf(token: string): string | undefined {
  if (token.length === 1) return token === "." ? undefined : token;
  if (!token.startsWith("\\")) return undefined;
  const rest = token.slice(1);
  if (/^[ux][\dA-Fa-f]+$/.test(rest)) return String.fromCharCode(Number.parseInt(rest.slice(1), 16));
  if (rest.length !== 1) return undefined;
  // Letters and digits mean something in JavaScript, other characters mean themselves.
  return ESCAPES[rest] ?? (/[A-Za-z0-9]/.test(rest) ? undefined : rest);
}
