import type { Word } from "./words.ts";

/**
 * Determines which commands in a list must have succeeded for later ones to run, and for the list to succeed. Anything
 * not understood counts as failing unnoticed.
 */

/**
 * A command with the index of the first later one that may run although this one failed. Infinity: then the list fails
 * too.
 */
export interface Ordered {
  until: number;
}

/** A part of a list, up to an operator: a command, a group in parentheses, or a piece of a compound command. */
export interface Part {
  /** The indexes of its commands: the first, and one past the last. */
  readonly from: number;
  readonly to: number;
  readonly words: readonly Word[];
  /** The operator that ends it: `&&`, `|`, a line feed and so on. Empty at the end of the list. */
  readonly operator: string;
  /** The shell options in effect when it begins. */
  readonly options: ShellOptions;
}

interface ShellOptions {
  readonly isPipefail: boolean;
  readonly isErrexit: boolean;
}

export const NO_OPTIONS: ShellOptions = { isPipefail: false, isErrexit: false };

/** The shell options after this command: `set -euo pipefail`. */
export function optionsAfter(options: ShellOptions, words: readonly Word[]): ShellOptions {
  if (words[0]?.text !== "set") return options;
  const args = words.slice(1).map(({ text }) => text);
  const named = (name: string, sign: string) =>
    args.some((arg, i) => arg === name && new RegExp(`^\\${sign}[a-z]*o$`).test(args[i - 1] ?? ""));
  const isOn = (before: boolean, name: string, letter?: RegExp) => {
    if (named(name, "+")) return false;
    return before || named(name, "-") || (letter !== undefined && args.some((arg) => letter.test(arg)));
  };
  return {
    isPipefail: isOn(options.isPipefail, "pipefail"),
    isErrexit: !args.some((arg) => /^\+[a-z]*e/.test(arg)) && isOn(options.isErrexit, "errexit", /^-[a-z]*e/),
  };
}

const OPENS: ReadonlySet<string> = new Set(["if", "for", "while", "until", "case", "select", "{"]);
const GOES_ON: ReadonlySet<string> = new Set(["then", "else", "elif", "do", "!"]);
const CLOSES: ReadonlySet<string> = new Set(["fi", "done", "esac", "}"]);

/** Parts between two `&&` or `||`: a pipeline, or a whole compound command. */
interface Step {
  readonly parts: readonly Part[];
  readonly isCompound: boolean;
  readonly operator: string;
}

/**
 * Sets `until` for the commands of one list. `end`: one past the index of the last. Commands inside groups already have
 * it.
 */
export function orderCommands(parts: readonly Part[], commands: Ordered[], end: number): void {
  const lists = listsOf(stepsOf(parts));
  lists.forEach((steps, index) => {
    const isLast = index === lists.length - 1;
    const isWaitedFor = steps.at(-1)?.operator !== "&";
    const after = steps.at(-1)?.parts.at(-1)?.to ?? end;
    steps.forEach((step, at) => {
      const rest = steps.slice(at);
      const isAlternative = steps[at - 1]?.operator === "||";
      const next = rest.findIndex(({ operator }) => operator === "||");
      const ends = next !== -1 && rest.length === next + 2 && isFailure(rest[next + 1]);
      const options = step.parts[0]?.options ?? NO_OPTIONS;
      const mustSucceed = isWaitedFor && !isAlternative;
      // `a && b || exit 1` goes on only if both succeed; `set -e` checks only the last one.
      if (mustSucceed && (ends || (next === -1 && (isLast || (options.isErrexit && rest.length === 1)))))
        settle(step, Infinity, commands);
      else settle(step, isAlternative ? 0 : (rest[next]?.parts.at(-1)?.to ?? after), commands);
    });
  });
}

/** Sets `until` for the commands of a step that do not have it yet. */
function settle({ parts, isCompound }: Step, until: number, commands: Ordered[]): void {
  const last = parts.at(-1);
  const isNegated = parts[0]?.words[0]?.text === "!";
  const isCondition = isCompound && parts[0]?.words[0]?.text === "if";
  for (const part of parts) {
    const counts = !isCompound && !isNegated && (part === last || part.options.isPipefail);
    for (let at = part.from; at < part.to; at++) {
      const command = commands[at];
      if (command === undefined || command.until !== Infinity) continue;
      if (!counts) command.until = isCondition && part === parts[0] ? (last?.to ?? 0) : at + 1;
      else command.until = Math.max(until, at + 1);
    }
  }
}

/** Whether the shell ends with a failure here: `exit 1`, or `{ echo failed; exit 1; }`. */
function isFailure(step: Step | undefined): boolean {
  const inner = step?.parts.filter(({ words }) => words[0]?.text !== "}").at(-1)?.words ?? [];
  const [name, code = "1"] = inner.filter(({ text }) => text !== "{").map(({ text }) => text);
  return (name === "exit" || name === "return") && code !== "0";
}

function stepsOf(parts: readonly Part[]): Step[] {
  const steps: Step[] = [];
  let open: Part[] = [];
  let [depth, isCompound] = [0, false];
  parts.forEach((part, index) => {
    const change = depthChange(part.words);
    isCompound ||= change !== 0 || depth > 0;
    depth = Math.max(0, depth + change);
    open.push(part);
    const isJoined = part.operator === "|" || part.operator === "|&";
    if (index < parts.length - 1 && (depth > 0 || isJoined)) return;
    steps.push({ parts: open, isCompound, operator: part.operator });
    open = [];
    [depth, isCompound] = [0, false];
  });
  return steps;
}

/** How many compound commands its first words open, minus those that they close. */
function depthChange(words: readonly Word[]): number {
  let change = 0;
  for (const { text, isQuoted } of words) {
    if (isQuoted) break;
    if (OPENS.has(text)) change++;
    else if (CLOSES.has(text)) change--;
    else if (!GOES_ON.has(text)) break;
    if (text === "for" || text === "case" || text === "select") break;
  }
  return change;
}

/** Steps up to a semicolon, a line feed or `&`. */
function listsOf(steps: readonly Step[]): Step[][] {
  const lists: Step[][] = [];
  let list: Step[] = [];
  for (const step of steps) {
    list.push(step);
    if (step.operator === "&&" || step.operator === "||") continue;
    lists.push(list);
    list = [];
  }
  if (list.length > 0) lists.push(list);
  return lists;
}
