import { type RegexNode, readRegex } from "./automaton.ts";
import { keepFinders } from "./kept-finders.ts";
import { CHECK_OPTIONS, type Finder, MAX_PATTERN, toFinder } from "./linear-regex.ts";
import { trigramHashes } from "./trigrams.ts";

/** A check's regular expression, prepared for searching. */
export interface SearchPattern {
  readonly source: string;
  /** Whether it begins with `(?i)`. */
  readonly ignoreCase: boolean;
  /** Every matching line contains a literal from each of these sets. The longest come first. */
  readonly literals: readonly (readonly Literal[])[];
  /** The cost of compiling it. Always the same, even if it is already compiled. */
  readonly steps: number;
  /** Whether it mentions a carriage return. */
  readonly hasReturn: boolean;
  /** Compiles it, unless it is cached from an earlier use. */
  use<T>(work: (find: Finder) => T): T;
}

interface Literal {
  /** In lower case if case does not matter. */
  readonly text: string;
  readonly hashes: readonly number[];
}

const IGNORE_CASE = "(?i)";

/** The most steps for parsing and compiling one character of a pattern. */
const READING = 25;
const COMPILING = 100;

/** In a long-running process, for the checks of all projects together. */
const MAX_FINDER_BYTES = 48 * 1024 * 1024;
const MAX_PATTERNS = 20_000;

const finders = keepFinders(MAX_FINDER_BYTES);
const patterns = new Map<string, SearchPattern>();

/** Whether an expression is valid, regular and not too large, so that searching for it takes linear time. */
export function isSearchable(source: string): boolean {
  return source !== "" && source.length <= MAX_PATTERN && finderOf(source) !== undefined;
}

/** The cost of `searchPattern` for a new pattern. */
export function readingSteps(source: string): number {
  return source.length * READING;
}

/** For an expression that was accepted when its rule was read. */
export function searchPattern(source: string): SearchPattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const { body, ignoreCase } = split(source);
  const tree = readRegex(body, false);
  const sets = tree === undefined ? [] : literalsOf(tree, ignoreCase);
  const made: SearchPattern = {
    source,
    ignoreCase,
    literals: sets.map((set) => set.map((text) => ({ text, hashes: trigramHashes(text) }))),
    steps: source.length * COMPILING,
    hasReturn: source.includes("\\r"),
    use(work) {
      const finder = finders.get(source) ?? finderOf(source) ?? NEVER;
      const result = work(finder);
      if (finder !== NEVER) finders.keep(source, finder);
      return result;
    },
  };
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(source, made);
  return made;
}

/** Used for an expression that was never accepted, from a damaged cache. */
const NEVER: Finder = Object.assign(() => false, { states: 0, bytes: () => 0 });

function finderOf(source: string): Finder | undefined {
  const { body, ignoreCase } = split(source);
  return toFinder(body, { ...CHECK_OPTIONS, ignoreCase });
}

function split(source: string): { body: string; ignoreCase: boolean } {
  const ignoreCase = source.startsWith(IGNORE_CASE);
  return { body: ignoreCase ? source.slice(IGNORE_CASE.length) : source, ignoreCase };
}

/** The most literals for one pattern, and their maximum length. */
const MAX_LITERALS = 16;
const MAX_LENGTH = 48;

/** The most sets for one pattern. */
const MAX_SETS = 4;

/** Every matching text contains at least one of these. */
type Literals = readonly string[];

/** What is known about the texts that match a node. */
interface Known {
  /** All matching texts, if they are few. */
  readonly exact?: Literals;
  /** Each matching text contains a literal from every set. */
  readonly needs: readonly Literals[];
}

/**
 * Sets of literals: every matching text contains at least one literal from each set. Searching for them is many times
 * faster than the automaton. The longest come first. With `ignoreCase` they are in lower case and ASCII only.
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
        // `a{3}` contains "aaa". For longer repetitions the beginning is enough.
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

/** What every matching text contains, from all that is known. */
function needsOf({ exact, needs }: Known): readonly Literals[] {
  return best([...usable(exact), ...needs]);
}

/** Undefined if there are too many or they are too long. */
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

/** Every text contains the empty text, so a set with it is useless. */
function usable(set: Literals | undefined): readonly Literals[] {
  return set === undefined || set.length === 0 || set.includes("") ? [] : [set];
}

/** Sets whose shortest literal is long are rare in texts, so they are best. */
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
  // Escaped letters and digits have a meaning in JavaScript, other characters stand for themselves.
  return ESCAPES[rest] ?? (/[A-Za-z0-9]/.test(rest) ? undefined : rest);
}
