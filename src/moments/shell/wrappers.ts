import type { Word } from "./scan.ts";

/**
 * What runs another command, by its name: the options of its own that take a value in the next word, and how many
 * further words are its own.
 */
interface Wrapper {
  readonly values?: readonly string[];
  readonly own?: number;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: {},
  command: {},
  doas: { values: ["-u", "-C"] },
  env: { values: ["-u", "-C", "-S", "--unset", "--chdir"] },
  exec: { values: ["-a"] },
  ionice: { values: ["-c", "-n"] },
  nice: { values: ["-n"] },
  nohup: {},
  setsid: {},
  stdbuf: { values: ["-i", "-o", "-e"] },
  sudo: { values: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-r", "-t", "-T", "-U", "--user", "--group"] },
  time: { values: ["-f", "-o"] },
  timeout: { values: ["-s", "-k", "--signal", "--kill-after"], own: 1 },
  xargs: { values: ["-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E", "--max-args", "--max-procs"] },
};

/** Words that begin or end a part of a compound command. What follows them is a command. */
const BEFORE_COMMAND: ReadonlySet<string> = new Set([
  "!",
  "{",
  "do",
  "elif",
  "else",
  "if",
  "then",
  "until",
  "while",
]);
/** What follows these words is no command. */
const NO_COMMAND: ReadonlySet<string> = new Set([
  "}",
  "case",
  "done",
  "esac",
  "fi",
  "for",
  "function",
  "in",
  "select",
]);

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** The words of the command itself, without reserved words, assignments, and programs that only run it. */
export function unwrapped(words: readonly Word[]): readonly Word[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const { text, isQuoted } = word;
    const wrapper = wrapperOf(nameOf(text));
    if (!isQuoted && NO_COMMAND.has(text)) return [];
    if (ASSIGNMENT.test(text) || (!isQuoted && BEFORE_COMMAND.has(text))) at++;
    else if (wrapper !== undefined) at = afterOptions(words, at + 1, wrapper.values) + (wrapper.own ?? 0);
    else break;
  }
  return withoutGitOptions(words.slice(at));
}

function wrapperOf(name: string): Wrapper | undefined {
  return Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
}

/** The position after options and their values. */
function afterOptions(words: readonly Word[], from: number, values: readonly string[] = []): number {
  let at = from;
  while (words[at]?.text.startsWith("-") === true) {
    const option = words[at]?.text ?? "";
    at += values.includes(option) ? 2 : 1;
    if (option === "--") break;
  }
  return at;
}

/** `git -C folder commit` is `git commit`: options before the subcommand say only where and how git runs. */
function withoutGitOptions(words: readonly Word[]): readonly Word[] {
  const [program, ...rest] = words;
  if (program === undefined || nameOf(program.text) !== "git") return words;
  const at = afterOptions(rest, 0, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);
  return at === 0 || at >= rest.length ? words : [program, ...rest.slice(at)];
}

const SHELLS: ReadonlySet<string> = new Set(["bash", "dash", "ksh", "sh", "zsh"]);

/** The command line that a shell is given with `-c`, or that `eval` runs. */
export function innerCommand(words: readonly Word[]): string | undefined {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (program.text === "eval") return rest.map(({ text }) => text).join(" ");
  if (!isShell(program)) return undefined;
  const option = rest.findIndex(({ text }) => /^-[A-Za-z]*c$/.test(text));
  return option === -1 ? undefined : rest[option + 1]?.text;
}

/** Whether it runs what it reads from standard input: a shell without a script. */
export function readsCommands([program, ...rest]: readonly Word[]): boolean {
  return program !== undefined && isShell(program) && rest.every(({ text }) => /^-(?!c)|^\+/.test(text));
}

function isShell({ text }: Word): boolean {
  return SHELLS.has(nameOf(text));
}

/** The program without its folder. */
export function nameOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
