import { keyWords } from "../../text.ts";
import { phrases } from "./phrases.ts";

/** Each points at something said before, which nobody sees any more. */
const POINTERS: readonly RegExp[] = [
  /\b(?:this|these|those)\b(?! (?:repo|repository|project|codebase|code base|monorepo|workspace|team|company|machine|computer)\b)/,
  // "That" joins clauses too: it points where nothing, or a mark, follows it, and after some words.
  /\bthat(?=[.,;!)]|$| again| anymore| way| kind| sort| stuff| thing)/,
  /\b(?:do|does|did|like|of|with|for|about|use|using|on|in|to|than|after|before|want|need|prefer) that\b/,
  phrases(`
    (?:such|so)(?! that| an? ) | the (?:same|other|one|former|latter) | there(?! is| are) | here(?![.!]*$) |
    both | either | another one | likewise
  `),
];

/** These may have what they stand for in the same sentence, before them. */
const PRONOUN = /\b(?:it|its|them|they|their|him|her)\b(?! when)/;

export function dangles(content: string): boolean {
  const text = content.toLowerCase().replace(/`[^`]*`/g, "code");
  if (POINTERS.some((pointer) => pointer.test(text))) return true;
  const pronoun = PRONOUN.exec(text);
  return pronoun !== null && meaningful(text.slice(0, pronoun.index)).length < 2;
}

/** The words of the families themselves, and those that could stand for anything. */
const EMPTY = new Set(
  `always never prefer remember stop don dont not now ever again please must should need want wants like only just sure
   make made thing things stuff way work works working doing done something anything everything nothing keep going forward
   future next time every each whenever wherever possible help can that this repo project codebase there here good better
   best right wrong also instead rather over than you your our we use used using try trying get put run let lets code`.split(
    /\s+/,
  ),
);

/** The words that say what an instruction is about. */
export function meaningful(text: string): string[] {
  return [...keyWords(text)].filter((word) => !EMPTY.has(word));
}
