import { Characters } from "./characters.ts";
import { NO_OPTIONS, type Ordered, optionsAfter, orderCommands, type Part } from "./exit-codes.ts";

/**
 * Splits a command line as a POSIX shell does, without running or expanding anything. It never fails: what it does not
 * understand stays text. Every character is read once.
 */

export interface Word {
  /** Without its quotes. A command substitution is `$()` here, since its commands are listed on their own. */
  readonly text: string;
  /** The text is what the shell will use: nothing in it is expanded. */
  readonly isPlain: boolean;
  /** A part of it is in quotes. */
  readonly isQuoted: boolean;
}

export interface Redirect {
  /** `>`, `>>`, `<<` and so on, without a file descriptor. */
  readonly operator: string;
  /** The file descriptor, if the line says it. */
  readonly descriptor: string;
  readonly target: Word;
  /** Of a here-document: its lines, each with its line feed. */
  body?: string;
}

/** One command as it is written: its words with its assignments, wrappers and reserved words. */
export interface Scanned {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The command as it is written, without the bodies of its here-documents; of a long one the beginning. */
  readonly typed: string;
  /** Commands in the same group of parentheses or the same substitution share a number: `cd` counts only in there. */
  readonly group: number;
  /** The index of the first later command that may run although this one failed. Infinity: then the line fails too. */
  readonly until: number;
}

/** Characters that are read, without the bodies of here-documents. No person or model writes a longer command. */
const MOST_CHARACTERS = 100_000;
const MOST_COMMANDS = 1_000;
const MOST_DEPTH = 20;
const MOST_ARITHMETIC = 200;

const SUBSTITUTED: Word = { text: "$()", isPlain: false, isQuoted: false };

/** What is read of a command line. */
export interface ScannedLine {
  /** In the order in which they begin to run: those of a substitution come before the command that uses it. */
  readonly commands: readonly Scanned[];
  /** Nothing was left out because the line is too long or nested too deeply. */
  readonly isWhole: boolean;
}

export function scanShell(source: string): ScannedLine {
  return new Scanner(source, MOST_CHARACTERS).scan();
}

interface Draft {
  words: Word[];
  redirects: Redirect[];
  /** Where its first word or redirect begins, and where its last one ends. */
  from: number;
  to: number;
}

/** More of a command is never shown. */
const MOST_TYPED = 1_000;

function emptyDraft(): Draft {
  return { words: [], redirects: [], from: 0, to: 0 };
}

class Scanner extends Characters {
  private depth = 0;
  private groups = 0;
  private options = NO_OPTIONS;
  private readonly found: (Scanned & Ordered)[] = [];
  private isWhole = true;

  scan(): ScannedLine {
    this.list("");
    return { commands: this.found, isWhole: this.isWhole && this.end === this.source.length };
  }

  /** Commands up to the closing character, which is passed, or to the end. */
  private list(closer: string): void {
    const group = this.groups++;
    this.depth++;
    let draft = emptyDraft();
    let pending: Redirect[] = [];
    const parts: Part[] = [];
    let begun = this.found.length;
    const isEmpty = () => draft.words.length === 0 && draft.redirects.length === 0;
    const finish = (operator: string) => {
      const { words, redirects, from, to } = draft;
      const typed = this.source.slice(from, Math.min(to, from + MOST_TYPED));
      if (isEmpty()) {
        // Nothing stands here.
      } else if (this.found.length < MOST_COMMANDS)
        this.found.push({ words, redirects, typed, group, until: Infinity });
      else this.isWhole = false;
      // Nothing stands between two operators such as `&&` and a line feed.
      if (this.found.length > begun)
        parts.push({ from: begun, to: this.found.length, words, operator, options: this.options });
      begun = this.found.length;
      this.options = optionsAfter(this.options, words);
      draft = emptyDraft();
    };
    while (this.at < this.end) {
      const character = this.peek();
      if (character === closer) {
        this.at++;
        break;
      }
      if (character === " " || character === "\t" || character === "\r") this.at++;
      else if (character === "\\" && this.peek(1) === "\n") this.at += 2;
      else if (character === "#") this.at = this.lineEnd();
      else if (character === "\n") {
        this.at++;
        finish(character);
        for (const redirect of pending)
          redirect.body = this.hereDocument(redirect.target.text, redirect.descriptor === "-");
        pending = [];
      } else if (character === ";" || character === "|" || (character === "&" && this.peek(1) !== ">")) {
        finish(this.run(OPERATOR));
      } else if (character === "(") this.parenthesis(draft);
      else if (character === ")") {
        // The end of a pattern in `case`.
        this.at++;
        draft = emptyDraft();
      } else {
        if (isEmpty()) draft.from = this.at;
        const redirect = this.redirect(closer);
        if (redirect !== undefined) {
          draft.redirects.push(redirect);
          if (redirect.operator === "<<") pending.push(redirect);
        } else draft.words.push(this.word(closer));
        draft.to = this.at;
      }
    }
    finish("");
    orderCommands(parts, this.found, this.found.length);
    this.depth--;
  }

  private parenthesis(draft: Draft): void {
    this.at++;
    // `name()` begins a function.
    if (draft.words.length > 0 && this.peek() === ")") {
      this.at++;
      draft.words = [];
    } else if (!this.arithmetic()) this.nested(")");
  }

  /** After one parenthesis: passes the rest of `((…))`, where `<<` is no here-document. */
  private arithmetic(): boolean {
    const rest = this.peek() === "(" ? this.source.slice(this.at, this.at + MOST_ARITHMETIC) : "";
    const end = rest.indexOf("))");
    if (end !== -1) this.at = Math.min(this.end, this.at + end + 2);
    return end !== -1;
  }

  /** Commands whose exit code the line does not get: those of a substitution. */
  private substituted(closer: string): void {
    const from = this.found.length;
    this.nested(closer);
    for (const command of this.found.slice(from)) command.until = Math.min(command.until, this.found.length);
  }

  /** Nobody nests deeper than the limit; what follows is then not read. */
  private nested(closer: string): void {
    if (this.depth < MOST_DEPTH) this.list(closer);
    else {
      this.isWhole = false;
      this.at = this.end;
    }
  }

  private redirect(closer: string): Redirect | undefined {
    REDIRECT.lastIndex = this.at;
    const found = REDIRECT.exec(this.source);
    if (found === null) return undefined;
    const [, descriptor = "", operator = ""] = found;
    this.at = Math.min(this.end, REDIRECT.lastIndex);
    // `<(…)`: a process that is used as a file.
    if (this.peek() === "(" && operator.length === 1) {
      this.at++;
      this.substituted(")");
      return { operator, descriptor, target: { ...SUBSTITUTED, text: `${operator}()` } };
    }
    while (this.peek() === " " || this.peek() === "\t") this.at++;
    const dash = operator === "<<-";
    const target = this.word(closer);
    return { operator: dash ? "<<" : operator, descriptor: dash ? "-" : descriptor, target };
  }

  private word(closer: string): Word {
    let text = "";
    let isPlain = true;
    let isQuoted = false;
    while (this.at < this.end) {
      const character = this.peek();
      isQuoted ||= character === "'" || character === '"' || character === "\\";
      if (character === closer || ENDS_WORD.has(character)) {
        if (character !== "(" || !text.endsWith("=")) break;
        // A list of values, which are no commands: name=(a b)
        const before = this.found.length;
        this.at++;
        this.nested(")");
        this.found.length = before;
        isPlain = false;
      } else if (character === "\\") {
        const next = this.peek(1);
        text += next === "\n" ? "" : next;
        this.at += 2;
      } else if (character === "'") {
        const end = this.find("'", this.at + 1);
        text += this.source.slice(this.at + 1, end);
        this.at = end + 1;
      } else if (character === '"') {
        const inner = this.doubleQuoted();
        text += inner.text;
        isPlain &&= inner.isPlain;
      } else if (character === "$" && this.peek(1) === "'") text += this.ansiQuoted();
      else if (character === "$" || character === "`") {
        const expanded = this.expansion();
        text += expanded.text;
        isPlain &&= expanded.isPlain;
      } else {
        if (EXPANDED.has(character)) isPlain = false;
        text += this.run(IN_WORD);
      }
    }
    return { text, isPlain, isQuoted };
  }

  private doubleQuoted(): Word {
    this.at++;
    let text = "";
    let isPlain = true;
    while (this.at < this.end) {
      const character = this.peek();
      if (character === '"') {
        this.at++;
        break;
      }
      if (character === "\\") {
        const next = this.peek(1);
        text += next === "\n" ? "" : '"\\$`'.includes(next) ? next : `\\${next}`;
        this.at += 2;
      } else if (character === "$" || character === "`") {
        const expanded = this.expansion();
        text += expanded.text;
        isPlain &&= expanded.isPlain;
      } else text += this.run(IN_QUOTES);
    }
    return { text, isPlain, isQuoted: true };
  }

  private expansion(): Word {
    if (this.peek() === "`" || this.peek(1) === "(") {
      const closer = this.peek() === "`" ? "`" : ")";
      this.at += closer === "`" ? 1 : 2;
      if (closer === "`" || !this.arithmetic()) this.substituted(closer);
      return SUBSTITUTED;
    }
    const start = this.at;
    if (this.peek(1) === "{") this.at = this.find("}", this.at) + 1;
    else this.at++;
    const text = this.source.slice(start, Math.min(this.at, this.end));
    return { text, isPlain: text === "$" && !/[\w@*#?!$-]/.test(this.peek()), isQuoted: false };
  }
}

const OPERATOR = /&&|\|\||\|&|;;?&?|[;|&]/y;
const REDIRECT = /(\d*)(&>>|&>|>>|>\||>&|>|<<<|<<-|<<|<&|<>|<)/y;
const ENDS_WORD: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", ";", "&", "|", "<", ">", "(", ")"]);
/** One character, and those after it that mean nothing in a word, or in double quotes. */
const IN_WORD = /[\s\S][^\s'"\\$`;&|<>()*?[~{=]*/y;
const IN_QUOTES = /[\s\S][^"\\$`]*/y;
/** Characters by which a shell may make other words of a word that has them outside quotes. */
const EXPANDED: ReadonlySet<string> = new Set(["*", "?", "[", "~", "{"]);
