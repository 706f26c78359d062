import { reservedAt } from "./reserved.ts";
import type { Word } from "./words.ts";

/**
 * A program that runs another command: its options whose value is the next word, and how many further words it
 * consumes.
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

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** The words of the command itself, without reserved words, assignments, and wrapper programs. */
export function unwrapped(words: readonly Word[]): readonly Word[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    const wrapper = wrapperOf(nameOf(text));
    const reserved = reservedAt(words, at);
    if (reserved > 0) at += reserved;
    else if (ASSIGNMENT.test(text)) at++;
    else if (wrapper !== undefined) at = afterOptions(words, at + 1, wrapper.values) + (wrapper.own ?? 0);
    else break;
  }
  return withoutGitOptions(words.slice(at));
}

function wrapperOf(name: string): Wrapper | undefined {
  return Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
}

/** The position after options and their values. */
function afterOptions(words: readonly Word[], from: number, values: readonly string[] | RegExp = []): number {
  const isOfShell = values instanceof RegExp;
  let at = from;
  for (;;) {
    const option = words[at]?.text ?? "";
    if (!option.startsWith("-") && !(isOfShell && option.startsWith("+"))) return at;
    at += (isOfShell ? values.test(option) : values.includes(option)) ? 2 : 1;
    if (option === "--") return at;
  }
}

/** Turns `git -C folder commit` into `git commit`: options before the subcommand only say where and how git runs. */
function withoutGitOptions(words: readonly Word[]): readonly Word[] {
  const [program, ...rest] = words;
  if (program === undefined || nameOf(program.text) !== "git") return words;
  const at = afterOptions(rest, 0, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);
  return at === 0 || at >= rest.length ? words : [program, ...rest.slice(at)];
}

const SHELLS: ReadonlySet<string> = new Set(["ash", "bash", "dash", "ksh", "sh", "zsh"]);
/** Shell options whose value is the next word: `-euo pipefail`. */
const WITH_VALUE = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/;
const INPUT = /^(?:\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** The command line that a shell gets with `-c`, or that `eval` runs. */
export function innerCommand(words: readonly Word[]): string | undefined {
  const [program, ...rest] = words;
  if (program?.text === "eval") return rest.map(({ text }) => text).join(" ");
  if (!isShell(program)) return undefined;
  const at = afterOptions(rest, 0, WITH_VALUE);
  return rest.slice(0, at).some(({ text }) => /^-[A-Za-z]*c/.test(text)) ? rest[at]?.text : undefined;
}

/** Whether it executes its standard input: a shell without a script. */
export function readsCommands([program, ...rest]: readonly Word[]): boolean {
  const isSource = program?.text === "source" || program?.text === ".";
  if (!isSource && !isShell(program)) return false;
  const at = isSource ? 0 : afterOptions(rest, 0, WITH_VALUE);
  const options = rest.slice(0, at).map(({ text }) => text);
  if (options.some((text) => /^-[A-Za-z]*c|^--(?:version|help)$/.test(text))) return false;
  return (
    at >= rest.length || INPUT.test(rest[at]?.text ?? "") || options.some((text) => /^-[A-Za-z]*s/.test(text))
  );
}

function isShell(program: Word | undefined): boolean {
  return program !== undefined && SHELLS.has(nameOf(program.text));
}

/** The program's name without its folder. */
export function nameOf(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}
