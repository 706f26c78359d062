import { simpleCommands } from "../../../moments/shell.ts";
import { type Line, SearchedText } from "./searched-text.ts";

/** The simple commands of a command line, each on a line of its own, in their order. */
export interface ShellLines {
  readonly searched: SearchedText;
  /** The command of a line as it was typed: the searched text has no prose in it, such as a commit's message. */
  typed(line: Line): string;
}

export function shellLines(command: string | undefined): ShellLines | undefined {
  if (command === undefined || command.trim() === "") return undefined;
  const commands = simpleCommands(command).map(({ text, typed }) => ({ text: oneLine(text), typed }));
  let byStart: Map<number, string> | undefined;
  return {
    searched: new SearchedText(commands.map(({ text }) => text).join("\n")),
    typed({ start, text: found }) {
      byStart ??= typedByStart(commands);
      return byStart.get(start) ?? found;
    },
  };
}

function typedByStart(commands: readonly { readonly text: string; readonly typed: string }[]) {
  const all = new Map<number, string>();
  let at = 0;
  for (const { text, typed } of commands) {
    all.set(at, typed);
    at += text.length + 1;
  }
  return all;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}
