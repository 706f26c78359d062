import type { Budget } from "../matching/linear-regex.ts";
import type { SearchPattern } from "../matching/search-pattern.ts";
import { type Trigrams, trigramsOf } from "../matching/trigrams.ts";

/** Longer texts are not searched. */
export const MAX_SEARCHED = 2_000_000;

/** Looking for a literal, compared with the steps of an automaton over the same text. */
const LITERAL_SHIFT = 3;
/** The fixed cost of testing one line. */
const STEPS_PER_LINE = 10;

/** A line of a searched text: where it starts and ends. A carriage return at its end is not part of it. */
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
  linesWith(pattern: SearchPattern, budget: Budget, most = Infinity): readonly Line[] | "unknown" {
    const candidates = this.#candidates(pattern, budget);
    if (candidates === "unknown" || candidates.length === 0) return candidates;
    budget.left -= pattern.steps;
    return pattern.use((find) => {
      const found: Line[] = [];
      for (const line of candidates) {
        budget.left -= STEPS_PER_LINE;
        const isFound = find(line.text, budget);
        if (isFound === "unknown") return isFound;
        if (isFound && found.push(line) >= most) break;
      }
      return found;
    });
  }

  /** Whether it matches anywhere, as one text. */
  isFound(pattern: SearchPattern, budget: Budget): boolean | "unknown" {
    const literals = this.#literalsIn(pattern, budget);
    if (literals === "unknown") return literals;
    if (literals?.length === 0) return false;
    budget.left -= pattern.steps;
    return pattern.use((find) => find(this.text, budget));
  }

  /** Those literals of the pattern that occur in the text; undefined if it has none. */
  #literalsIn(
    { literals, ignoreCase }: SearchPattern,
    budget: Budget,
  ): readonly string[] | "unknown" | undefined {
    if (literals === undefined) return undefined;
    const found: string[] = [];
    for (const { text, hashes } of literals) {
      if (this.#trigrams?.mayContain(hashes) === false) continue;
      budget.left -= this.text.length >> LITERAL_SHIFT;
      if (budget.left < 0) return "unknown";
      if (this.#whole(ignoreCase).includes(text)) found.push(text);
    }
    return found;
  }

  #candidates(pattern: SearchPattern, budget: Budget): readonly Line[] | "unknown" {
    const literals = this.#literalsIn(pattern, budget);
    if (literals === "unknown") return literals;
    if (literals === undefined) return this.#allLines();
    const whole = this.#whole(pattern.ignoreCase);
    const lines = new Map<number, Line>();
    for (const literal of literals) {
      for (let at = whole.indexOf(literal); at >= 0; ) {
        const line = this.#lineAt(at);
        lines.set(line.start, line);
        const after = this.text.indexOf("\n", at);
        at = after < 0 ? -1 : whole.indexOf(literal, after);
      }
    }
    return literals.length < 2 ? [...lines.values()] : [...lines.values()].sort((a, b) => a.start - b.start);
  }

  #lineAt(at: number): Line {
    const start = at === 0 ? 0 : this.text.lastIndexOf("\n", at - 1) + 1;
    const end = this.text.indexOf("\n", at);
    return { start, text: withoutReturn(this.text.slice(start, end < 0 ? this.text.length : end)) };
  }

  #allLines(): readonly Line[] {
    if (this.#lines !== undefined) return this.#lines;
    let start = 0;
    this.#lines = this.text.split("\n").map((text) => {
      const line = { start, text: withoutReturn(text) };
      start += text.length + 1;
      return line;
    });
    return this.#lines;
  }

  /** In lower case if case does not matter. Of the same length, so only ASCII. */
  #whole(ignoreCase: boolean): string {
    if (!ignoreCase) return this.text;
    this.#folded ??= this.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    return this.#folded;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
