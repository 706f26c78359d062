import { forTerminal, jsonForTerminal, oneLine } from "../../base/for-terminal.ts";
import { clipWithin } from "../../base/text.ts";

/** Where output goes in the end. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person sees `err` on a terminal. Asked when the first progress is shown. */
  isTerminal?(): boolean;
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
  progress(line: string): boolean;
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
      if (text !== "") out(lines(forTerminal(text)));
    },
    json: (value) => out(`${jsonForTerminal(value)}\n`),
    raw(text) {
      if (text !== "") out(lines(text));
    },
    tell: (line) => err(`${oneLine(line)}\n`),
    progress(line) {
      isTerminal ??= streams.isTerminal?.() ?? false;
      if (!isTerminal) return false;
      streams.err(`${isShown ? ERASE : ""}${clipWithin(oneLine(line), WIDTH)}`);
      isShown = true;
      return true;
    },
    complain(message, hint) {
      const more = hint === undefined ? "" : `\n  ${forTerminal(hint)}`;
      err(`continuo: ${oneLine(message)}${more}\n`);
    },
  };
}

/** To the beginning of the line, and nothing after it. */
const ERASE = "\r\u001b[K";
/** A longer line would wrap, and only its last row would be erased. */
const WIDTH = 79;
