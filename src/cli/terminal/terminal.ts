import { forTerminal, jsonForTerminal, oneLine } from "../../base/for-terminal.ts";

/** Where a command's words go in the end. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

/**
 * All that commands print goes through here, and no command has another way: what a terminal would obey never comes from
 * a name, a note or a message. Also when nobody is at a terminal, since what is in a file or a pipe is shown later.
 */
export interface Terminal {
  /** What a person reads; nothing when empty. */
  say(text: string): void;
  /** For programs: exact, with everything invisible as an escape. */
  json(value: unknown): void;
  /** As it is, for a host or a shell that reads it: made by us, with nothing of others that is not escaped. */
  raw(text: string): void;
  /** Beside the answer, a line each. */
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
