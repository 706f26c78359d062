import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeTable } from "../../../scripts/meaning/write-table.ts";
import { openMeaning } from "../../../src/search/meaning/embed.ts";
import { checksum } from "../../../src/search/meaning/format.ts";
import { fileOf, tableFile } from "./table-file.ts";

/** Enough pieces for many buckets, so that most of the file is not read for a short text. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const pieces = LETTERS.flatMap((one, i) =>
  LETTERS.slice(0, 8).flatMap((two, j) => {
    const vector = Float32Array.from({ length: 16 }, (_, k) => Math.sin(1 + i * 31 + j * 7 + k * 3));
    return [one + two, `##${one}${two}`, ...(j === 0 ? [one, `##${one}`] : [])].map((text) => ({
      text,
      vector,
    }));
  }),
);
const TEXTS = ["ab cd", "hello bad cafe", "zz top, abc! faded", "a b c d e f g h", "xyz unknown1 ab"];

/** What each text gives: its vector, or the code of the error. */
function answers(path: string): unknown[] {
  const attempt = (act: () => unknown) => {
    try {
      return act();
    } catch (error) {
      return (error as { code?: string }).code ?? error;
    }
  };
  const opened = attempt(() => openMeaning(path));
  if (typeof opened === "string") return TEXTS.map(() => opened);
  const meaning = opened as ReturnType<typeof openMeaning>;
  const given = TEXTS.map((text) => attempt(() => meaning.embed(text)));
  meaning.close();
  return given;
}

const verified = (path: string): unknown => {
  const meaning = openMeaning(path);
  try {
    return meaning.verify();
  } finally {
    meaning.close();
  }
};
const code = (expected: string) => expect.objectContaining({ name: "ContinuoError", code: expected });

describe.each([4, 8] as const)("a damaged table of %i bits", (bits) => {
  using whole = tableFile(pieces, bits);
  const right = answers(whole.path);
  const rightForAb = answersOf(whole.path, "ab");
  const { bytes } = whole;

  function expectNothingWrong(damaged: Uint8Array): void {
    using file = fileOf(damaged);
    answers(file.path).forEach((answer, i) => {
      if (answer !== "meaning-damaged") expect(answer).toEqual(right[i]);
    });
    expect(() => verified(file.path)).toThrow(code("meaning-damaged"));
  }

  it("never gives a wrong vector, and is found out by verify, whichever bit is flipped", () => {
    expect(right.every((answer) => answer instanceof Float32Array)).toBe(true);
    const bit = fc.record({ at: fc.nat(bytes.length - 1), bit: fc.nat(7) });
    fc.assert(
      fc.property(bit, ({ at, bit }) => {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        expectNothingWrong(damaged);
      }),
      { numRuns: 600 },
    );
  });

  it("never gives a wrong vector when a stretch of it was overwritten, moved or exchanged", () => {
    const stretch = fc.record({
      from: fc.nat(bytes.length - 1),
      to: fc.nat(bytes.length - 1),
      length: fc.integer({ min: 1, max: 600 }),
      fill: fc.option(fc.nat(255), { nil: undefined }),
    });
    fc.assert(
      fc.property(stretch, ({ from, to, length, fill }) => {
        const damaged = bytes.slice();
        if (fill === undefined) damaged.copyWithin(to, from, from + length);
        else damaged.fill(fill, from, from + length);
        if (Buffer.compare(damaged, bytes) !== 0) expectNothingWrong(damaged);
      }),
      { numRuns: 300 },
    );
  });

  it("is refused when it is cut off or longer than it should be", () => {
    const longer = Buffer.concat([bytes, Buffer.alloc(4)]);
    for (const length of [0, 1, 63, 64, 100, bytes.length - 1, bytes.length + 4]) {
      using file = fileOf(longer.subarray(0, length));
      expect(() => openMeaning(file.path)).toThrow(code("meaning-damaged"));
    }
  });

  it("is noticed when it is cut off or exchanged for another version while it is open", () => {
    using file = fileOf(bytes);
    const meaning = openMeaning(file.path);
    expect(meaning.embed("ab")).toBeInstanceOf(Float32Array);
    writeFileSync(file.path, writeTable({ version: "other", dimensions: 16, bits, pieces }));
    expect(() => meaning.embed("cd ef")).toThrow(code("meaning-damaged"));
    truncateSync(file.path, 100);
    expect(() => meaning.embed("gh")).toThrow(code("meaning-damaged"));
    // What was read before is still right, also after a failure.
    expect(meaning.embed("ab")).toEqual(rightForAb);
    meaning.close();
  });
});

function answersOf(path: string, text: string): Float32Array | undefined {
  const meaning = openMeaning(path);
  const vector = meaning.embed(text);
  meaning.close();
  return vector;
}

describe("a table that cannot be used", () => {
  it("is reported as missing", () => {
    using file = tableFile(pieces);
    expect(() => openMeaning(join(file.path, "..", "none.bin"))).toThrow(code("meaning-missing"));
  });

  it("is reported as damaged if it is another kind of file or a folder", () => {
    using file = fileOf(Buffer.from("# A note\n".repeat(100)));
    expect(() => openMeaning(file.path)).toThrow(code("meaning-damaged"));
    expect(() => openMeaning(join(file.path, ".."))).toThrow(code("meaning-damaged"));
  });

  it.skipIf(process.platform === "win32")("is not waited for if it is a named pipe", () => {
    using file = tableFile(pieces);
    const pipe = join(file.path, "..", "pipe.bin");
    execFileSync("mkfifo", [pipe]);
    expect(() => openMeaning(pipe)).toThrow(code("meaning-damaged"));
  });

  it("is reported with its format if that is unknown, though it is whole", () => {
    const bytes = writeTable({ version: "1", dimensions: 16, bits: 4, pieces });
    const words = new Uint32Array(bytes.buffer);
    words[2] = 7;
    words[15] = checksum(words, 0, 15, 1);
    using file = fileOf(bytes);
    expect(() => openMeaning(file.path)).toThrow(code("meaning-version"));
    expect(() => openMeaning(file.path)).toThrow("format 7");
  });
});
