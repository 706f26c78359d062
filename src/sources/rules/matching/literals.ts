import type { RegexNode } from "./automaton.ts";

/** At most this many literals for one pattern, none of them longer than this. */
const MAX_LITERALS = 16;
const MAX_LENGTH = 48;

/** At most this many sets for one pattern. */
const MAX_SETS = 4;

/** Every text that matches contains at least one of these. */
type Literals = readonly string[];

/** What is known of the texts that match a node. */
interface Known {
  /** All of them, if they are few. */
  readonly exact?: Literals;
  /** Each of them contains a literal of every set. */
  readonly needs: readonly Literals[];
}

/**
 * Sets of literals: every text that matches contains at least one of each set. A search for them is many times faster than
 * the automaton. The longest come first. With `ignoreCase` they are in lower case and have only ASCII characters.
 */
export function literalsOf(tree: RegexNode, ignoreCase: boolean): readonly Literals[] {
  return needsOf(known(tree));

  function known(node: RegexNode): Known {
    switch (node.kind) {
      case "unit": {
        const character = characterOf(node.token);
        if (character === undefined) return NOTHING;
        if (!ignoreCase) return { exact: [character], needs: [] };
        return character.charCodeAt(0) < 128 ? { exact: [character.toLowerCase()], needs: [] } : NOTHING;
      }
      case "assertion":
      case "lookahead":
        return EMPTY;
      case "sequence":
        return inSequence(node.parts.map(known));
      case "alternatives": {
        const parts = node.parts.map(known);
        const exact = union(parts.map((one) => one.exact));
        if (exact !== undefined) return { exact, needs: [] };
        const need = union(parts.map((one) => needsOf(one)[0]));
        return need === undefined ? NOTHING : { needs: [need] };
      }
      case "repeat": {
        const inner = known(node.inner);
        const { least, most } = node;
        if (least === 0) {
          const exact = most === 1 ? union([inner.exact, [""]]) : undefined;
          return exact === undefined ? NOTHING : { exact, needs: [] };
        }
        if (least === 1) return most === 1 ? inner : { needs: needsOf(inner) };
        // `a{3}` contains "aaa". Of longer repetitions the beginning is enough.
        const times = Math.min(least, MAX_LENGTH);
        const several = inSequence(Array.from({ length: times }, () => inner));
        return least === most && times === least ? several : { needs: needsOf(several) };
      }
    }
  }
}

const NOTHING: Known = { needs: [] };
const EMPTY: Known = { exact: [""], needs: [] };

function inSequence(parts: readonly Known[]): Known {
  const needs: Literals[] = [];
  let run: Literals = [""];
  let isExact = true;
  for (const part of parts) {
    const longer = part.exact && crossed(run, part.exact);
    if (longer !== undefined) {
      run = longer;
      continue;
    }
    isExact = false;
    needs.push(...usable(run), ...part.needs);
    run = part.exact ?? [""];
  }
  if (isExact) return { exact: run, needs: [] };
  return { needs: best([...needs, ...usable(run)]) };
}

/** What every text contains according to all that is known. */
function needsOf({ exact, needs }: Known): readonly Literals[] {
  return best([...usable(exact), ...needs]);
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

/** Every text contains the empty one, so a set with it says nothing. */
function usable(set: Literals | undefined): readonly Literals[] {
  return set === undefined || set.length === 0 || set.includes("") ? [] : [set];
}

/** The sets whose shortest literal is long are rare in texts. */
function best(sets: readonly Literals[]): readonly Literals[] {
  const shortest = (set: Literals) => Math.min(...set.map((one) => one.length));
  return [...sets].sort((a, b) => shortest(b) - shortest(a) || a.length - b.length).slice(0, MAX_SETS);
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
