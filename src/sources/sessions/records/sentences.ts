import { collapse } from "../../../base/text.ts";
import { wordsOf } from "../../../moments/own-words.ts";
import type { Passage } from "../session.ts";

export interface Line {
  readonly text: string;
  readonly turn: string;
}

/** Tells whether a sentence is of some kind. By English words: in other languages there are none. */
export type Cue = (sentence: string) => boolean;

const DECIDED =
  /\b(?:decided|decisions? (?:is|was|to)|agreed (?:to|on|that)|we(?:'ll| will) (?:use|keep|go with|stick)|let'?s (?:use|keep|go with|stick)|(?<!\.)(?:go|going|went) with|chose|opted|from now on|(?:must|should) (?:not|never)|always use|never (?:use|call|commit|write|do|put|rely|touch|import|log|store))\b|\bdecisions?:/i;
/** What happens instead of something is decided only where somebody makes it so. */
const INSTEAD =
  /\b(?:us(?:e[sd]?|ing)|keep|stor(?:e[sd]?|ing)|add(?:ed)?|take|put|make|moved?|replaced?|switch(?:ed)?|renamed?|pass(?:ed)?|return(?:ed)?|contains?|changed?|updated?|queued?|wrap(?:ped)?|write)\b.*\b(?:instead of|rather than)\b|\b(?:instead of|rather than)\b.*,\s*(?:i|we)\b/i;
const HINDERED =
  /\b(?:fail(?:s|ed|ing|ure)?|error|bug|broken|does(?:n't| not) work|did(?:n't| not) work|cannot|can't|problem|blocked|regress\w*|root cause|crash\w*|conflict)\b/i;
const COMES_NEXT =
  /\b(?:next steps?|to-?do|still (?:need|missing|open|to)|follow[- ]up(?! question)|left to do|not yet|for later|should (?:next|then|also))\b|^remaining\b|\bremaining (?:work|tasks?|steps?|issues?|items?)\b|\b(?:do|fix|add|handle|revisit|tackle)\b.{0,30}\blater\b/i;

export const isDecision: Cue = (sentence) => DECIDED.test(sentence) || INSTEAD.test(sentence);
export const isHurdle: Cue = (sentence) => HINDERED.test(sentence);
export const isNextStep: Cue = (sentence) => COMES_NEXT.test(sentence);

/** An agent's word on what it is about to do tells nothing of what came of it. */
const ABOUT_TO =
  /^(?:(?:now|first|next|ok(?:ay)?|good|great|perfect)[,.! ]*)?(?:let me|i'll|i will|i'm going to)\b/i;
export const isAboutTo = (sentence: string): boolean => ABOUT_TO.test(sentence);

const MOST_OF_A_LINE = 280;
const MOST_ITEMS = 4;

/** Sentences of a kind, the latest ones, each once; code, tables and questions are none. */
export function sentences(passages: readonly Passage[], isWanted: Cue, most: number): Line[] {
  const found = new Map<string, Line>();
  const keep = (text: string, turn: string): void => {
    const key = text.toLowerCase();
    found.delete(key);
    found.set(key, line(text, turn));
  };
  for (const { role, text, turn } of passages) {
    if (!isWanted(text)) continue;
    for (const { head, items } of groupsOf(role === "user" ? wordsOf(text).own : withoutCode(text))) {
      // What stands above a list means nothing without it.
      if (!head.endsWith(":")) [head, ...items].filter(isFit).forEach((one) => void keep(one, turn));
      else if (items.length > 0 && isWanted(head))
        keep(`${head} ${listed(items.slice(0, MOST_ITEMS))}`, turn);
      else items.filter(isFit).forEach((one) => void keep(one, turn));
    }
  }
  function isFit(sentence: string): boolean {
    const { length } = sentence;
    return (
      length >= 20 && length <= 400 && !/[?:]$/.test(sentence) && !isAboutTo(sentence) && isWanted(sentence)
    );
  }
  return unlike([...found.values()]).slice(-most);
}

/** Of sentences that say the same with a few signs more, the last one. */
function unlike(lines: readonly Line[]): Line[] {
  const kept: { readonly line: Line; readonly letters: string }[] = [];
  for (const one of lines.toReversed()) {
    const letters = one.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (!kept.some((other) => other.letters.includes(letters) || letters.includes(other.letters)))
      kept.push({ line: one, letters });
  }
  return kept.map(({ line }) => line).reverse();
}

interface Group {
  head: string;
  readonly items: string[];
}

/** Sentences, and the items of a list with what stands above it. */
function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  for (const written of text.split("\n")) {
    const isItem = /^\s*(?:[-*+]|\d+[.)])\s+/.test(written);
    const last = groups.at(-1);
    if (isItem && last?.head.endsWith(":")) {
      last.items.push(stripped(written));
      continue;
    }
    for (const sentence of stripped(written).split(/(?<=[.!?])\s+/))
      if (sentence !== "") groups.push({ head: sentence, items: [] });
  }
  return groups;
}

/** What stands above a list, or above code, which is left out, is no paragraph of its own; a heading tells nothing. */
export function paragraphs(text: string): string[] {
  const all = withoutCode(text, CODE)
    .replace(HEADING, "\n")
    .split(/\n{2,}/)
    .map((one) => listed(one.split(/\n\s*(?:[-*+]|\d+[.)])\s+/).map(stripped)))
    .filter((one) => one !== "");
  return all.flatMap((one, at) => {
    const before = all[at - 1] ?? "";
    if (one === CODE || one.endsWith(":")) return [];
    return before.endsWith(":") ? [`${before} ${one}`] : [one];
  });
}

/** On one line; what an item has below itself follows its colon. */
const listed = (items: readonly string[]): string => items.join("; ").replaceAll(":; ", ": ");

/** Also a line in bold, and a rule. */
const HEADING = /^[ \t]*(?:#{1,6}[ \t].*|\*\*[^*\n:]+\*\*|[-*_]{3,})[ \t]*$/gm;

/** Stands where code was. */
const CODE = "\u0001";

function withoutCode(text: string, instead = ""): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, `\n\n${instead}\n\n`).replace(/^\|.*$/gm, "");
}

/** What a person wrote themselves, on one line. */
export const own = (text: string): string => stripped(wordsOf(text).own) || stripped(text);

/** Without the signs of Markdown at a line's beginning, on one line. */
function stripped(text: string): string {
  return collapse(text.replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/gm, "").replace(/\*\*|__/g, ""));
}

/** Cut where a sentence ends, or at least a word. */
export function line(text: string, turn: string): Line {
  if (text.length <= MOST_OF_A_LINE) return { text, turn };
  const room = text.slice(0, MOST_OF_A_LINE - 2).toWellFormed();
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(room)?.[0] ?? "";
  const word = /^[\s\S]*\S(?=\s)/.exec(room)?.[0] ?? "";
  const kept = [sentence, word].find((one) => one.length > MOST_OF_A_LINE * 0.5) ?? room.trimEnd();
  return { text: `${kept} …`, turn };
}
