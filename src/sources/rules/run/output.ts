import { stripVTControlCharacters } from "node:util";
import { forTerminal } from "../../../base/for-terminal.ts";
import { redact } from "../../../store/redact.ts";

const MAX_LINES = 20;
const MAX_CHARACTERS = 2000;

/** The last lines of a command's output, without colours, control characters and secrets. Not escaped yet. */
export function lastLines(output: string, isCut: boolean): string {
  // Half a line at the cut could be half a secret.
  const whole = isCut ? output.slice(output.indexOf("\n") + 1) : output;
  const plain = stripVTControlCharacters(whole.replace(/\r\n/g, "\n"));
  // A progress bar rewrites its line: what was last is what people see.
  const shown = plain.split("\n").map((line) => line.slice(line.trimEnd().lastIndexOf("\r") + 1));
  const lines = forTerminal(redact(shown.join("\n")))
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const last: string[] = [];
  let left = MAX_CHARACTERS;
  for (const line of lines.slice(-MAX_LINES).reverse()) {
    if (line.length + 1 > left) {
      if (last.length === 0) last.unshift(`${line.slice(0, left - 1).toWellFormed()}…`);
      break;
    }
    left -= line.length + 1;
    last.unshift(line);
  }
  return last.join("\n");
}
