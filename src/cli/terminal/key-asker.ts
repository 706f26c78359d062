import { forTerminal } from "../../base/for-terminal.ts";
import { print } from "./print.ts";
import { withRestored } from "./restored.ts";

/** Asks for one of these keys, which `prompt` names. */
export type AskKey = (question: string, prompt: string, keys: string) => Promise<string | undefined>;

/**
 * One key; Enter is not needed, but may follow. Anything else repeats the prompt; undefined at the end of the input and
 * for Ctrl-C.
 */
export const askKey: AskKey = (question, prompt, keys) => {
  const { stdin } = process;
  return withRestored(
    () => {
      stdin.pause();
      stdin.setRawMode(false);
    },
    async () => {
      stdin.setRawMode(true);
      print(2, forTerminal(`${question}\n${prompt} `));
      for (;;) {
        const typed = await nextTyped(stdin);
        if (typed === "" || typed.includes("\x03") || typed === "\x04") return undefined;
        // A pasted text or an arrow key is not a valid key.
        const key = typed.toLowerCase().replace(/(?:\r\n?|\n)$/, "");
        if (key.length === 1 && keys.includes(key)) {
          print(2, `${key}\n`);
          return key;
        }
        print(2, forTerminal(`\nPress one of these keys:\n${prompt} `));
      }
    },
  );
};

/**
 * Not read with `readSync`, which would prevent this process from noticing that it should stop. Empty at the end of the
 * input; undefined if nothing is typed for this many milliseconds.
 */
export function nextTyped(stdin: NodeJS.ReadStream): Promise<string>;
export function nextTyped(stdin: NodeJS.ReadStream, most?: number): Promise<string | undefined>;
export function nextTyped(stdin: NodeJS.ReadStream, most?: number): Promise<string | undefined> {
  if (stdin.readableEnded || stdin.destroyed) return Promise.resolve("");
  return new Promise((resolve) => {
    const done = (typed: string | undefined) => {
      clearTimeout(timer);
      // Further typed keys stay in the terminal for the next reader.
      stdin.pause();
      stdin.off("data", onData).off("end", onEnd).off("error", onEnd);
      resolve(typed);
    };
    const onData = (chunk: Buffer | string) => done(chunk.toString());
    const onEnd = () => done("");
    const timer = most === undefined ? undefined : setTimeout(() => done(undefined), most);
    stdin.on("data", onData).on("end", onEnd).on("error", onEnd);
    stdin.resume();
  });
}
