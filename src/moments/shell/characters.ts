/** A cursor over a command line, limited in length. */
export class Characters {
  at = 0;
  /** Reading stops here. */
  end: number;
  /** False once something was skipped, or a shell may interpret it differently. */
  isWhole = true;
  readonly source: string;
  /** The end of the part being read: the source, or the inside of backticks. */
  private last: number;

  constructor(source: string, most: number) {
    this.source = source;
    this.last = source.length;
    this.end = Math.min(source.length, most);
  }

  peek(ahead = 0): string {
    return this.at + ahead < this.end ? (this.source[this.at + ahead] ?? "") : "";
  }

  /** Does not search beyond the end, so that many short parts do not each search the whole rest. */
  find(text: string, from: number): number {
    const found = this.source.slice(from, this.end).indexOf(text);
    return found === -1 ? this.end : from + found;
  }

  /** Consumes what a sticky pattern matches here. */
  run(pattern: RegExp): string {
    const start = this.at;
    pattern.lastIndex = start;
    this.at = pattern.test(this.source) ? Math.min(this.end, pattern.lastIndex) : start + 1;
    return this.source.slice(start, this.at);
  }

  lineEnd(): number {
    return this.find("\n", this.at);
  }

  /** Reads up to a position as if the text ended there. */
  within(to: number, read: () => void): void {
    const { end, last } = this;
    [this.end, this.last] = [Math.min(to, end), to];
    read();
    [this.end, this.last] = [end, last];
    this.at = to;
  }

  /** `'…'` */
  singleQuoted(): string {
    const start = this.at + 1;
    const end = this.find("'", start);
    this.at = end + 1;
    if (end === this.end) this.isWhole = false;
    return this.source.slice(start, end);
  }

  /** `$'…'` */
  ansiQuoted(): string {
    const start = this.at + 2;
    this.at = start;
    while (this.at < this.end && this.peek() !== "'") this.at += this.peek() === "\\" ? 2 : 1;
    if (this.at >= this.end) this.isWhole = false;
    const text = this.source.slice(start, Math.min(this.at, this.end));
    this.at++;
    // A shell cuts the text at a NUL.
    return text.replace(ANSI, ansiCharacter).split("\0", 1)[0] ?? "";
  }

  /** A here-document whose first line begins here, and where its body is. Does not consume it. */
  hereDocument(delimiter: string, isIndented: boolean): { body: string; from: number; to: number } {
    const from = this.at;
    let to = from;
    let isEnded = false;
    let body = "";
    while (this.at < this.last && !isEnded) {
      const next = this.source.indexOf("\n", this.at);
      const end = next === -1 ? this.last : Math.min(next, this.last);
      const line = this.source.slice(this.at, end);
      const own = isIndented ? line.replace(/^\t+/, "") : line;
      to = this.at;
      this.at = Math.min(end + 1, this.last);
      isEnded = own.trimEnd() === delimiter;
      if (!isEnded) body += `${own}\n`;
    }
    // Without an end marker, it was probably not a here-document: `$[1<<2]`.
    if (!isEnded) {
      to = this.at;
      this.isWhole = false;
    }
    this.end = Math.min(this.last, this.end + this.at - from);
    return { body, from, to };
  }
}

const ANSI =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|([nrtabefvE\\'"?]))/g;
const NAMED: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function ansiCharacter(whole: string, x?: string, u?: string, U?: string, octal?: string, name = ""): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
  const hex = x ?? u ?? U;
  if (hex === undefined) return NAMED[name] ?? name;
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? whole : String.fromCodePoint(code);
}

/** How far to search for the end of arithmetic. */
const MOST_ARITHMETIC = 1_000;

const PASSED = /[^()'"\\]+|\\[\s\S]|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;

/**
 * The end of arithmetic that begins here after `((`: the position of its `))`. "none" if the inner parenthesis is
 * closed alone, as in `((a); (b))`, which is a subshell in a subshell. Shells distinguish them the same way.
 */
export function endOfArithmetic(source: string, from: number, end: number): number | "none" | "unknown" {
  const window = source.slice(from, Math.min(end, from + MOST_ARITHMETIC));
  let depth = 0;
  for (let at = 0; at < window.length; ) {
    const character = window[at];
    if (character === ")" && depth === 0) return window[at + 1] === ")" ? from + at : "none";
    if (character === "(" || character === ")") {
      depth += character === "(" ? 1 : -1;
      at++;
      continue;
    }
    PASSED.lastIndex = at;
    if (!PASSED.test(window)) return "unknown";
    at = PASSED.lastIndex;
  }
  return "unknown";
}
