import { forTerminal } from "../../base/for-terminal.ts";
import type { Screen } from "./screen.ts";

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
const RESET = 0;

export type Style = keyof typeof CODES;
export type Paint = (style: Style, text: string) => string;

// Text that others wrote may contain escape sequences, which are removed before anything is printed. Colours must
// survive that, so they are written as marks with a random number per process: text from elsewhere cannot contain it.
// Not from `crypto`, whose loading costs every command a few milliseconds and a megabyte.
const SEAL = `${Math.random()}${Math.random()}`.replace(/\D/g, "");
const MARK = new RegExp(`\\u0002${SEAL}:(\\d+)\\u0003`, "g");
const EMPTY = new RegExp(`(?:\\u0002${SEAL}:[1-9]\\d*\\u0003)+\\u0002${SEAL}:0\\u0003`, "g");

/** Colours a text for this screen; without colours the text stays as it is. */
export function paintFor({ hasColour }: Pick<Screen, "hasColour">): Paint {
  if (!hasColour) return (_style, text) => text;
  return (style, text) => (text === "" ? "" : `${mark(CODES[style])}${text}${mark(RESET)}`);
}

function mark(code: number): string {
  return `\u0002${SEAL}:${code}\u0003`;
}

/** The text without its colours, to measure it. */
export function unpainted(text: string): string {
  return text.includes("\u0002") ? text.replace(MARK, "") : text;
}

/** Changes the text between the colours. Colours around empty text are dropped. */
export function mapText(text: string, change: (piece: string) => string): string {
  if (!text.includes("\u0002")) return change(text);
  return text
    .split(MARK)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : mark(Number(piece))))
    .join("")
    .replace(EMPTY, "");
}

/** Lines that each carry their own colours, because a pager and a table show lines one by one. */
export function paintedLines(text: string): string[] {
  let open = "";
  return text.split("\n").map((line) => {
    if (open === "" && !line.includes("\u0002")) return line;
    const before = open;
    for (const [found, code] of line.matchAll(MARK)) open = code === String(RESET) ? "" : open + found;
    return before + line + (open === "" ? "" : mark(RESET));
  });
}

/** Text for a terminal: everything that could control it is removed, then colours are inserted. */
export function paintedForTerminal(text: string): string {
  if (!text.includes("\u0002")) return forTerminal(text);
  // Every second piece is the number of a mark.
  return text
    .split(MARK)
    .map((piece, at) => (at % 2 === 0 ? forTerminal(piece) : `\u001b[${piece}m`))
    .join("");
}
