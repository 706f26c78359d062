import { jsonForTerminal, oneLine } from "../../base/for-terminal.ts";
import { paintedForTerminal, paintFor, unpainted } from "./paint.ts";
import { PLAIN, type Screen } from "./screen.ts";
import { clipTo, markOf, onOneLine } from "./width.ts";
import { wrapOn } from "./wrap.ts";

/** Where output finally goes. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a user sees `err` on a terminal that can rewrite a line. Called when the first progress is shown. */
  isTerminal?(): boolean;
  /** The screen of `err`. Called for each progress line, because the window may be resized. */
  errScreen?(): Screen;
  /** Shows a long text in a pager; returns false if it did not, so that the caller uses `out`. */
  page?(text: string): boolean;
  /** The screen of `out` (default: a file or a pipe). */
  screen?(): Screen;
}

/**
 * Everything that commands print passes through here, so that no name, note or message can contain control characters
 * that a terminal would obey. That includes files and pipes, because their content may be shown on a terminal later.
 */
export interface Terminal {
  /** Text for users; prints nothing if empty. */
  say(text: string): void;
  /** For programs: exact, with every invisible character escaped. */
  json(value: unknown): void;
  /** Unchanged, for a host or a shell. The caller must escape everything that it did not write itself. */
  raw(text: string): void;
  /** One line on stderr, apart from the result. */
  tell(line: string): void;
  /** The same on a terminal, replacing the previous progress; the next output replaces it. */
  progress(line: string | ((screen: Screen) => string)): boolean;
  complain(message: string, hint?: string): void;
}

export function terminalOver(streams: Streams): Terminal {
  const lines = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
  let isTerminal: boolean | undefined;
  let isShown = false;
  const erase = () => {
    if (isShown) streams.err(ERASE);
    isShown = false;
  };
  const errScreen = () => streams.errScreen?.() ?? PLAIN;
  const out = (text: string) => {
    erase();
    streams.out(text);
  };
  const err = (text: string) => {
    erase();
    streams.err(text);
  };
  return {
    say(text) {
      if (text === "") return;
      const printed = lines(shownOn(streams.screen?.() ?? PLAIN, text));
      erase();
      if (streams.page?.(printed) !== true) streams.out(printed);
    },
    json: (value) => out(`${jsonForTerminal(value)}\n`),
    raw(text) {
      if (text !== "") out(lines(text));
    },
    tell: (line) =>
      err(`${shownOn(errScreen(), wrapOn(oneLine(unpainted(line)), errScreen(), { hang: 2 }))}\n`),
    progress(line) {
      isTerminal ??= streams.isTerminal?.() ?? false;
      if (!isTerminal) return false;
      const screen = errScreen();
      const text = onOneLine(typeof line === "string" ? line : line(screen));
      // A wrapped line would be erased only in part, and some terminals wrap in the last column.
      streams.err(
        `${isShown ? ERASE : ""}${paintedForTerminal(clipTo(text, screen.width - 1, markOf(screen)))}`,
      );
      isShown = true;
      return true;
    },
    complain(message, hint) {
      const screen = errScreen();
      const what = `${paintFor(screen)("red", "continuo:")} ${oneLine(message)}`;
      const lines = [what, ...(hint === undefined ? [] : hint.split("\n").map((line) => `  ${line}`))];
      err(`${shownOn(screen, wrapOn(lines.join("\n"), screen, { hang: 2 }))}\n`);
    },
  };
}

/** Continuo's own symbols, such as the ellipsis of a usage line, become ASCII on a screen that may not show others. */
function shownOn(screen: Screen, text: string): string {
  const inAscii = () => text.replaceAll(/[…✓✗]/g, (mark) => ({ "✓": "+", "✗": "x" })[mark] ?? markOf(screen));
  return paintedForTerminal(screen.hasUnicode ? text : inAscii());
}

/** Moves to the beginning of the line and erases it. */
const ERASE = "\r\u001b[K";
