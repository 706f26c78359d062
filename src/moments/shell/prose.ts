import type { Word } from "./words.ts";
import { nameOf } from "./wrappers.ts";

/** Long options whose value is prose, of any program. */
const LONG = /^--(?:message|body|title|notes|description|subject|comment)(=|$)/;
/** Programs whose short options for prose are certain. Elsewhere `-m` is prose only if its value has several words. */
const SHORT: Readonly<Record<string, RegExp>> = {
  gh: /^-[btn]$/,
  glab: /^-[dt]$/,
  hg: /^-m$/,
  jj: /^-m$/,
  svn: /^-m$/,
};
/** Of git, only some subcommands take a message: `git branch -m` renames. */
const WITH_MESSAGE: ReadonlySet<string> = new Set(["commit", "merge", "notes", "stash", "tag"]);
const GIT_MESSAGE = /^-[a-z]*m$/;
/** Programs whose arguments are texts to print or to search for. Such a text may quote a command. */
const OF_TEXTS: ReadonlySet<string> = new Set(["ag", "echo", "egrep", "fgrep", "grep", "printf", "rg"]);

/**
 * The command as one line: words separated by one space, a word with spaces in double quotes. Prose is left out, such as
 * a commit's message: what it says is no command.
 */
export function lineOf(words: readonly Word[]): string {
  const name = nameOf(words[0]?.text ?? "");
  const short = shortOptions(name, words[1]?.text ?? "");
  const isOfTexts = OF_TEXTS.has(name) || (name === "git" && words[1]?.text === "grep");
  const line = words.map(({ text }, index) => {
    const option = index < 2 ? "" : (words[index - 1]?.text ?? "");
    const isLong = /\s/.test(text);
    const isValue = !text.startsWith("-") || isLong;
    if (isValue && (isProse(option, isLong) || short?.test(option) === true)) return '""';
    if (index > 0 && isOfTexts && isLong) return '""';
    const sign = LONG.exec(text)?.[1] === "=" ? text.indexOf("=") : -1;
    if (sign !== -1) return `${text.slice(0, sign + 1)}""`;
    return short === GIT_MESSAGE && /^-m./.test(text) ? '-m ""' : shown(text);
  });
  return line.join(" ");
}

function shortOptions(program: string, subcommand: string): RegExp | undefined {
  if (program === "git") return WITH_MESSAGE.has(subcommand) ? GIT_MESSAGE : undefined;
  return Object.hasOwn(SHORT, program) ? SHORT[program] : undefined;
}

/** Whether the value of this option, which may have several words, is prose. */
function isProse(option: string, isLong: boolean): boolean {
  return LONG.exec(option)?.[1] === "" || (option === "-m" && isLong);
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line === "" || line.includes(" ") ? `"${line}"` : line;
}
