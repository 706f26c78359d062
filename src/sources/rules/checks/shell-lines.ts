import { simpleCommands } from "../../../moments/shell.ts";
import { SearchedText } from "./searched-text.ts";

/** The simple commands of a command line, each on a line of its own, in their order. */
export function shellLines(command: string | undefined): SearchedText | undefined {
  if (command === undefined || command.trim() === "") return undefined;
  return new SearchedText(
    simpleCommands(command)
      .map(({ text }) => text.replaceAll("\n", " "))
      .join("\n"),
  );
}
