import type { Budget } from "../matching/linear-regex.ts";
import { readingSteps, type SearchPattern, searchPattern } from "../matching/search-pattern.ts";
import { type Part, partsOf, type Trigrams, trigramsOf } from "../matching/trigrams.ts";

/** Longer texts are not searched. */
export const MAX_SEARCHED = 2_000_000;

/** The cost of searching a literal, relative to the steps of an automaton over the same text. */
const LITERAL_SHIFT = 2;
/** The fixed cost of testing one line. */
const STEPS_PER_LINE = 10;

/** A line of a searched text. A carriage return at its end belongs to it only for a pattern that mentions one. */
export interface Line {
  readonly start: number;
  readonly text: string;
}

/** A text in which many patterns are searched, line by line. */
export class SearchedText {
  readonly text: string;
  #folded: string | undefined;
  #trigrams: Trigrams | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Prepares the text for many literals. */
  expectMany(budget: Budget): void {
    budget.left -= this.text.length >> LITERAL_SHIFT;
    this.#trigrams = trigramsOf(this.text);
  }

  /** The matching lines, in order. "unknown" if the budget ran out before all were tested. */
  linesWith(source: string, budget: Budget, most = Infinity): readonly Line[] | "unknown" {
    const found: Line[] = [];
    const isDone = this.eachWith(source, budget, (line) => found.push(line) < most);
    return isDone ? found : "unknown";
  }

  /**
   * Visits the matching lines in order without storing them, because there may be millions. Stops when `visit` returns
   * false. Returns whether the budget was enough.
   */
  eachWith(source: string, budget: Budget, visit: (line: Line) => boolean): boolean {
    const pattern = read(source, budget);
    if (pattern === undefined) return false;
    const candidates = this.#candidates(pattern, budget);
    let next = candidates.next();
    if (next.done === true) return budget.left >= 0;
    budget.left -= pattern.steps;
    return pattern.use((find) => {
      for (; next.done !== true; next = candidates.next()) {
        const line = next.value;
        budget.left -= STEPS_PER_LINE;
        const isFound = find(pattern.hasReturn ? line.text : withoutReturn(line.text), budget);
        if (isFound === "unknown") return false;
        if (isFound && !visit(line)) return true;
      }
      return budget.left >= 0;
    });
  }

  /** Whether it matches anywhere in the text as a whole. */
  isFound(source: string, budget: Budget): boolean | "unknown" {
    const pattern = read(source, budget);
    if (pattern === undefined) return "unknown";
    const whole = this.#whole(pattern.ignoreCase);
    for (const set of pattern.literals) {
      budget.left -= set.length * (this.text.length >> LITERAL_SHIFT);
      if (budget.left < 0) return "unknown";
      if (set.every(({ text }) => !whole.includes(text))) return false;
    }
    budget.left -= pattern.steps;
    return pattern.use((find) => find(this.text, budget));
  }

  /**
   * The lines that contain one of the pattern's longest literals; all lines if it has none. Stops when the budget is
   * used up.
   */
  *#candidates(pattern: SearchPattern, budget: Budget): Generator<Line, void> {
    const [literals] = pattern.literals;
    if (literals === undefined) {
      yield* this.#allLines();
      return;
    }
    const parts = this.#partsFor(pattern);
    if (parts.length === 0) return;
    const whole = this.#whole(pattern.ignoreCase);
    for (const { start, end } of parts) {
      budget.left -= literals.length * ((end - start) >> LITERAL_SHIFT);
      if (budget.left < 0) return;
      const part = whole.slice(start, end);
      // The next occurrence of each literal.
      const next = literals.map(({ text }) => indexFrom(part, text, 0));
      for (let at = least(next); at < Infinity; at = least(next)) {
        const line = this.#lineAt(start + at);
        yield line;
        const after = Math.max(at + 1, line.start + line.text.length - start);
        for (const [i, { text }] of literals.entries())
          if ((next[i] ?? Infinity) < after) next[i] = indexFrom(part, text, after);
      }
    }
  }

  /** The parts that may contain a literal of each set. */
  #partsFor({ literals }: SearchPattern): readonly Part[] {
    if (this.#trigrams === undefined) return partsOf(this.text, 1);
    const { parts, partsWith } = this.#trigrams;
    let mask = -1;
    for (const set of literals) {
      let either = 0;
      for (const { hashes } of set) either |= partsWith(hashes);
      mask &= either;
    }
    return mask === 0 ? NONE : parts.filter((_, i) => (mask & (1 << i)) !== 0);
  }

  #lineAt(at: number): Line {
    const start = at === 0 ? 0 : this.text.lastIndexOf("\n", at - 1) + 1;
    const end = this.text.indexOf("\n", at);
    return { start, text: this.text.slice(start, end < 0 ? this.text.length : end) };
  }

  *#allLines(): Generator<Line, void> {
    for (let start = 0; start <= this.text.length; ) {
      const line = this.#lineAt(start);
      yield line;
      start += line.text.length + 1;
    }
  }

  /** In lower case if case does not matter, with every character at the same position. */
  #whole(ignoreCase: boolean): string {
    if (!ignoreCase) return this.text;
    if (this.#folded === undefined) {
      const lower = this.text.toLowerCase();
      // A few letters become two in lower case.
      const isAligned = lower.length === this.text.length;
      this.#folded = isAligned ? lower : this.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    }
    return this.#folded;
  }
}

/** Undefined if there are no steps left to parse it: a project can have tens of thousands of patterns. */
function read(source: string, budget: Budget): SearchPattern | undefined {
  if (budget.left < 0) return undefined;
  budget.left -= readingSteps(source);
  return searchPattern(source);
}

const NONE: readonly never[] = [];

function indexFrom(text: string, literal: string, from: number): number {
  const at = text.indexOf(literal, from);
  return at < 0 ? Infinity : at;
}

function least(numbers: readonly number[]): number {
  let smallest = Infinity;
  for (const one of numbers) if (one < smallest) smallest = one;
  return smallest;
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
