import { widthOf } from "./table.ts";

/** Of a text that goes to a file or a pipe. */
const USUAL = 80;
const LEAST = 40;

export function terminalWidth(): number {
  // Asked first: `process.stdout` of a pipe loads the network modules.
  const isTerminal = process.getBuiltinModule("node:tty").isatty(1);
  return isTerminal ? Math.max(LEAST, process.stdout.columns || USUAL) : USUAL;
}

/**
 * Breaks long lines between words; a word that is longer stays whole. What follows is `hang` columns further to the right than
 * the line's own beginning.
 */
export function wrap(text: string, { width = terminalWidth(), hang = 2 } = {}): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width, hang))
    .join("\n");
}

function wrapLine(line: string, width: number, hang: number): string {
  if (widthOf(line) <= width) return line;
  const [start = ""] = /^ */.exec(line) ?? [];
  const indent = " ".repeat(Math.min(start.length + hang, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const [, gap = "", word = ""] of line.slice(start.length).matchAll(/( *)([^ ]+)/g)) {
    if (!isEmpty && widthOf(current + gap + word) > width) {
      lines.push(current);
      current = indent + word;
    } else current += gap + word;
    isEmpty = false;
  }
  return [...lines, current].join("\n");
}
