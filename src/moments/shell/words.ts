import { expandedBraces } from "./braces.ts";
import { Characters, endOfArithmetic } from "./characters.ts";

export interface Word {
  /** Without its quotes. A command substitution appears as `$()`, because its commands are listed separately. */
  readonly text: string;
  /** Whether the shell uses the text unchanged: nothing in it is expanded. */
  readonly isPlain: boolean;
  /** Whether part of it is quoted. */
  readonly isQuoted: boolean;
}

export const SUBSTITUTED: Word = { text: "$()", isPlain: false, isQuoted: false };

/** Deeper than anyone nests; anything deeper is not read. */
const MOST_DEPTH = 20;

/** Reads words with their quotes, expansions and substitutions. */
export abstract class Words extends Characters {
  private depth = 0;
  /** The shape of the last word: see `expandedBraces`. */
  private shape = "";

  /** Reads the commands of a substitution: up to `)`, or up to a position. */
  protected abstract substituted(to?: number): void;
  /** Consumes a line feed, and the here-documents that begin after it. */
  protected abstract lineFeed(): void;

  protected deeper(read: () => void): void {
    if (this.depth < MOST_DEPTH) {
      this.depth++;
      read();
      this.depth--;
    } else {
      this.isWhole = false;
      this.at = this.end;
    }
  }

  /** A word, or the words that result from its braces. */
  protected words(): readonly Word[] {
    const word = this.word();
    if (!this.shape.includes("{")) return [word];
    const texts = expandedBraces(word.text, this.shape);
    if (texts === undefined) this.isWhole = false;
    if (texts === undefined || texts.length === 1) return [word];
    return texts.filter((text) => text !== "" || word.isQuoted).map((text) => ({ ...word, text }));
  }

  protected word(): Word {
    let text = "";
    let shape = "";
    let isPlain = true;
    let isQuoted = false;
    const addQuoted = (inner: string) => {
      text += inner;
      shape += " ".repeat(inner.length);
    };
    const addWord = (inner: Word) => {
      addQuoted(inner.text);
      isPlain &&= inner.isPlain;
    };
    while (this.at < this.end) {
      const character = this.peek();
      const next = this.peek(1);
      isQuoted ||=
        QUOTES.has(character) || character === "\\" || (character === "$" && next !== "" && QUOTES.has(next));
      if (character === "(" && ASSIGNED.test(text)) {
        this.values();
        isPlain = false;
      } else if (ENDS_WORD.has(character)) break;
      else if (character === "\\") {
        addQuoted(next === "\n" ? "" : next);
        this.at += 2;
      } else if (character === "'") addQuoted(this.singleQuoted());
      else if (character === '"') addWord(this.doubleQuoted());
      else if (character === "$" && next === "'") addQuoted(this.ansiQuoted());
      // `$"…"`, which may be translated.
      else if (character === "$" && next === '"') this.at++;
      else if (character === "$" || character === "`") addWord(this.expansion(false));
      else {
        if (EXPANDED.has(character)) isPlain = false;
        const run = this.run(IN_WORD);
        text += run;
        shape += run;
      }
    }
    this.shape = shape;
    return { text, isPlain, isQuoted };
  }

  /** The values of `name=(a b)`, which are not commands. */
  private values(): void {
    this.at++;
    this.deeper(() => {
      while (this.at < this.end) {
        const character = this.peek();
        if (character === ")") {
          this.at++;
          return;
        }
        if (character === "\n") this.lineFeed();
        else if (character === "#") this.at = this.lineEnd();
        else if (this.isProcess()) this.process();
        else if (!ENDS_WORD.has(character)) this.word();
        else {
          this.isWhole &&= /\s/.test(character);
          this.at++;
        }
      }
      this.isWhole = false;
    });
  }

  /** `<(…)` or `>(…)`: a process used as a file. */
  private isProcess(): boolean {
    return (this.peek() === "<" || this.peek() === ">") && this.peek(1) === "(";
  }

  private process(): void {
    this.at += 2;
    this.substituted();
  }

  private doubleQuoted(): Word {
    this.at++;
    let text = "";
    let isPlain = true;
    while (this.at < this.end) {
      const character = this.peek();
      if (character === '"') {
        this.at++;
        return { text, isPlain, isQuoted: true };
      }
      if (character === "\\") {
        const next = this.peek(1);
        text += next === "\n" ? "" : '"\\$`'.includes(next) ? next : `\\${next}`;
        this.at += 2;
      } else if (character === "$" || character === "`") {
        const expanded = this.expansion(true);
        text += expanded.text;
        isPlain &&= expanded.isPlain;
      } else text += this.run(IN_QUOTES);
    }
    this.isWhole = false;
    return { text, isPlain, isQuoted: true };
  }

  private expansion(isInQuotes: boolean): Word {
    const start = this.at;
    if (this.peek() === "`") {
      this.backticks(isInQuotes);
      return SUBSTITUTED;
    }
    if (this.peek(1) === "(") {
      this.at += 2;
      if (!this.arithmetic()) this.substituted();
      return SUBSTITUTED;
    }
    if (this.peek(1) === "{") this.deeper(() => this.parameter(isInQuotes));
    else this.at++;
    const text = this.source.slice(start, Math.min(this.at, this.end));
    return { text, isPlain: text === "$" && !/[\w@*#?!$-]/.test(this.peek()), isQuoted: false };
  }

  /** `${…}`. Quotes and expansions inside may contain further braces. */
  private parameter(isInQuotes: boolean): void {
    this.at += 2;
    // `${ command; }` in newer shells.
    if (/[\s|]/.test(this.peek())) this.isWhole = false;
    while (this.at < this.end) {
      const character = this.peek();
      if (character === "}") {
        this.at++;
        return;
      }
      if (character === "\\") this.at += 2;
      else if (character === '"') this.doubleQuoted();
      else if (character === "'") this.quoteInParameter(isInQuotes);
      else if (character === "$" && this.peek(1) === "'" && !isInQuotes) this.ansiQuoted();
      else if (character === "$" || character === "`") this.expansion(isInQuotes);
      else if (!isInQuotes && this.isProcess()) this.process();
      else this.run(IN_PARAMETER);
    }
    this.isWhole = false;
  }

  /** Inside `"${…}"`, only some shells treat it as a quote, and it also depends on what precedes it. */
  private quoteInParameter(isInQuotes: boolean): void {
    if (!isInQuotes) {
      this.singleQuoted();
      return;
    }
    SAME_IN_QUOTES.lastIndex = this.at;
    const isSame = SAME_IN_QUOTES.test(this.source);
    this.isWhole &&= isSame;
    this.at = isSame ? SAME_IN_QUOTES.lastIndex : this.at + 1;
  }

  /** A backtick substitution ends at the first backtick without a backslash, wherever it is. */
  private backticks(isInQuotes: boolean): void {
    const from = ++this.at;
    let to = from;
    while (to < this.end && this.source[to] !== "`") to += this.source[to] === "\\" ? 2 : 1;
    if (to >= this.end) this.isWhole = false;
    to = Math.min(to, this.end);
    const inner = this.source.slice(from, to);
    // The shell removes these backslashes before it parses the commands.
    if (/\\[`\\]|\\\$[({]/.test(inner) || (isInQuotes && inner.includes('\\"'))) this.isWhole = false;
    this.substituted(to);
    this.at = to + 1;
  }

  /** After one parenthesis: consumes `((…))`, where `<<` is not a here-document, and returns true. */
  protected arithmetic(): boolean {
    if (this.peek() !== "(") return false;
    const to = endOfArithmetic(this.source, this.at + 1, this.end);
    if (to === "unknown") this.isWhole = false;
    if (typeof to === "string") return false;
    this.at++;
    this.deeper(() => this.within(to, () => this.expansions()));
    this.at = to + 2;
    return true;
  }

  /** Text in which only expansions are special, as in arithmetic and here-documents. */
  protected expansions(): void {
    while (this.at < this.end) {
      const next = this.source.slice(this.at, this.end).search(/[\\$`]/);
      if (next === -1) return;
      this.at += next;
      if (this.peek() === "\\") this.at += 2;
      else this.expansion(true);
    }
  }
}

const QUOTES: ReadonlySet<string> = new Set(["'", '"']);
const ASSIGNED = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/;
const SAME_IN_QUOTES = /'[^'}"\\$`]*'/y;
const ENDS_WORD: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", ";", "&", "|", "<", ">", "(", ")"]);
/** One character, plus those after it that are not special in a word, in double quotes, or in `${…}`. */
const IN_WORD = /[\s\S][^\s'"\\$`;&|<>()*?[~{=]*/y;
const IN_QUOTES = /[\s\S][^"\\$`]*/y;
const IN_PARAMETER = /[\s\S][^}"'\\$`<>]*/y;
/** Characters that make a shell expand an unquoted word. */
const EXPANDED: ReadonlySet<string> = new Set(["*", "?", "[", "~", "{"]);
