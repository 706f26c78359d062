import type { Word } from "./words.ts";

/** The reserved words of compound commands. Quoted, they are ordinary words. */

/** Words that are followed by a command. */
const BEFORE_COMMAND: ReadonlySet<string> = new Set([
  "!",
  "{",
  "}",
  "do",
  "done",
  "elif",
  "else",
  "esac",
  "fi",
  "if",
  "then",
  "until",
  "while",
]);
/** Words that are not followed by a command. */
const NO_COMMAND: ReadonlySet<string> = new Set(["case", "for", "in", "select"]);
/** Words that may follow the name of a coprocess. */
const COMPOUND: ReadonlySet<string> = new Set(["{", "case", "for", "if", "select", "until", "while", "[["]);

const LOOPS: ReadonlySet<string> = new Set(["for", "select"]);

const is = (word: Word | undefined, among: ReadonlySet<string>) =>
  word !== undefined && !word.isQuoted && among.has(word.text);
const isOne = (word: Word | undefined, text: string) =>
  word !== undefined && !word.isQuoted && word.text === text;

/** How many reserved words precede a command here; Infinity if no command follows. */
export function reservedAt(words: readonly Word[], at: number): number {
  const word = words[at];
  if (is(word, NO_COMMAND)) return Infinity;
  // `function name {`
  if (isOne(word, "function")) return 2;
  if (isOne(word, "coproc")) return is(words[at + 2], COMPOUND) ? 2 : 1;
  return is(word, BEFORE_COMMAND) ? 1 : 0;
}

/**
 * Where the command itself begins, even if it is a compound command. The words before `from` are known to be reserved.
 */
export function beginOf(words: readonly Word[], from: number): number {
  let at = from;
  for (;;) {
    // `time -p` may also precede a compound command.
    const isTime = isOne(words[at], "time") || (at > 0 && isOne(words[at], "-p"));
    const reserved = isTime ? 1 : reservedAt(words, at);
    if (reserved === 0 || reserved === Infinity) return at;
    at += reserved;
  }
}

/**
 * Whether this is `case x in`, which is followed by patterns. `begin` returns where the command begins; it is seldom
 * called.
 */
export function beginsCase(words: readonly Word[], begin: () => number): boolean {
  return isOne(words.at(-1), "in") && isOne(words.at(-3), "case") && begin() === words.length - 3;
}

/**
 * Whether a word begins the body of a compound command without a semicolon before it: `for x do`, `if [[ a ]] then`.
 */
export function beginsBody(words: readonly Word[], word: Word, begin: () => number): boolean {
  const isBody = isOne(word, "do") || isOne(word, "{");
  if (isBody && (is(words.at(-1), LOOPS) || is(words.at(-2), LOOPS)))
    return is(words[begin()], LOOPS) && words.length <= begin() + 2;
  return (isBody || isOne(word, "then")) && isOne(words.at(-1), "]]") && isOne(words[begin()], "[[");
}

/** How many times `esac` occurs at a command's beginning. */
export function endedCases(words: readonly Word[]): number {
  return words.slice(0, beginOf(words, 0)).filter(({ text }) => text === "esac").length;
}
