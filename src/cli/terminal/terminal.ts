import { forTerminal, jsonForTerminal, oneLine } from "../../base/for-terminal.ts";

/** Where output goes in the end. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
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
  complain(message: string, hint?: string): void;
}

export function terminalOver({ out, err }: Streams): Terminal {
  const lines = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
  return {
    say(text) {
      if (text !== "") out(lines(forTerminal(text)));
    },
    json: (value) => out(`${jsonForTerminal(value)}\n`),
    raw(text) {
      if (text !== "") out(lines(text));
    },
    tell: (line) => err(`${oneLine(line)}\n`),
    complain(message, hint) {
      const more = hint === undefined ? "" : `\n  ${forTerminal(hint)}`;
      err(`continuo: ${oneLine(message)}${more}\n`);
    },
  };
}
