import { readSync, writeSync } from "node:fs";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { forTerminal, oneLine } from "../../base/for-terminal.ts";
import { notAsked } from "../../moments/actions/not-asked.ts";
import type { Input, World } from "../command.ts";
import { nextTyped } from "./key-asker.ts";
import { ESCAPE_MS, type Key, readKeys, readRest } from "./keys.ts";
import { print } from "./print.ts";
import { withRestored } from "./restored.ts";
import { PLAIN } from "./screen.ts";
import { wrapOn } from "./wrap.ts";

/** Reads a file descriptor to its end as text, up to a limit. */
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
    // Not UTF-8, so it cannot be a note's text.
  }
  throw new ContinuoError("input-not-text", `${name} is not UTF-8 text`, {
    hint: "convert it to UTF-8 first",
  });
}

/** Asks the user at the terminal. The question goes to stderr, because a program may be reading stdout. */
export type Ask = (question: string) => string | undefined | Promise<string | undefined>;

export function canAsk({ stdin }: World): boolean {
  // Not imported: it loads the network modules, which takes 3 ms in every hook that reads this bundle.
  return process.getBuiltinModule("node:tty").isatty(stdin);
}

/** Reads one line per answer; undefined at the end of the input. */
export function asker({ stdin }: World): (question: string) => string | undefined {
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

/** The user cancelled at a question. All questions come before the first change, so there is nothing to undo. */
export function interrupted(): ContinuoError {
  return new ContinuoError(INTERRUPTED, "Nothing was changed.");
}

export const INTERRUPTED = "interrupted";

/**
 * For questions with few answers, such as yes and no. Reads single keys, unlike `asker`, so that it sees Ctrl-C, which
 * would otherwise end the process silently; Esc cancels too. Enter alone stands for the usual answer; after an invalid
 * key it asks again, because the user may have meant another answer. Undefined at the end of the input.
 */
export function choiceAsker(): (question: string) => Promise<string | undefined> {
  const { stdin } = process;
  let waiting: Key[] = [];
  let rest = "";
  const nextKey = async (): Promise<Key | undefined> => {
    while (waiting.length === 0) {
      const alone = readRest(rest);
      const chunk = await nextTyped(stdin, alone.length > 0 ? ESCAPE_MS : undefined);
      if (chunk === "") return undefined;
      const read = chunk === undefined ? { keys: alone, rest: "" } : readKeys(rest, chunk);
      [waiting, rest] = [[...read.keys], read.rest];
    }
    return waiting.shift();
  };
  const answer = async (question: string): Promise<string | undefined> => {
    print(2, question);
    for (let typed = "", isUnsure = false; ; ) {
      const key = await nextKey();
      if (key === undefined || (key.name === "eof" && typed === "")) {
        print(2, "\n");
        return undefined;
      }
      if (key.name === "interrupt" || key.name === "escape") {
        print(2, key.name === "escape" ? "\n" : "^C\n");
        throw interrupted();
      }
      if (key.name === "enter") {
        print(2, "\n");
        return isUnsure && typed.trim() === "" ? answer(question) : typed.trim();
      }
      if (key.name === "backspace") {
        if (typed !== "") print(2, "\b \b");
        typed = [...typed].slice(0, -1).join("");
      } else if (key.name === "text") {
        typed += key.text;
        print(2, oneLine(key.text));
      } else {
        isUnsure = true;
      }
    }
  };
  return (question) =>
    withRestored(
      () => {
        stdin.pause();
        stdin.setRawMode(false);
      },
      () => {
        stdin.setRawMode(true);
        return answer(forTerminal(question));
      },
    );
}

/** True with `--yes`, or if the user at the terminal says yes. Without either, the error says how to confirm. */
export async function confirmed(input: World & Partial<Input>, question: string): Promise<boolean> {
  if (input.values?.["yes"] === true) return true;
  if (!canAsk(input)) {
    throw notAsked();
  }
  const asked = wrapOn(`${question} [y/N]`, input.screen ?? PLAIN, { hang: 2 });
  return /^y(es)?$/i.test((await choiceAsker()(`${asked} `)) ?? "");
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
