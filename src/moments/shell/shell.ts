import { lineOf } from "./prose.ts";
import { type Redirect, type Scanned, scanShell } from "./scan.ts";
import { innerCommand, readsCommands, unwrapped } from "./wrappers.ts";

/** One command of a command line: a program and its arguments. */
interface SimpleCommand {
  /**
   * Its words and the files that it redirects to or from, as one line with single spaces. A word with spaces is in double
   * quotes. Without prose such as a commit's message, and without what is only around the command: `sudo`, `X=1`.
   */
  readonly text: string;
  /** The command as it is written, with its prose and what is around it; of a long one the beginning. */
  readonly typed: string;
  /** The index of the first later command that may run although this one failed. Infinity: then the line fails too. */
  readonly until: number;
}

const MOST_COMMANDS = 1_000;
/** `bash -c "bash -c …"`: nobody writes more. */
const MOST_DEPTH = 4;

interface CommandLine {
  readonly commands: readonly SimpleCommand[];
  /** Every command was read. False if the line is too long or too deep, or if it hides commands in a way that is not read. */
  readonly isWhole: boolean;
}

const NOTHING: CommandLine = { commands: [], isWhole: true };

/**
 * The commands of a command line in their order, those of `$(…)` and `bash -c` among them. Here-documents and prose are no
 * commands. Never fails, whatever the text is; a very long one is read only in part, which it says.
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
  // What a shell gets through a pipe, such as `cat <<E | bash`, nobody has read. A file is another matter: `bash < file`.
  const isRead = inner === undefined && (!isReader || redirects.some(isInput));
  return { commands: [{ text, typed, until: Infinity }], isWhole: isRead };
}

/** The text that is given to standard input: a here-document, or the word after `<<<`. */
function given(redirects: readonly Redirect[]): string | undefined {
  const last = redirects.findLast(({ body, operator }) => body !== undefined || operator === "<<<");
  return last?.body ?? last?.target.text;
}

function isInput({ operator, target }: Redirect): boolean {
  return operator === "<" && target.text !== "<()";
}

/** Where output that nobody wants goes, and which stream joins which, says nothing about the command. */
function isShown({ operator, target }: Redirect): boolean {
  const isFile = !["", "/dev/null", "<()", ">()"].includes(target.text);
  return isFile && operator !== ">&" && operator !== "<&";
}

function redirectLine({ operator, target }: Redirect): string {
  return operator === "<<<" ? "<<<" : `${operator} ${lineOf([target])}`;
}
