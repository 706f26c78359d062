/**
 * A term is a stem: "product", "products" and "production" are one. Which of these forms occurs is kept as one of three
 * classes, so that the exact word can rank above its stem. Three are enough to tell most words of one stem apart and need
 * no byte more for most occurrences (postings.ts).
 */
export const BASE = 0x20;
/** A plural of the base, or a word that ends in -ed or -ing. */
export const INFLECTED = 0x40;
/** Any other: "production", "productive". */
export const DERIVED = 0x80;
export const FORMS = BASE | INFLECTED | DERIVED;

/** The class of a folded word with this stem. */
export function formOf(word: string, stem: string): number {
  if (isBase(word, stem)) return BASE;
  const singulars = word.endsWith("s") && !word.endsWith("ss") ? singularsOf(word) : [];
  if (singulars.some((one) => isBase(one, stem))) return INFLECTED;
  return /(?:ed|ing)s?$/.test(word) ? INFLECTED : DERIVED;
}

/** The stem itself, or with the end that stemming changes: "cach" for "cache", "queri" for "query", "instal" for "install". */
function isBase(word: string, stem: string): boolean {
  if (word.length === stem.length) return word === stem || (word.endsWith("y") && stem.endsWith("i"));
  return word.length === stem.length + 1 && word.startsWith(stem) && /(?:e|ll)$/.test(word);
}

const singularsOf = (word: string): string[] => [
  word.slice(0, -1),
  word.slice(0, -2),
  `${word.slice(0, -3)}y`,
];
