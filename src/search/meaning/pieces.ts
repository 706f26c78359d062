import { bucketOf, bucketSeed, checksum, damaged, type Header, hashStart, hashStep } from "./format.ts";

/**
 * The word pieces, searched directly in the bytes of the file: nothing is parsed, and a bucket is checked when first
 * used.
 */
export class Pieces {
  readonly #header: Header;
  readonly #directory: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #hashes: Int32Array;

  /** `index`: directory and buckets, as in the file. */
  constructor(header: Header, index: ArrayBuffer) {
    const at = 4 * (header.buckets + 1);
    this.#header = header;
    this.#directory = new Uint32Array(index, 0, header.buckets + 1);
    this.#words = new Uint32Array(index, at);
    this.#bytes = new Uint8Array(index, at);
    this.#isChecked = new Uint8Array(header.buckets);
    this.#hashes = new Int32Array(header.longestPiece);
  }

  /**
   * The longest piece that is a prefix of `word` from `from` on, as its end times 65536 plus its row number; 0 if there
   * is none.
   */
  match(word: Uint8Array, from: number, to: number): number {
    const most = Math.min(to - from, this.#header.longestPiece);
    const flag = from > 0 ? 128 : 0;
    let hash = hashStart(from > 0);
    for (let at = 0; at < most; at++) {
      hash = hashStep(hash, word[from + at] ?? 0);
      this.#hashes[at] = hash;
    }
    for (let length = most; length > 0; length--) {
      const row = this.#find(this.#hashes[length - 1] ?? 0, word, from, length, length | flag);
      if (row >= 0) return (from + length) * 65536 + row;
    }
    return 0;
  }

  #find(hash: number, word: Uint8Array, from: number, length: number, mark: number): number {
    const bucket = bucketOf(hash, this.#header.buckets);
    if (this.#isChecked[bucket] !== 1) this.#check(bucket);
    const bytes = this.#bytes;
    const end = (this.#directory[bucket + 1] ?? 0) - 4;
    for (let at = this.#directory[bucket] ?? 0; at < end && bytes[at] !== 0; ) {
      if (bytes[at] === mark) {
        let same = 0;
        while (same < length && bytes[at + 3 + same] === word[from + same]) same++;
        if (same === length) return (bytes[at + 1] ?? 0) + 256 * (bytes[at + 2] ?? 0);
      }
      at += 3 + ((bytes[at] ?? 0) & 127);
    }
    return -1;
  }

  #check(bucket: number): void {
    const from = (this.#directory[bucket] ?? 0) / 4;
    const to = (this.#directory[bucket + 1] ?? 0) / 4 - 1;
    const words = this.#words;
    const isInside = Number.isInteger(from) && Number.isInteger(to) && from <= to && to < words.length;
    if (!isInside || checksum(words, from, to, bucketSeed(this.#header.id, bucket)) !== words[to])
      throw damaged("has damaged pieces");
    this.#isChecked[bucket] = 1;
  }

  /** Checks all buckets and returns every piece, written as in the vocabulary, with its row number. */
  all(): Map<string, number> {
    const pieces = new Map<string, number>();
    const decoder = new TextDecoder();
    for (let bucket = 0; bucket < this.#header.buckets; bucket++) {
      this.#check(bucket);
      const end = (this.#directory[bucket + 1] ?? 0) - 4;
      for (let at = this.#directory[bucket] ?? 0; at < end && this.#bytes[at] !== 0; ) {
        const mark = this.#bytes[at] ?? 0;
        const text = decoder.decode(this.#bytes.subarray(at + 3, at + 3 + (mark & 127)));
        const row = (this.#bytes[at + 1] ?? 0) + 256 * (this.#bytes[at + 2] ?? 0);
        pieces.set(mark > 127 ? `##${text}` : text, row);
        at += 3 + (mark & 127);
      }
    }
    return pieces;
  }
}
