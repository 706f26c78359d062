import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askKey } from "../../../src/cli/terminal/key-asker.ts";

const HINT = "Press one of these keys:";

let stdin: PassThrough;
let shown: string;

beforeEach(() => {
  shown = "";
  stdin = new PassThrough();
  const terminal = Object.assign(stdin, { setRawMode: () => terminal });
  vi.spyOn(process, "stdin", "get").mockReturnValue(terminal as never);
  vi.spyOn(fs, "writeSync").mockImplementation((_, bytes) => {
    shown += String(bytes);
    return bytes.length;
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** The key when these come one after the other, each once the one before has been read; null if none of them was taken. */
async function keyFrom(...chunks: string[]): Promise<string | undefined | null> {
  const answer = askKey("Accept it?", "[a]ccept [r]eject", "ar");
  for (const chunk of chunks) {
    stdin.write(chunk);
    await vi.waitFor(() => expect(stdin.readableLength).toBe(0));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const key = await Promise.race([answer, new Promise<null>((resolve) => setImmediate(resolve, null))]);
  stdin.end();
  await answer;
  return key;
}

describe("a question with one key", () => {
  it.each(["a", "A", "a\r", "a\n", "a\r\n"])("takes %j, with Enter or without", async (typed) => {
    expect(await keyFrom(typed)).toBe("a");
    expect(shown).not.toContain(HINT);
  });

  it("says which keys there are each time that it does not understand, and goes on", async () => {
    expect(await keyFrom("x", "\r", "\x1b[A", "r")).toBe("r");
    expect(shown.split(HINT)).toHaveLength(4);
  });

  it.each(["accept all of them", "a\ra\r", "ar", "r\n\nr", "a \r"])(
    "a pasted text decides nothing: %j",
    async (text) => {
      expect(await keyFrom(text)).toBeNull();
      expect(shown).toContain(HINT);
    },
  );

  it("Ctrl-C leaves, also with what was typed before it", async () => {
    for (const typed of ["\x03", "\x04", "xy\x03"]) expect(await keyFrom(typed)).toBeUndefined();
  });
});
