import { isContinuoError } from "../../base/errors.ts";
import { quantise, ROW_BYTES } from "./quantise.ts";
import { emptyRows, NOTHING, type Rows, type SegmentVectors } from "./store.ts";

/** What makes vectors of texts. */
export interface TextMeaning {
  readonly version: string;
  /** The unit vector of its meaning; undefined for a text without a known word. */
  embed(text: string): Float32Array | undefined;
  /** Whether this is a known word, and so not a typing error. */
  isWord?(word: string): boolean;
}

/** Opens the table of meaning when first needed; undefined if none can be used. Never throws. */
export type MeaningSource = () => TextMeaning | undefined;

/**
 * The vectors of a segment's passages, computed from these texts. undefined if they stay pending, because the table is
 * missing or damaged: then passages are indexed by words alone.
 */
export function vectorsFor(texts: readonly string[], source: MeaningSource): SegmentVectors | undefined {
  // Names of sessions, for example, are searched only by words.
  if (texts.every(isBlank)) return { made: NOTHING, ...emptyRows(0) };
  const meaning = source();
  const rows = meaning && rowsFor(texts, meaning);
  return meaning && rows && { made: meaning.version, ...rows };
}

/** A row for each text, without a vector if it has no known word. undefined if the table is damaged. */
export function rowsFor(texts: readonly string[], meaning: TextMeaning): Rows | undefined {
  const rows = emptyRows(texts.length);
  try {
    for (const [at, text] of texts.entries()) {
      const vector = isBlank(text) ? undefined : meaning.embed(text);
      if (vector === undefined) continue;
      rows.alignments[at] = quantise(vector, rows.data.subarray(at * ROW_BYTES, (at + 1) * ROW_BYTES));
    }
  } catch (error) {
    if (isContinuoError(error)) return undefined;
    throw error;
  }
  return rows;
}

const isBlank = (text: string): boolean => text.trim() === "";
