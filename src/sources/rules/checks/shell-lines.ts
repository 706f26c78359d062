import { once } from "../../../base/once.ts";
import { readCommandLine } from "../../../moments/shell/shell.ts";
import { type Line, SearchedText } from "./searched-text.ts";

/** The simple commands of a command line, each on a line of its own, in their order. */
export interface ShellLines {
  readonly searched: SearchedText;
  /** Every command is among them. Of a line that is too long or nested too deeply, nobody knows what the rest does. */
  readonly isWhole: boolean;
  /** The command of a line as it was typed: the searched text has no prose in it, such as a commit's message. */
  typed(line: Line): string;
  /** Whether the command line succeeds only if this command does. */
  decides(line: Line): boolean;
  /** Whether a later command runs only if an earlier one has succeeded. */
  isAfterSuccess(earlier: Line, later: Line): boolean;
}

export function shellLines(command: string | undefined): ShellLines | undefined {
  if (command === undefined || command.trim() === "") return undefined;
  const { commands: read, isWhole } = readCommandLine(command);
  const commands = read.map((one) => ({ ...one, text: oneLine(one.text) }));
  const starts = once(() => startsOf(commands));
  const indexOf = ({ start }: Line) => starts().get(start) ?? -1;
  return {
    isWhole,
    searched: new SearchedText(commands.map(({ text }) => text).join("\n")),
    typed: (line) => commands[indexOf(line)]?.typed ?? line.text,
    decides: (line) => commands[indexOf(line)]?.until === Infinity,
    isAfterSuccess(earlier, later) {
      const index = indexOf(earlier);
      return later.start > earlier.start && indexOf(later) < (commands[index]?.until ?? 0);
    },
  };
}

/** By where it begins in the searched text: the number of each command. */
function startsOf(commands: readonly { readonly text: string }[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>();
  let at = 0;
  for (const [index, { text }] of commands.entries()) {
    starts.set(at, index);
    at += text.length + 1;
  }
  return starts;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}
