import { readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { forTerminal } from "../../base/for-terminal.ts";
import type { Input, World } from "../command.ts";

/** Asks the person at the terminal. The question goes to the error output: the other one may be read by a program. */
export type Ask = (question: string) => string | undefined;

export function canAsk({ stdin }: World): boolean {
  return isatty(stdin);
}

/** Answers come line by line; undefined when there are no more. */
export function asker({ stdin }: World): Ask {
  let rest = "";
  return (question) => {
    writeSync(2, forTerminal(question));
    for (;;) {
      const end = rest.indexOf("\n");
      if (end >= 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return line.replace(/\r$/, "").trim();
      }
      const more = readMore(stdin);
      if (more === "") return undefined;
      rest += more;
    }
  };
}

function readMore(stdin: number): string {
  const bytes = Buffer.alloc(4096);
  for (;;) {
    try {
      return bytes.toString("utf8", 0, readSync(stdin, bytes, 0, bytes.length, null));
    } catch (error) {
      if (systemCode(error) === "EOF") return "";
      if (systemCode(error) !== "EAGAIN") throw error;
      // Somebody made the terminal non-blocking: wait a little and look again.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** `--yes`, or a yes at the terminal; a program that can say neither is told how. */
export function confirmed(input: Input, question: string): boolean {
  if (input.values["yes"] === true) return true;
  if (!canAsk(input)) {
    throw new ContinuoError("not-confirmed", `${question} Nobody is here to ask.`, {
      hint: "say it with --yes",
    });
  }
  return /^y(es)?$/i.test(asker(input)(`${question} [y/N] `) ?? "");
}
