import type { Stands } from "./values.ts";
import type { Work } from "./work.ts";

const LONGEST_VALUE = 4_000;
/** Of a longer value this much is judged. */
export const JUDGED = 300;

/** How far a kind of value was followed. Names that stand close together share their end, which is looked for once. */
interface Known {
  from: number;
  to: number;
  isStop: boolean;
}

const KINDS = ["query", "literal", "bare", "line"] as const;
type Kind = (typeof KINDS)[number];

/** Where values end. No character is looked at twice for one kind of value, except after quotes, whose end is their own. */
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

  bare(from: number, isInQuery: boolean, stands: Stands): number {
    let to = this.#end(from, isInQuery ? "query" : stands === "literal" ? "literal" : "bare");
    // A sentence's end, `(password=value)`.
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
    // In steps: a short value must not pay for what lies behind it.
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

  /** Where a string literal ends: at its own quote, with as many backslashes before it as at the beginning. */
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

/** What a stop may need to see behind it. */
const AHEAD = 40;
/** `Password=value;Database=…` in a connection string. Where a text is a value of JSON, its quotes and breaks are escaped. */
const STOPS: Readonly<Record<Kind, RegExp>> = {
  query: /[\s"'`<>&;#,|]|\\[nrt"']/g,
  literal: /[\s"'`<>]|\\[nrt"']|;[A-Za-z][\w ]{0,30}=|&[A-Za-z][\w.-]{0,30}=/g,
  bare: /[\s"'`<>,;]|\\[nrt"']/g,
  line: /[\r\n'`]|\\[nr]|\\?"(?=\s{0,30}(?:[,}\]\\)]|-|$|\n| \\))|"(?=\s{1,30}(?:-|http))/g,
};
