import { collapse } from "../base/text.ts";
import { STOP_WORDS } from "./words.ts";

/**
 * Selects the sentences that are most useful to someone who comes back to the work: those that name things, give
 * numbers, say what is open, decided or why. Sentences are quoted as they are, never rewritten.
 */
interface Sentence {
  readonly text: string;
  readonly weight: number;
}

/** Only this many characters of a text are read, because what matters is at its beginning. */
const MAX_TEXT = 6_000;
const MAX_SENTENCES = 60;
const CODE_BLOCK = /^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))/gm;
const LIST_MARK = /^[ \t]*(?:[-*+>]|\d{1,3}[.)]|#{1,6})[ \t]+/;
/**
 * Where a sentence ends. A full stop inside a name or a number does not count: the next sentence must begin like one.
 */
const END = /(?<=[.!?;…]["')\]`*_]*)\s+(?=[\p{L}\p{N}`"'“(*[])|(?<=[。！？；])/u;

/** Sentences and list items, without code blocks, tables and headings. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text.slice(0, MAX_TEXT).toWellFormed().replace(CODE_BLOCK, "\n");
  const found: Sentence[] = [];
  for (const line of prose.split("\n")) {
    if (/^\s*(?:#{1,6}\s|\||[-=_*]{3,}\s*$)/.test(line)) continue;
    for (const part of line.replace(LIST_MARK, "").split(END)) {
      const sentence = collapse(part.replace(/\*\*|__/g, ""));
      if (!/[\p{L}\p{N}]/u.test(sentence)) continue;
      if (found.length === MAX_SENTENCES) return found;
      found.push({ text: sentence, weight: weightOf(sentence) });
    }
  }
  return found;
}

/** Words for what is open, decided, forbidden or explained, in English and six other languages. */
const CUE =
  /\b(?:\w+n['’]t|not|never|only|always|must|still|todo|next|tomorrow|later|missing|fail(?:s|ed|ing|ures?)?|open|remain(?:s|ing)|wait(?:s|ing)?|blocked|until|before|needs?|ha(?:s|ve) to|agreed|decided|instead|because|on purpose|left|pending|continue|broken|flaky|nicht|noch|immer|nie|muss|morgen|wegen|weil|entschieden|offen|fehlt|pas encore|jamais|toujours|demain|parce que|reste|todavía|nunca|siempre|mañana|porque|falta|ainda|sempre|amanhã)\b|还|没有|不要|必须|明天|因为|まだ|必ず|明日|失敗|未/iu;

/** Sentences with less weight are like "ok", "nice work", "run the tests". */
const LEAST = 2;

/** How much information a sentence has; 0 for next to none. */
export function weightOf(sentence: string): number {
  let weight = 0;
  for (const word of sentence.match(/[\p{L}\p{N}_@#$](?:[\p{L}\p{N}_./:#@-]*[\p{L}\p{N}_])?/gu) ?? []) {
    if (STOP_WORDS.has(word.toLowerCase())) continue;
    // Identifiers, paths, numbers, versions: information that nobody can guess.
    if (/[_./#@\d]|\p{Ll}\p{Lu}/u.test(word)) weight += 1.6;
    else
      weight += /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(word)
        ? word.length / 3
        : word.length > 6
          ? 1
          : 0.6;
  }
  weight += (sentence.match(/`[^`]+`/g)?.length ?? 0) * 0.8;
  // Names of people and products.
  weight += (sentence.match(/(?<=[\p{L},] )\p{Lu}\p{Ll}+/gu)?.length ?? 0) * 0.5;
  if (weight < LEAST) return 0;
  return CUE.test(sentence) ? weight * 1.5 : weight;
}
