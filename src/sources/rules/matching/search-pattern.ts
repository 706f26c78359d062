import { readRegex } from "./automaton.ts";
import { keepFinders } from "./kept-finders.ts";
import { CHECK_OPTIONS, type Finder, MAX_PATTERN, toFinder } from "./linear-regex.ts";
import { literalsOf } from "./literals.ts";
import { trigramHashes } from "./trigrams.ts";

/** A check's regular expression, prepared for searching. */
export interface SearchPattern {
  readonly source: string;
  /** It begins with `(?i)`. */
  readonly ignoreCase: boolean;
  /** Every line that matches contains a literal of each of these sets. The longest come first. */
  readonly literals: readonly (readonly Literal[])[];
  /** What compiling it costs. Always the same, whether or not it is compiled already. */
  readonly steps: number;
  /** It names a carriage return. */
  readonly hasReturn: boolean;
  /** Compiles it, if it is not kept from an earlier use. */
  use<T>(work: (find: Finder) => T): T;
}

interface Literal {
  /** In lower case if case does not matter. */
  readonly text: string;
  readonly hashes: readonly number[];
}

const IGNORE_CASE = "(?i)";

/** The most steps that reading one character of a pattern takes, and compiling it. */
const READING = 25;
const COMPILING = 100;

/** In a living process, for the checks of all projects together. */
const MAX_FINDER_BYTES = 48 * 1024 * 1024;
const MAX_PATTERNS = 20_000;

const finders = keepFinders(MAX_FINDER_BYTES);
const patterns = new Map<string, SearchPattern>();

/** Whether an expression is valid, regular and not too large, so that searching for it takes linear time. */
export function isSearchable(source: string): boolean {
  return source !== "" && source.length <= MAX_PATTERN && finderOf(source) !== undefined;
}

/** What `searchPattern` costs if the pattern is new. */
export function readingSteps(source: string): number {
  return source.length * READING;
}

/** Of an expression that was accepted when its rule was read. */
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

/** For an expression that was never accepted, from a damaged cache. */
const NEVER: Finder = Object.assign(() => false, { states: 0, bytes: () => 0 });

function finderOf(source: string): Finder | undefined {
  const { body, ignoreCase } = split(source);
  return toFinder(body, { ...CHECK_OPTIONS, ignoreCase });
}

function split(source: string): { body: string; ignoreCase: boolean } {
  const ignoreCase = source.startsWith(IGNORE_CASE);
  return { body: ignoreCase ? source.slice(IGNORE_CASE.length) : source, ignoreCase };
}
