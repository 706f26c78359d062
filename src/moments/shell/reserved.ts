import type { Word } from "./words.ts";

/** The reserved words of compound commands. In quotes they are words like any other. */

/** What follows these words is a command. */
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
/** What follows these words is no command. */
const NO_COMMAND: ReadonlySet<string> = new Set(["case", "for", "in", "select"]);
/** They may stand behind the name of a coprocess. */
const COMPOUND: ReadonlySet<string> = new Set(["{", "case", "for", "if", "select", "until", "while", "[["]);

const LOOPS: ReadonlySet<string> = new Set(["for", "select"]);

const is = (word: Word | undefined, among: ReadonlySet<string>) =>
  word !== undefined && !word.isQuoted && among.has(word.text);
const isOne = (word: Word | undefined, text: string) =>
  word !== undefined && !word.isQuoted && word.text === text;

/** How many words stand here before a command because of a reserved word; Infinity: no command follows. */
export function reservedAt(words: readonly Word[], at: number): number {
  const word = words[at];
  if (is(word, NO_COMMAND)) return Infinity;
  // `function name {`
  if (isOne(word, "function")) return 2;
  if (isOne(word, "coproc")) return is(words[at + 2], COMPOUND) ? 2 : 1;
  return is(word, BEFORE_COMMAND) ? 1 : 0;
}

/** Where the command itself begins, also if it is a compound command. The words before `from` are known to be reserved. */
export function beginOf(words: readonly Word[], from: number): number {
  let at = from;
  for (;;) {
    // `time -p` is one too, before a compound command.
    const isTime = isOne(words[at], "time") || (at > 0 && isOne(words[at], "-p"));
    const reserved = isTime ? 1 : reservedAt(words, at);
    if (reserved === 0 || reserved === Infinity) return at;
    at += reserved;
  }
}

/** `case x in`: patterns follow. `begin` says where the command begins, and is asked seldom. */
export function beginsCase(words: readonly Word[], begin: () => number): boolean {
  return isOne(words.at(-1), "in") && isOne(words.at(-3), "case") && begin() === words.length - 3;
}

/** Whether a word begins the inside of a compound command, with no semicolon before it: `for x do`, `if [[ a ]] then`. */
export function beginsBody(words: readonly Word[], word: Word, begin: () => number): boolean {
  const isBody = isOne(word, "do") || isOne(word, "{");
  if (isBody && (is(words.at(-1), LOOPS) || is(words.at(-2), LOOPS)))
    return is(words[begin()], LOOPS) && words.length <= begin() + 2;
  return (isBody || isOne(word, "then")) && isOne(words.at(-1), "]]") && isOne(words[begin()], "[[");
}

/** How many `esac` a command begins with. */
export function endedCases(words: readonly Word[]): number {
  return words.slice(0, beginOf(words, 0)).filter(({ text }) => text === "esac").length;
}
