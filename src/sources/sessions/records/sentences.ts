import { collapse } from "../../../base/text.ts";
import { wordsOf } from "../../../moments/own-words.ts";
import { tellingOf } from "../indexing/telling.ts";
import type { Passage } from "../session.ts";

export interface Line {
  readonly text: string;
  readonly turn: string;
}

/** How to recognise sentences of some kind. English words only; nothing matches in other languages. */
interface Cue {
  /** Whether a text may contain such a sentence: most do not, and need not be split. */
  readonly mayBeIn: (text: string) => boolean;
  readonly fits: (sentence: string, role: Passage["role"]) => boolean;
}

const DECIDED =
  /\b(?:decided|decisions? (?:is|was|to)|agreed (?:to|on|that)|we(?:'ll| will) (?:use|keep|go with|stick)|let'?s (?:use|keep|go with|stick)|(?<!\.)(?:go|going|went) with|chose|opted|from now on|must (?:not|never)|always use|never (?:use|call|commit|write|do|put|rely|touch|import|log|store))\b|\bdecisions?:(?! whether)/i;
/** What the user forbids. An agent's "should not" only describes what it saw. */
const FORBIDDEN = /\bshould(?:n't| not| never)\b/i;
/**
 * An order or an announced change. What an agent reports about the code ("now uses a heap instead of a map") is not a
 * decision.
 */
const INSTEAD =
  /^\W*(?:please |actually |can we |could we |let'?s |we should |i(?:'d| would) (?:rather|like to) )?(?:be using|use|keep|store|add|take|put|make|move|replace|switch|rename|pass|return|queue|wrap|write)\b.*\b(?:instead of|rather than)\b|\b(?:instead of|rather than)\b.*,\s*(?:i|we)\b/i;
/** Continuing the work is not a decision about it, and neither is reporting what the user said. */
const NO_DECISION =
  /\b(?:decided|agreed|chose|opted|going|let'?s|we(?:'ll| will)) (?:to )?(?:move on|continue|proceed|go on|commit|push|stop|wait|start|finish|skip|leave it)\b|^\W*(?:the )?user\b|^\w+(?:\.\w+)*\(/i;
const HINDERED =
  /\b(?:fail(?:s|ed|ing|ure)?|error|bug|broken|does(?:n't| not) work|did(?:n't| not) work|cannot|can't|problem|blocked|regress\w*|root cause|crash\w*|conflict)\b/i;
const COMES_NEXT =
  /\b(?:next steps?|to-?do|still (?:need|missing|open|to)|follow[- ]up(?! question)|left to do|not yet|for later|should (?:next|then|also))\b|^remaining\b|\bremaining (?:work|tasks?|steps?|issues?|items?)\b|\b(?:do|fix|add|handle|revisit|tackle)\b.{0,30}\blater\b/i;

/** "Let's go with option 1" is meaningless later. */
const LEAST_TELLING = 2;

export const DECISION: Cue = {
  mayBeIn: (text) =>
    DECIDED.test(text) || FORBIDDEN.test(text) || /\b(?:instead of|rather than)\b/i.test(text),
  fits: (sentence, role) =>
    role !== "summary" &&
    (DECIDED.test(sentence) || INSTEAD.test(sentence) || (role === "user" && FORBIDDEN.test(sentence))) &&
    !NO_DECISION.test(sentence) &&
    tellingOf(sentence) >= LEAST_TELLING,
};
export const HURDLE = plainCue(HINDERED);
export const NEXT_STEP = plainCue(COMES_NEXT);

function plainCue(words: RegExp): Cue {
  const has = (text: string): boolean => words.test(text);
  return { mayBeIn: has, fits: has };
}

/** An announcement by an agent does not state a result. */
const ABOUT_TO =
  /^(?:(?:now|first|next|ok(?:ay)?|good|great|perfect)[,.! ]*)?(?:let me|i'll|i will|i'm going to)\b/i;
export const isAboutTo = (sentence: string): boolean => ABOUT_TO.test(sentence);

const MOST_OF_A_LINE = 280;
const MOST_ITEMS = 4;

/** The latest sentences of a kind, without duplicates; no code, tables or questions. */
export function sentences(passages: readonly Passage[], cue: Cue, most: number): Line[] {
  const found = new Map<string, Line>();
  const keep = (text: string, turn: string): void => {
    const key = text.toLowerCase();
    found.delete(key);
    found.set(key, line(text, turn));
  };
  for (const { role, text, turn } of passages) {
    if (!cue.mayBeIn(text)) continue;
    for (const { head, items } of groupsOf(role === "user" ? wordsOf(text).own : withoutCode(text))) {
      // A line above a list is meaningless without the list.
      const isFit = (sentence: string): boolean => isWhole(sentence) && cue.fits(sentence, role);
      if (!head.endsWith(":")) [head, ...items].filter(isFit).forEach((one) => void keep(one, turn));
      else if (items.length > 0 && cue.fits(head, role))
        keep(`${head} ${listed(items.slice(0, MOST_ITEMS))}`, turn);
      else items.filter(isFit).forEach((one) => void keep(one, turn));
    }
  }
  return unlike([...found.values()]).slice(-most);
}

/** Whether it is not a fragment, a question, a heading or an announcement. */
function isWhole(sentence: string): boolean {
  const { length } = sentence;
  return length >= 20 && length <= 400 && !/[?:]$/.test(sentence) && !isAboutTo(sentence);
}

/** Keeps the last of sentences that differ only in punctuation or contain each other. */
function unlike(lines: readonly Line[]): Line[] {
  const kept: { readonly line: Line; readonly characters: string }[] = [];
  for (const one of lines.toReversed()) {
    const characters = one.text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (!kept.some((other) => other.characters.includes(characters) || characters.includes(other.characters)))
      kept.push({ line: one, characters });
  }
  return kept.map(({ line }) => line).reverse();
}

interface Group {
  head: string;
  readonly items: string[];
}

/** Sentences, and list items with the line above their list. */
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

/** A line above a list, or above removed code, is not a separate paragraph; headings are dropped. */
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

/** On one line; sub-items follow the colon of their item. */
const listed = (items: readonly string[]): string => items.join("; ").replaceAll(":; ", ": ");

/** Also matches a bold line and a horizontal rule. */
const HEADING = /^[ \t]*(?:#{1,6}[ \t].*|\*\*[^*\n:]+\*\*|[-*_]{3,})[ \t]*$/gm;

/** Placeholder for removed code. */
const CODE = "\u0001";

function withoutCode(text: string, instead = ""): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, `\n\n${instead}\n\n`).replace(/^\|.*$/gm, "");
}

/** What the user wrote, on one line. A heading ends like a sentence, so that it does not run into the next line. */
export const own = (text: string): string => onOneLine(wordsOf(text).own) || onOneLine(text);

const onOneLine = (text: string): string =>
  stripped(text.replace(/^[ \t]*#{1,6}[ \t]+(.*[^\s.!?:])[ \t]*$/gm, "$1."));

/** Without Markdown markers at the beginning of lines, on one line. */
function stripped(text: string): string {
  return collapse(text.replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/gm, "").replace(/\*\*|__/g, ""));
}

/** Cut at the end of a sentence, or at least of a word. */
export function line(text: string, turn: string): Line {
  if (text.length <= MOST_OF_A_LINE) return { text, turn };
  const room = text.slice(0, MOST_OF_A_LINE - 2).toWellFormed();
  const sentence = /^[\s\S]*[.!?](?=\s)/.exec(room)?.[0] ?? "";
  const word = /^[\s\S]*\S(?=\s)/.exec(room)?.[0] ?? "";
  const kept = [sentence, word].find((one) => one.length > MOST_OF_A_LINE * 0.5) ?? room.trimEnd();
  return { text: `${kept} …`, turn };
}
