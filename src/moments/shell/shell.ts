import { type Redirect, type Scanned, scanShell } from "./scan.ts";
import type { Word } from "./words.ts";
import { innerCommand, nameOf, readsCommands, unwrapped } from "./wrappers.ts";

/** One command of a command line: a program and its arguments. */
interface SimpleCommand {
  /**
   * Its words and redirects as one line with single spaces. A word with spaces is in double quotes. Omits prose such as
   * a commit's message, and wrappers such as `sudo` or `X=1`.
   */
  readonly text: string;
  /** The command as written, including what `text` omits; only the beginning if it is long. */
  readonly typed: string;
  /** The index of the first later command that may run although this one failed. Infinity: then the line fails too. */
  readonly until: number;
}

const MOST_COMMANDS = 1_000;
/** `bash -c "bash -c …"`: deeper than anyone nests. */
const MOST_DEPTH = 4;

interface CommandLine {
  readonly commands: readonly SimpleCommand[];
  /**
   * Whether every command was read. False if the line is too long, nested too deeply, or hides commands from this
   * parser.
   */
  readonly isWhole: boolean;
}

const NOTHING: CommandLine = { commands: [], isWhole: true };

/**
 * The commands of a command line in order, including those in `$(…)` and `bash -c`. Here-documents and prose are not
 * commands. Never fails; a very long text is read only in part, which `isWhole` shows.
 */
export function readCommandLine(command: string): CommandLine {
  const { commands, isWhole } = opened(command, MOST_DEPTH);
  return { commands: commands.slice(0, MOST_COMMANDS), isWhole: isWhole && commands.length <= MOST_COMMANDS };
}

function opened(command: string, depth: number): CommandLine {
  const scanned = scanShell(command);
  const all = scanned.commands.map((one) => simple(one, depth));
  const starts = [0];
  for (const { commands } of all) starts.push((starts.at(-1) ?? 0) + commands.length);
  const startOf = (index: number) => starts[index] ?? Infinity;
  // An inner command line fails together with the command that runs it.
  const commands = all.flatMap((inner, index) =>
    inner.commands.map((one) => ({
      ...one,
      until:
        one.until === Infinity ? startOf(scanned.commands[index]?.until ?? 0) : startOf(index) + one.until,
    })),
  );
  return { commands, isWhole: scanned.isWhole && all.every((inner) => inner.isWhole) };
}

function simple({ words, redirects, typed }: Scanned, depth: number): CommandLine {
  const own = unwrapped(words);
  if (own.length === 0) return NOTHING;
  const isReader = readsCommands(own);
  const inner = innerCommand(own) ?? (isReader ? given(redirects) : undefined);
  if (inner !== undefined && depth > 0) return opened(inner, depth - 1);
  const text = [lineOf(own), ...redirects.filter(isShown).map(redirectLine)].join(" ");
  // Input that a shell gets through a pipe, such as `cat <<E | bash`, is not analysed. A file is acceptable: `bash <
  // file`.
  const isRead = inner === undefined && (!isReader || redirects.some(isInput));
  return { commands: [{ text, typed, until: Infinity }], isWhole: isRead };
}

/** The text given to standard input: a here-document, or the word after `<<<`. */
function given(redirects: readonly Redirect[]): string | undefined {
  const last = redirects.findLast(({ body, operator }) => body !== undefined || operator === "<<<");
  return last?.body ?? last?.target.text;
}

function isInput({ operator, target }: Redirect): boolean {
  return operator === "<" && target.text !== "<()";
}

/** Redirecting unwanted output, or joining streams, says nothing about the command. */
function isShown({ operator, target }: Redirect): boolean {
  const isFile = !["", "/dev/null", "<()", ">()"].includes(target.text);
  return isFile && operator !== ">&" && operator !== "<&";
}

function redirectLine({ operator, target }: Redirect): string {
  return operator === "<<<" ? "<<<" : `${operator} ${lineOf([target])}`;
}

/** Long options of any program whose value is prose. */
const LONG = /^--(?:message|body|title|notes|description|subject|comment)(=|$)/;
/** Programs whose short options for prose are known. For others, `-m` is prose only if its value has several words. */
const SHORT: Readonly<Record<string, RegExp>> = {
  gh: /^-[btn]$/,
  glab: /^-[dt]$/,
  hg: /^-m$/,
  jj: /^-m$/,
  svn: /^-m$/,
};
/** Git subcommands that take a message; `git branch -m` renames. */
const WITH_MESSAGE: ReadonlySet<string> = new Set(["commit", "merge", "notes", "stash", "tag"]);
const GIT_MESSAGE = /^-[a-z]*m$/;
/** Programs whose arguments are texts to print or search for. Such a text may quote a command. */
const OF_TEXTS: ReadonlySet<string> = new Set(["ag", "echo", "egrep", "fgrep", "grep", "printf", "rg"]);

/**
 * The command as one line, with words separated by one space and a word with spaces in double quotes. Omits prose, such
 * as a commit's message, because its content is not a command.
 */
function lineOf(words: readonly Word[]): string {
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

/** Whether the value of this option, possibly several words, is prose. */
function isProse(option: string, isLong: boolean): boolean {
  return LONG.exec(option)?.[1] === "" || (option === "-m" && isLong);
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line === "" || line.includes(" ") ? `"${line}"` : line;
}
