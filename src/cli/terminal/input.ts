import { readSync, writeSync } from "node:fs";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { forTerminal } from "../../base/for-terminal.ts";
import type { Input, World } from "../command.ts";

/** Everything on a file descriptor as text, up to a limit. */
export function readInput(descriptor: number, maxBytes: number, name = "standard input"): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = readChunk(descriptor, 64 * 1024);
    if (chunk.length === 0) break;
    size += chunk.length;
    if (size > maxBytes)
      throw new ContinuoError("input-too-large", `${name} has more than ${maxBytes / 2 ** 20} MB`, {
        hint: "keep large texts as separate files and write a note about them",
      });
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8, so not a text that a note can have.
  }
  throw new ContinuoError("input-not-text", `${name} is not UTF-8 text`, {
    hint: "convert it to UTF-8 first",
  });
}

/** Asks the person at the terminal. The question goes to stderr: a program may be reading stdout. */
export type Ask = (question: string) => string | undefined;

export function canAsk({ stdin }: World): boolean {
  // Not imported: it loads the network modules, 3 ms of every hook that reads the file in which this is bundled.
  return process.getBuiltinModule("node:tty").isatty(stdin);
}

/** Reads one line per answer; undefined at the end of the input. */
export function asker({ stdin }: World): Ask {
  let unread = "";
  return (question) => {
    writeSync(2, forTerminal(question));
    for (;;) {
      const end = unread.indexOf("\n");
      if (end >= 0) {
        const line = unread.slice(0, end);
        unread = unread.slice(end + 1);
        return line.replace(/\r$/, "").trim();
      }
      const more = readChunk(stdin, 4096).toString("utf8");
      if (more === "") return undefined;
      unread += more;
    }
  };
}

/** One key without Enter. Any other key says once which ones there are; undefined at the end of the input and for Ctrl-C. */
export function keyAsker({ stdin }: World): (question: string, keys: string) => string | undefined {
  return (question, keys) => {
    process.stdin.setRawMode(true);
    try {
      writeSync(2, forTerminal(question));
      for (let told = false; ; told = true) {
        const typed = readChunk(stdin, 4096).toString("utf8");
        if (typed === "" || typed === "\x03" || typed === "\x04") return undefined;
        // A pasted text or an arrow key is none of the keys.
        const key = typed.toLowerCase();
        if (key.length === 1 && keys.includes(key)) {
          writeSync(2, `${key}\n`);
          return key;
        }
        if (!told) writeSync(2, `\nPress one of these keys: ${[...keys].join(" ")}. `);
      }
    } finally {
      process.stdin.setRawMode(false);
    }
  };
}

/** True with `--yes`, or if the person at the terminal says yes. Without either, the error says how to confirm. */
export function confirmed(input: Input, question: string): boolean {
  if (input.values["yes"] === true) return true;
  if (!canAsk(input)) {
    throw new ContinuoError("not-confirmed", "not confirmed: there is no terminal to ask on", {
      hint: "confirm with --yes",
    });
  }
  return /^y(es)?$/i.test(asker(input)(`${question} [y/N] `) ?? "");
}

const WAIT = new Int32Array(new SharedArrayBuffer(4));

/** Empty at the end of the input. */
function readChunk(descriptor: number, size: number): Buffer {
  const chunk = Buffer.allocUnsafe(size);
  for (;;) {
    try {
      return chunk.subarray(0, readSync(descriptor, chunk, 0, size, null));
    } catch (error) {
      if (systemCode(error) === "EOF") return chunk.subarray(0, 0);
      if (systemCode(error) !== "EAGAIN") throw error;
      Atomics.wait(WAIT, 0, 0, 10); // the terminal or pipe is non-blocking and has nothing yet
    }
  }
}
