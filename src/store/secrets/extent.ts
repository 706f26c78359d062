import type { ValueContext } from "./values.ts";

/**
 * Counts the characters that were examined closely. Ordinary text stays far below the budget. Text that was made to be
 * slow (many names in a row, each with the rest of the text as its value) exceeds it; from then on, values are redacted
 * unexamined.
 */
export interface Work {
  spent: number;
  readonly budget: number;
}

const PER_CHARACTER = 4;
const LEAST = 4096;

export function workFor(text: string): Work {
  return { spent: 0, budget: LEAST + PER_CHARACTER * text.length };
}

export function isSpent(work: Work): boolean {
  return work.spent > work.budget;
}

const LONGEST_VALUE = 4_000;
/** How many characters of a longer value are judged. */
export const JUDGED = 300;

/**
 * How far a kind of value was read. Values of neighbouring names can have the same end, which is then searched only
 * once.
 */
interface Known {
  from: number;
  to: number;
  isStop: boolean;
}

const KINDS = ["query", "literal", "bare", "line"] as const;
type Kind = (typeof KINDS)[number];

/**
 * Finds where values end. Reads no character twice for one kind of value, except in quoted values, which have their own
 * end.
 */
export class Extents {
  readonly #known: Record<Kind, Known>;
  readonly #text: string;
  readonly #work: Work;

  constructor(text: string, work: Work) {
    this.#text = text;
    this.#work = work;
    const none = (): Known => ({ from: -1, to: -1, isStop: false });
    this.#known = { query: none(), literal: none(), bare: none(), line: none() };
  }

  bare(from: number, isInQuery: boolean, context: ValueContext): number {
    let to = this.#end(from, isInQuery ? "query" : context === "literal" ? "literal" : "bare");
    // Punctuation that ends a sentence, or `(password=value)`.
    for (let cut = 0; cut < 8 && to > from && /[.,;:)\]}]/.test(this.#text.charAt(to - 1)); cut++) to--;
    return to;
  }

  line(from: number): number {
    return this.#end(from, "line");
  }

  #end(from: number, kind: Kind): number {
    const text = this.#text;
    const known = this.#known[kind];
    const last = Math.min(text.length, from + LONGEST_VALUE);
    const isWithin = known.from >= 0 && known.from <= from && from <= known.to;
    if (isWithin && known.isStop) return known.to;
    const begin = isWithin ? known.to : from;
    if (begin >= last) return last;
    const stop = STOPS[kind];
    stop.lastIndex = begin;
    // In steps, so that a short value does not cost reading everything after it.
    let to = begin;
    let isStop = false;
    for (let step = 128; to < last && !isStop; step *= 4) {
      const window = text.slice(to, Math.min(text.length, to + step + AHEAD));
      stop.lastIndex = 0;
      const found = stop.exec(window)?.index ?? -1;
      isStop = found >= 0 && found < step;
      to = Math.min(last, to + (isStop ? found : step));
    }
    this.#work.spent += to - begin;
    this.#known[kind] = { from: isWithin ? known.from : from, to, isStop: isStop && to < last };
    return to;
  }

  /** Where a string literal ends: at the same quote, preceded by as many backslashes as the opening quote. */
  quoted(from: number, quote: string): number {
    const text = this.#text;
    const sign = quote.charCodeAt(quote.length - 1);
    const depth = quote.length - 1;
    const last = Math.min(text.length, from + LONGEST_VALUE);
    let at = from;
    for (; at < last; at++) {
      const code = text.charCodeAt(at);
      if (code === 10 && sign !== 96) break;
      if (code !== sign) continue;
      let slashes = 0;
      while (slashes <= depth && at - slashes > from && text.charCodeAt(at - slashes - 1) === 92) slashes++;
      if (slashes > depth) continue;
      this.#work.spent += at - from;
      return at - slashes;
    }
    this.#work.spent += at - from;
    return at;
  }
}

/** How many characters a stop pattern may need after its match. */
const AHEAD = 40;
/**
 * Where a value of each kind ends. `Password=value;Database=…` occurs in connection strings. In a JSON string, quotes
 * and line breaks are escaped.
 */
const STOPS: Readonly<Record<Kind, RegExp>> = {
  query: /[\s"'`<>&;#,|]|\\[nrt"']/g,
  literal: /[\s"'`<>]|\\[nrt"']|;[A-Za-z][\w ]{0,30}=|&[A-Za-z][\w.-]{0,30}=/g,
  bare: /[\s"'`<>,;]|\\[nrt"']/g,
  line: /[\r\n'`]|\\[nr]|\\?"(?=\s{0,30}(?:[,}\]\\)]|-|$|\n| \\))|"(?=\s{1,30}(?:-|http))/g,
};
