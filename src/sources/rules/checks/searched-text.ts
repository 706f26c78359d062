import type { Budget } from "../matching/linear-regex.ts";
import { readingSteps, type SearchPattern, searchPattern } from "../matching/search-pattern.ts";
import { type Part, partsOf, type Trigrams, trigramsOf } from "../matching/trigrams.ts";

/** Longer texts are not searched. */
export const MAX_SEARCHED = 2_000_000;

/** Looking for a literal, compared with the steps of an automaton over the same text. */
const LITERAL_SHIFT = 2;
/** The fixed cost of testing one line. */
const STEPS_PER_LINE = 10;

/** A line of a searched text. A carriage return at its end is part of it only for a pattern that names it. */
export interface Line {
  readonly start: number;
  readonly text: string;
}

/** A text in which many patterns are searched, line by line. */
export class SearchedText {
  readonly text: string;
  #folded: string | undefined;
  #trigrams: Trigrams | undefined;
  #lines: readonly Line[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Makes the first test of many literals fast. */
  expectMany(budget: Budget): void {
    budget.left -= this.text.length >> LITERAL_SHIFT;
    this.#trigrams = trigramsOf(this.text);
  }

  /** The lines that match, in order. "unknown" if the budget ran out before all were looked at. */
  linesWith(source: string, budget: Budget, most = Infinity): readonly Line[] | "unknown" {
    const pattern = read(source, budget);
    if (pattern === undefined) return "unknown";
    const candidates = this.#candidates(pattern, budget);
    if (candidates === "unknown" || candidates.length === 0) return candidates;
    budget.left -= pattern.steps;
    return pattern.use((find) => {
      const found: Line[] = [];
      for (const line of candidates) {
        budget.left -= STEPS_PER_LINE;
        const isFound = find(pattern.hasReturn ? line.text : withoutReturn(line.text), budget);
        if (isFound === "unknown") return isFound;
        if (isFound && found.push(line) >= most) break;
      }
      return found;
    });
  }

  /** Whether it matches anywhere, as one text. */
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

  /** The lines that have one of the pattern's longest literals; all lines if it has none. */
  #candidates(pattern: SearchPattern, budget: Budget): readonly Line[] | "unknown" {
    const [literals] = pattern.literals;
    if (literals === undefined) return this.#allLines();
    const parts = this.#partsFor(pattern);
    if (parts.length === 0) return NONE;
    const whole = this.#whole(pattern.ignoreCase);
    const lines: Line[] = [];
    for (const { start, end } of parts) {
      const part = whole.slice(start, end);
      for (const { text } of literals) {
        budget.left -= (end - start) >> LITERAL_SHIFT;
        if (budget.left < 0) return "unknown";
        for (let at = part.indexOf(text); at >= 0; ) {
          const line = this.#lineAt(start + at);
          lines.push(line);
          at = part.indexOf(text, Math.max(at + 1, line.start + line.text.length - start));
        }
      }
    }
    return literals.length === 1 ? lines : inOrder(lines);
  }

  /** The parts that may have a literal of each set. */
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

  #allLines(): readonly Line[] {
    if (this.#lines !== undefined) return this.#lines;
    let start = 0;
    this.#lines = this.text.split("\n").map((text) => {
      const line = { start, text };
      start += text.length + 1;
      return line;
    });
    return this.#lines;
  }

  /** In lower case if case does not matter, with every character at its place. */
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

/** Undefined if there are no steps left to read it: a project can have tens of thousands of patterns. */
function read(source: string, budget: Budget): SearchPattern | undefined {
  if (budget.left < 0) return undefined;
  budget.left -= readingSteps(source);
  return searchPattern(source);
}

const NONE: readonly never[] = [];

/** Each line once. */
function inOrder(lines: readonly Line[]): readonly Line[] {
  const byStart = new Map(lines.map((line) => [line.start, line]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
