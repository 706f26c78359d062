import { paintedLines } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { breakWords, widthOf } from "./width.ts";

/** The width for text that goes to a file or a pipe. */
const USUAL = 80;
const LEAST = 40;

function terminalWidth(): number {
  // Checked first, because `process.stdout` of a pipe loads the network modules.
  const isTerminal = process.getBuiltinModule("node:tty").isatty(1);
  return isTerminal ? Math.max(LEAST, process.stdout.columns || USUAL) : USUAL;
}

/** Breaks the lines of a text to the width of this screen. */
export function wrapOn(text: string, screen: Screen, { hang = 0 } = {}): string {
  return screen.isFitted ? wrap(text, { width: screen.width, hang }) : text;
}

/**
 * The same for Markdown: continuation lines of a list item are aligned with its text; code and tables stay unchanged.
 */
export function wrapMarkdown(text: string, screen: Screen): string {
  if (!screen.isFitted) return text;
  let isCode = false;
  return text
    .split("\n")
    .map((line) => {
      const isFence = /^\s*(```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      if (isFence || isCode || /^( {4}|\t|\s*\|)/.test(line)) return line;
      const [item = ""] = /(?<=^ *)([-*+]|\d+[.)]) /.exec(line) ?? [];
      return wrap(line, { width: screen.width, hang: item.length });
    })
    .join("\n");
}

/**
 * Breaks long lines between words; a longer word, such as a path, stays whole. Continuation lines are indented `hang`
 * columns more than the line itself.
 */
export function wrap(text: string, { width = terminalWidth(), hang = 2 } = {}): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, width, hang))
    .join("\n");
}

/**
 * Words with the spaces before them. Chinese and Japanese have no spaces, so a long word in these languages is broken
 * anywhere.
 */
function wordsOf(text: string, room: number): (readonly [gap: string, word: string])[] {
  return [...text.matchAll(/( *)([^ ]+)/g)].flatMap(([, gap = "", word = ""]) => {
    if (widthOf(word) <= room || !/[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uff60]/.test(word))
      return [[gap, word] as const];
    return breakWords(word, room)
      .split("\n")
      .map((piece, at) => [at === 0 ? gap : "", piece] as const);
  });
}

function wrapLine(line: string, width: number, hang: number): string {
  if (widthOf(line) <= width) return line;
  const [start = ""] = /^ */.exec(line) ?? [];
  const indent = " ".repeat(Math.min(start.length + hang, Math.floor(width / 2)));
  const lines: string[] = [];
  let current = start;
  let used = start.length;
  let isEmpty = true;
  for (const [gap, word] of wordsOf(line.slice(start.length), width - indent.length)) {
    const columns = widthOf(word);
    if (!isEmpty && used + gap.length + columns > width) {
      lines.push(current);
      current = indent + word;
      used = indent.length + columns;
    } else {
      current += gap + word;
      used += gap.length + columns;
    }
    isEmpty = false;
  }
  return paintedLines([...lines, current].join("\n")).join("\n");
}
