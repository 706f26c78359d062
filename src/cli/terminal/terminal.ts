import { jsonForTerminal, oneLine } from "../../base/for-terminal.ts";
import { paintedForTerminal, paintFor, unpainted } from "./paint.ts";
import { PLAIN, type Screen } from "./screen.ts";
import { clipTo, markOf, onOneLine } from "./width.ts";
import { wrapOn } from "./wrap.ts";

/** Where output goes in the end. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person sees `err` on a terminal that can rewrite a line. Asked when the first progress is shown. */
  isTerminal?(): boolean;
  /** Where `err` is read. Asked for each progress line, because a window may change. */
  errScreen?(): Screen;
  /** Shows a long text page by page; false if it did not, so that `out` has to. */
  page?(text: string): boolean;
  /** Where `out` is read; a file or a pipe unless said otherwise. */
  screen?(): Screen;
}

/**
 * Everything that commands print goes through here, so that no name, note or message can contain control characters that
 * a terminal would obey. That also holds for files and pipes, because their content may be shown on a terminal later.
 */
export interface Terminal {
  /** Text for people; prints nothing when empty. */
  say(text: string): void;
  /** For programs: exact, with every invisible character escaped. */
  json(value: unknown): void;
  /** Unchanged, for a host or a shell. The caller has escaped everything that it did not write itself. */
  raw(text: string): void;
  /** One line on stderr, beside the result. */
  tell(line: string): void;
  /** The same on a terminal, in place of the progress shown before; what is printed next replaces it. */
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
      // A line that wraps would be erased only in part, and some terminals wrap in the last column.
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

/** Continuo's own dots, such as in a usage line, become ASCII where nothing else is sure to be shown. */
function shownOn(screen: Screen, text: string): string {
  return paintedForTerminal(screen.hasUnicode ? text : text.replaceAll("…", markOf(screen)));
}

/** To the beginning of the line, and nothing after it. */
const ERASE = "\r\u001b[K";
