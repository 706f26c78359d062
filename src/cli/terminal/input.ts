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

const WAIT = new Int32Array(new SharedArrayBuffer(4));

/** Everything on a file descriptor as text, up to a bound. */
export function readInput(descriptor: number, maxBytes: number, name = "standard input"): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const got = readSome(descriptor, chunk);
    if (got === 0) break;
    size += got;
    if (size > maxBytes)
      throw new ContinuoError("input-too-large", `${name} has more than ${maxBytes / 2 ** 20} MB`, {
        hint: "keep large texts as files of their own and write a note about them",
      });
    chunks.push(chunk.subarray(0, got));
  }
  const bytes = Buffer.concat(chunks);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // No UTF-8, and so no text that a note can have.
  }
  throw new ContinuoError("input-not-text", `${name} is not UTF-8 text`, {
    hint: "notes are text; convert it first",
  });
}

function readSome(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      if (systemCode(error) === "EOF") return 0;
      if (systemCode(error) !== "EAGAIN") throw error;
      Atomics.wait(WAIT, 0, 0, 5); // a pipe that does not block
    }
  }
}
