import { NO_OPTIONS, type Ordered, optionsAfter, orderCommands, type Part } from "./exit-codes.ts";
import { beginOf, beginsBody, beginsCase, endedCases } from "./reserved.ts";
import { SUBSTITUTED, type Word, Words } from "./words.ts";

/**
 * Splits a command line as a POSIX shell does, without running or expanding anything. It never fails: anything not
 * understood stays text, and if that may hide commands, the line does not count as read whole. Every character is read
 * once.
 */

export type { Word } from "./words.ts";

export interface Redirect {
  /** `>`, `>>`, `<<` and so on, without a file descriptor. */
  readonly operator: string;
  /** The file descriptor, if given. */
  readonly descriptor: string;
  readonly target: Word;
  /** For a here-document: its lines, each with its line feed. */
  body?: string;
}

/** A command as written: its words with assignments, wrappers and reserved words. */
export interface Scanned {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The command as written, without the bodies of its here-documents; only the beginning if it is long. */
  readonly typed: string;
  /** Commands in the same parentheses or the same substitution share a number: `cd` affects only those. */
  readonly group: number;
  /** The index of the first later command that may run although this one failed. Infinity: then the line fails too. */
  readonly until: number;
}

/**
 * How many characters are read, not counting bodies of here-documents. Longer than any command by a user or a model.
 */
const MOST_CHARACTERS = 100_000;
const MOST_COMMANDS = 1_000;

/** The result of scanning a command line. */
interface ScannedLine {
  /** In the order in which they start: those of a substitution come before the command that uses it. */
  readonly commands: readonly Scanned[];
  /** Whether every command was read. False if the line is too long, nested too deeply, or ambiguous between shells. */
  readonly isWhole: boolean;
}

export function scanShell(source: string): ScannedLine {
  return new Scanner(source, MOST_CHARACTERS).scan();
}

interface Draft {
  words: Word[];
  redirects: Redirect[];
  /** Where its first word or redirect begins, and its last one ends. */
  from: number;
  to: number;
  /** How many of its words precede the command itself, such as `then`, as far as known. */
  begin: number;
}

/** How much of a command is shown. */
const MOST_TYPED = 1_000;

function emptyDraft(): Draft {
  return { words: [], redirects: [], from: 0, to: 0, begin: 0 };
}

class Scanner extends Words {
  private groups = 0;
  private options = NO_OPTIONS;
  private readonly found: (Scanned & Ordered)[] = [];
  /** Here-documents that begin after the next line feed. */
  private pending: Redirect[] = [];

  scan(): ScannedLine {
    this.deeper(() => this.list(""));
    return { commands: this.found, isWhole: this.isWhole && this.end === this.source.length };
  }

  /** Commands up to the closing character (which is consumed), or to the end. */
  private list(closer: string): void {
    const group = this.groups++;
    let draft = emptyDraft();
    let isClosed = closer === "";
    /** The number of open `case`s. */
    let cases = 0;
    const parts: Part[] = [];
    let begun = this.found.length;
    const isEmpty = () => draft.words.length === 0 && draft.redirects.length === 0;
    const begin = () => {
      draft.begin = beginOf(draft.words, draft.begin);
      return draft.begin;
    };
    const finish = (operator: string) => {
      const { words, redirects, from, to } = draft;
      const typed = this.source.slice(from, Math.min(to, from + MOST_TYPED));
      if (isEmpty()) {
        // An empty command.
      } else if (this.found.length < MOST_COMMANDS)
        this.found.push({ words, redirects, typed, group, until: Infinity });
      else this.isWhole = false;
      // Nothing between two operators, such as `&&` and a line feed.
      if (this.found.length > begun)
        parts.push({ from: begun, to: this.found.length, words, operator, options: this.options });
      begun = this.found.length;
      this.options = optionsAfter(this.options, words);
      cases = Math.max(0, cases - endedCases(words));
      draft = emptyDraft();
    };
    while (this.at < this.end) {
      const character = this.peek();
      if (character === closer) {
        this.at++;
        isClosed = true;
        break;
      }
      if (character === " " || character === "\t" || character === "\r") this.at++;
      else if (character === "\\" && this.peek(1) === "\n") this.at += 2;
      else if (character === "#") this.at = this.lineEnd();
      else if (character === "\n") {
        finish(character);
        this.lineFeed();
      } else if (character === ";" || character === "|" || (character === "&" && this.peek(1) !== ">")) {
        const operator = this.run(OPERATOR);
        finish(operator);
        if (cases > 0 && /^;[;&]/.test(operator)) this.pattern();
      } else if (character === "(") this.parenthesis(draft);
      else if (character === ")") {
        // A closing character without an opening one.
        this.isWhole = false;
        this.at++;
        draft = emptyDraft();
      } else {
        const start = this.at;
        const redirect = this.redirect();
        const words = redirect === undefined ? this.words() : [];
        if (words[0] !== undefined && beginsBody(draft.words, words[0], begin)) finish("\n");
        if (isEmpty()) draft.from = start;
        draft.words.push(...words);
        if (redirect !== undefined) draft.redirects.push(redirect);
        if (redirect?.operator === "<<") this.pending.push(redirect);
        draft.to = this.at;
        if (beginsCase(draft.words, begin)) {
          finish("\n");
          cases++;
          this.pattern();
        }
      }
    }
    finish("");
    this.isWhole &&= isClosed;
    orderCommands(parts, this.found, this.found.length);
  }

  private parenthesis(draft: Draft): void {
    this.at++;
    const isFirst = draft.words.length === 0;
    if (!isFirst) while (this.peek() === " " || this.peek() === "\t") this.at++;
    // `name()` declares a function.
    if (!isFirst && this.peek() === ")") {
      this.at++;
      if (draft.words.at(-2)?.text !== "function") draft.words.pop();
      draft.begin = Math.min(draft.begin, draft.words.length);
    } else if (!this.arithmetic()) this.deeper(() => this.list(")"));
  }

  /** A pattern of `case` including its parenthesis, or nothing before `esac`. */
  private pattern(): void {
    let depth = 0;
    let isBegun = false;
    while (this.at < this.end) {
      const character = this.peek();
      ESAC.lastIndex = this.at;
      if (!isBegun && ESAC.test(this.source)) return;
      if (character === ")" && depth === 0) {
        this.at++;
        return;
      }
      if (character === "\n") this.lineFeed();
      else if (character === "#" && !isBegun) this.at = this.lineEnd();
      else if (" \t\r".includes(character)) this.at++;
      else if (character === "(" || character === ")") {
        // An optional opening parenthesis is closed by the pattern's end.
        if (isBegun) depth += character === "(" ? 1 : -1;
        isBegun = true;
        this.at++;
      } else if (";&<>".includes(character)) break;
      else {
        isBegun = true;
        if (character === "|") this.at++;
        else this.word();
      }
    }
    this.isWhole = false;
  }

  protected override lineFeed(): void {
    this.at++;
    const documents = this.pending;
    this.pending = [];
    for (const redirect of documents) {
      const { target, descriptor } = redirect;
      const { body, from, to } = this.hereDocument(target.text, descriptor === "-");
      redirect.body = body;
      const after = this.at;
      this.at = from;
      if (!target.isQuoted) this.within(to, () => this.expansions());
      this.at = after;
    }
  }

  /** Commands of a substitution, whose exit codes do not affect the line. */
  protected override substituted(to?: number): void {
    const from = this.found.length;
    const { pending } = this;
    this.pending = [];
    this.deeper(() => {
      if (to === undefined) this.list(")");
      else this.within(to, () => this.list(""));
    });
    // Shells disagree on where the here-document's text is.
    this.isWhole &&= this.pending.length === 0;
    this.pending = pending;
    for (const command of this.found.slice(from)) command.until = Math.min(command.until, this.found.length);
  }

  private redirect(): Redirect | undefined {
    REDIRECT.lastIndex = this.at;
    const found = REDIRECT.exec(this.source);
    if (found === null) return undefined;
    const [, descriptor = "", operator = ""] = found;
    this.at = Math.min(this.end, REDIRECT.lastIndex);
    // `<(…)`: a process used as a file.
    if (this.peek() === "(" && operator.length === 1) {
      this.at++;
      this.substituted();
      return { operator, descriptor, target: { ...SUBSTITUTED, text: `${operator}()` } };
    }
    while (this.peek() === " " || this.peek() === "\t") this.at++;
    const dash = operator === "<<-";
    return { operator: dash ? "<<" : operator, descriptor: dash ? "-" : descriptor, target: this.word() };
  }
}

const OPERATOR = /&&|\|\||\|&|;;?&?|[;|&]/y;
const REDIRECT = /(\d*|\{[A-Za-z_]\w*\})(&>>|&>|>>|>\||>&|>|<<<|<<-|<<|<&|<>|<)/y;
const ESAC = /esac(?![^\s;&|)])/y;
