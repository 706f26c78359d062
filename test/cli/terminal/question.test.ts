import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { choiceAsker, INTERRUPTED } from "../../../src/cli/terminal/input.ts";

const QUESTION = "Connect Claude Code? [Y/n] ";

let stdin: PassThrough;

beforeEach(() => {
  stdin = new PassThrough();
  const terminal = Object.assign(stdin, { setRawMode: () => terminal });
  vi.spyOn(process, "stdin", "get").mockReturnValue(terminal as never);
});
afterEach(() => vi.restoreAllMocks());

/** The answer when these come one after the other, each once the one before has been read. */
async function answerTo(...chunks: string[]): Promise<string | undefined> {
  const answer = choiceAsker()(QUESTION);
  answer.catch(() => undefined);
  for (const chunk of chunks) {
    stdin.write(chunk);
    await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
  }
  return answer;
}

describe("a question", () => {
  it("Esc alone leaves it, as Ctrl-C does", async () => {
    for (const key of ["\x1b", "\x1b\x1b", "\x03"])
      await expect(answerTo(key)).rejects.toMatchObject({
        code: INTERRUPTED,
        message: "Nothing was changed.",
      });
  });

  it.each([
    ["Alt with n", ["\x1bn"]],
    ["an unfinished sequence and n", ["\x1b[", "n"]],
    ["an unfinished sequence", ["\x1b["]],
    ["a function key", ["\x1bOP"]],
    ["an arrow key", ["\x1b[A"]],
    ["a control character", ["\x1a"]],
  ])("Enter after %s asks again", async (_, keys) => {
    expect(await answerTo(...keys, "\r", "n\r")).toBe("n");
  });

  it("Enter alone is the usual answer, also when it was asked again", async () => {
    expect(await answerTo("\r")).toBe("");
    expect(await answerTo("\x1bn", "\r", "\r")).toBe("");
  });

  it("takes what is typed after a key that does nothing", async () => {
    expect(await answerTo("\x1bn", "n", "\r")).toBe("n");
    expect(await answerTo("\x7f", "ny", "\x7f", "\r")).toBe("n");
  });

  it("a carriage return and a line feed are one Enter", async () => {
    expect(await answerTo("n\r\n")).toBe("n");
  });
});
