import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { locateMeaning, Table } from "../../../src/search/meaning/table.ts";
import { Tokenizer } from "../../../src/search/meaning/tokenize.ts";
import { hashOfPieces } from "./hash-of-pieces.ts";
import { tableFile } from "./table-file.ts";

/** Made by scripts/meaning/reference.ts with Hugging Face's tokenizer. */
const cases = gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/reference.jsonl.gz")))
  .toString()
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as [text: string, hash: number]);

describe("the tokenizer", () => {
  it("splits 10,000 texts of all kinds into the same pieces as the reference", () => {
    const shipped = new Table(locateMeaning());
    const pieces = [...shipped.pieces.all().keys()].sort();
    shipped.close();
    // The shipped table has no row for pieces that say nothing: here each has its own, which tells it from the others.
    using file = tableFile(pieces.map((text) => ({ text, vector: new Float32Array(8).fill(1) })));
    const table = new Table(file.path);
    const tokenizer = new Tokenizer(table.pieces);
    const piecesOf = (text: string) =>
      Array.from(tokenizer.read(text), (row) => (row === 0 ? "[UNK]" : (pieces[row - 1] ?? "")));
    expect(cases.length).toBeGreaterThanOrEqual(10_000);
    // Twice: the second time words come from the cache.
    for (const round of ["first", "second"]) {
      const wrong = cases.filter(([text, hash]) => hashOfPieces(piecesOf(text)) !== hash);
      expect(wrong.map(([text]) => [round, text, piecesOf(text)])).toEqual([]);
    }
    table.close();
  });
});
