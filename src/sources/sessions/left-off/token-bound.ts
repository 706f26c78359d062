import { countTokens } from "../../../compose/tokens.ts";

/** How much too low the estimate of ordinary text may be. */
const MARGIN = 1.05;
/** Letters that are no word, such as a key or a name of one piece: only a few of them share a token. */
const NO_WORD = /[a-z]{17,}|[a-z]*[bcdfghjklmnpqrstvwxz]{5}[a-z]*|[A-Z]{5,}/g;
const NO_WORD_COST = 0.65;
/** Mixed punctuation, which no text needs. */
const SIGNS = /[!-/:-@[-`{-~]{3,}/g;

/**
 * About the most tokens that a text can cost, for a limit that must hold for any text: `countTokens` is right for ordinary
 * text, but rare characters and letters that form no words cost several times its estimate.
 */
export function tokenBound(text: string): number {
  let plain = "";
  let others = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) plain += character;
    else others += costOf(code);
  }
  const noWords = lengthOf(plain, NO_WORD) * NO_WORD_COST;
  return Math.ceil(countTokens(plain) * MARGIN + noWords + lengthOf(plain, SIGNS) + others);
}

function lengthOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.join("").length ?? 0;
}

/** Of o200k, each character for itself: the mean of its script, and what single rare ones cost more. */
function costOf(code: number): number {
  if (code < 0x100) return 1.1;
  if (code >= 0x10000) return 4;
  if (code >= 0x3040 && code < 0x3100) return 1.3; // kana
  if (code >= 0xac00 && code < 0xd7b0) return 2.5; // Hangul
  if (code >= 0x2190 && code < 0x2e80) return 3; // symbols
  return 2.1;
}

/** The beginning of a text that costs at most `most`, cut after a word if possible; "" if nothing fits. */
export function clipToTokens(text: string, most: number): string {
  if (tokenBound(text) <= most) return text;
  let characters = [...text];
  for (;;) {
    // Each step removes a tenth: the bound is not linear.
    characters = characters.slice(0, Math.floor(characters.length * 0.9));
    if (characters.length < 4) return "";
    const cut = `${atWord(characters.join(""))} …`;
    if (tokenBound(cut) <= most) return cut;
  }
}

function atWord(text: string): string {
  const word = /^[\s\S]*\S(?=\s)/.exec(text)?.[0] ?? "";
  return (word.length > text.length * 0.6 ? word : text).replace(/[\s,;:–-]+$/, "");
}
