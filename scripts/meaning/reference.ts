// Makes the fixture that the tokenizer is checked against. Needs Python with tokenizers==0.22.2:
//   node scripts/meaning/reference.ts VOCAB
// One line a text: the text, and the hash of the pieces that the reference makes of it.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { wordsOf } from "../../src/search/meaning/tokenize.ts";
import { hashOfPieces } from "../../test/search/meaning/hash-of-pieces.ts";
import { textsFor } from "./reference-texts.ts";

const root = join(import.meta.dirname, "../..");
const vocabulary = process.argv[2] ?? "";
const surrounded = (code: number) => `a${String.fromCodePoint(code)}b`;

/** The tokenizer takes these for spaces before `wordsOf` is asked. */
const SPACES = [9, 10, 13];
/** Characters that the reference, whose tables are of Unicode 8, treats in another way than Node. */
const every = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => (code < 0xd800 && !SPACES.includes(code)) || code > 0xdfff,
);
const treated = piecesOf(every.map(surrounded), join(root, "scripts/meaning/reference-words.py"));
const differing = every.filter((code, i) => wordsOf(surrounded(code)).join(" ") !== treated[i]?.join(" "));
console.log(`${differing.length} characters differ: ${ranges(differing)}`);

const excluded = new Set(differing);
const texts = textsFor(root, vocabulary, (code) => !excluded.has(code));
const pieces = piecesOf(texts, join(root, "scripts/meaning/reference.py"));
const lines = texts.map((text, i) => JSON.stringify([text, hashOfPieces(pieces[i] ?? [])]));
const fixture = gzipSync(`${lines.join("\n")}\n`, { level: 9 });
writeFileSync(join(root, "test/search/meaning/fixtures/reference.jsonl.gz"), fixture);
console.log(
  `${texts.length} texts, ${new Set(pieces.flat()).size} different pieces, ${fixture.length} bytes`,
);

function piecesOf(inputs: readonly string[], script: string): string[][] {
  const input = inputs.map((text) => JSON.stringify(text)).join("\n");
  const { stdout, stderr, status } = spawnSync("python3", [script, vocabulary], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string[]);
}

function ranges(codes: readonly number[]): string {
  const found: [number, number][] = [];
  for (const code of codes) {
    const last = found.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else found.push([code, code]);
  }
  const hex = (code: number) => code.toString(16);
  return found.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join(" ");
}
