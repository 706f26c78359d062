import { isContinuoError } from "../../base/errors.ts";
import type { Meaning } from "../meaning/embed.ts";
import { quantise, ROW_BYTES } from "./quantise.ts";
import { NOTHING, type SegmentVectors } from "./store.ts";

/** What makes vectors of texts. */
export type TextMeaning = Pick<Meaning, "version" | "embed">;

/** Opens the table of meaning when it is first needed; undefined when there is none that can be used. Does not throw. */
export type MeaningSource = () => TextMeaning | undefined;

/** Rows are added in blocks of this many. */
const BLOCK = 256;

/** Makes the vectors of the passages of one transaction. */
export class VectorBuilder {
  private readonly source: MeaningSource;
  private meaning: TextMeaning | undefined;
  private isAvailable = true;
  private isBlank = true;
  private alignments = new Uint16Array(BLOCK);
  private data = new Uint8Array(BLOCK * ROW_BYTES);
  private count = 0;

  constructor(source: MeaningSource) {
    this.source = source;
  }

  /** The number of the text's row; -1 for a text without a vector. */
  add(text: string): number {
    if (text.trim() === "") return -1;
    this.isBlank = false;
    const vector = this.embed(text);
    if (vector === undefined) return -1;
    if (this.count === this.alignments.length) this.grow();
    const row = this.count++;
    this.alignments[row] = quantise(vector, this.data.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES));
    return row;
  }

  /** The vectors in these rows; undefined when they are pending: without a table, or when it turned out to be damaged. */
  take(rows: readonly number[]): SegmentVectors | undefined {
    if (!this.isAvailable) return undefined;
    const taken = {
      // Names of sessions, for example, are searched by words only.
      made: this.isBlank ? NOTHING : (this.meaning?.version ?? ""),
      alignments: new Uint16Array(rows.length),
      data: new Uint8Array(rows.length * ROW_BYTES),
    };
    for (const [to, row] of rows.entries()) {
      if (row < 0) continue;
      taken.alignments[to] = this.alignments[row] as number;
      taken.data.set(this.data.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES), to * ROW_BYTES);
    }
    return taken;
  }

  private embed(text: string): Float32Array | undefined {
    if (!this.isAvailable) return undefined;
    this.meaning ??= this.source();
    this.isAvailable = this.meaning !== undefined;
    try {
      return this.meaning?.embed(text);
    } catch (error) {
      if (!isContinuoError(error)) throw error;
      // Damaged: indexing goes on with words alone, and the passages stay pending.
      this.isAvailable = false;
      return undefined;
    }
  }

  private grow(): void {
    const alignments = new Uint16Array(this.count * 2);
    alignments.set(this.alignments);
    this.alignments = alignments;
    const data = new Uint8Array(this.count * 2 * ROW_BYTES);
    data.set(this.data);
    this.data = data;
  }
}
