import { normalized } from "../../base/text.ts";

/** Removed, so that what is on both sides becomes one word. Only half of a surrogate pair becomes U+FFFD before. */
const REMOVED = /[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu;
/** BERT's own list of Chinese characters, each of which is a word. */
const CHINESE =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
/** A word, or one punctuation mark; of ASCII, symbols are punctuation too. */
const WORDS = /[^\s\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;

/**
 * The words of a text as BERT's uncased tokenizer forms them, after camelCase is split. For text that is not ASCII; for
 * the rest tokenize.ts has a faster way. The reference knows Unicode 8: a character of a later version, or one whose
 * category has changed since, may be a letter there and a mark or a punctuation mark here. No piece contains one.
 */
export function wordsOf(text: string): readonly string[] {
  const cleaned = text
    .toWellFormed()
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(REMOVED, "")
    .replace(CHINESE, " $& ");
  const plain = normalized(cleaned, "NFD").replace(/\p{Mn}/gu, "");
  // Character by character, the small form of a sigma does not depend on what follows it.
  return plain.replaceAll("Σ", "σ").toLowerCase().match(WORDS) ?? [];
}
