import type { Turn } from "../../../../moments/ports/turn.ts";
import { visible } from "../../text.ts";
import type { Candidate } from "../propose.ts";
import { type Doubt, doubtAbout, isDictation, isWithdrawn } from "./doubts.ts";
import { ENGLISH, type Family, sentenceCase } from "./language.ts";
import { readOther } from "./other-languages.ts";
import { ownSentences, type Sentence } from "./own-sentences.ts";
import { scopeOf } from "./scope.ts";

/** A sentence in which the user may have said how they want to work. */
export interface Found extends Candidate {
  readonly family: Family["name"];
  readonly confidence: number;
  readonly method: "regex";
  readonly turn: string;
  readonly saidAt?: number;
  /** Proposed only after it occurred in several sessions. */
  readonly isWeak: boolean;
}

/** The candidates in one turn, in order. Empty for a turn that the user did not type. */
export function candidatesIn(turn: Turn): Found[] {
  const sentences = ownSentences(turn);
  if (sentences.length === 0 || isWithdrawn(turn.text)) return [];
  return sentences.flatMap((sentence, place) => {
    const previous = sentences[place - 1];
    const english = readSentence(sentence) ?? readBefore(sentence, previous);
    const found = english?.doubt === undefined ? english : undefined;
    const isEnglish = found !== undefined && !ENGLISH.weak.includes(found.family);
    const mayBeOther = english === undefined || found !== undefined || english.doubt === "foreign";
    const wish = isEnglish ? found : ((mayBeOther ? readOther(sentence, previous) : undefined) ?? found);
    if (wish === undefined) return [];
    const { family, content } = wish;
    const scope = scopeOf(family.name === "remember" ? content : sentence.text, family.name);
    return [
      {
        family: family.name,
        type: family.type,
        content,
        evidence: visible(sentence.text),
        confidence: family.confidence,
        method: "regex" as const,
        turn: turn.id,
        scope,
        saidAt: turn.at,
        isWeak: family.name === "repeated",
      },
    ];
  });
}

interface Interpretation {
  readonly family: Family;
  readonly content: string;
  readonly doubt: Doubt | undefined;
}

/**
 * What a sentence asks for, and why it may not be proposed. Undefined for most sentences, which are not instructions.
 */
function readSentence(whole: Sentence): Interpretation | undefined {
  const repeating = REPEATING.exec(whole.masked)?.[0].length ?? 0;
  const sentence = { ...whole, text: whole.text.slice(repeating), masked: whole.masked.slice(repeating) };
  for (const clause of clausesOf(sentence.masked)) {
    const families = [
      ...ENGLISH.families,
      ...(clause.afterNo ? ENGLISH.afterNo : []),
      ...(clause.afterAgain ? ENGLISH.afterAgain : []),
      ...(RULE.test(sentence.masked) ? ENGLISH.afterRule : []),
      ...(repeating > 0 ? ENGLISH.afterRepeating : []),
    ];
    const match = firstMatch(families, clause.masked);
    if (match === undefined) continue;
    return interpret(sentence, clause, match);
  }
  // Only whole sentences count as repeats, because the part after a comma depends on the part before it.
  const [first] = clausesOf(sentence.masked);
  const weak = first === undefined ? undefined : firstMatch(ENGLISH.weak, first.masked);
  return first === undefined || weak === undefined ? undefined : interpret(sentence, first, weak);
}

interface Clause {
  /** Its position in the sentence. */
  readonly at: number;
  readonly masked: string;
  readonly afterNo: boolean;
  readonly afterAgain: boolean;
}

/** Words before the actual statement. */
const LEAD =
  /^(?:(?:ok(?:ay)?|no(?=\s*[,.!;:–—-]|\s+(?:use|run|please|don|stop|we|it|never|always|i|you)\b)|nope|yes|yeah|yep|hey|hm+|well|so|and|but|also|please|pls|btw|by the way|note|fyi|one more thing|actually|again|just|sorry|thanks|great|cool|nice|right|oh|ah|wait|then|in general|generally|claude(?! code)|as a (?:general )?rule(?: of thumb)?|important|reminder|once more|once again|as i (?:said|mentioned)(?: before)?|like i said|i repeat|for the \w+ time|to be clear|heads up|listen|quick note|small (?:thing|note)|one (?:small |more )?thing(?: for (?:the future|later|next time))?(?: though)?|minor|nit|rule|whatever (?:you do|happens)|at all costs)(?![\w'’])[\s,.:;!–—-]*|\(\s*)+/i;
const NO = /^(?:(?:ok|oh|ah|hey|sorry)[\s,]+)?(?:no|nope|wrong)\b(?=[\s,.!;–—-])/i;

const RULE =
  /^\s*(?:as a (?:general )?rule(?: of thumb)?|generally(?: speaking)?|in general|whatever (?:you do|happens)|at all costs)\b/i;
const AGAIN =
  /^(?:(?:ok|oh|hey|sorry|and)[\s,]+)?(?:again|once (?:again|more)|as (?:i|already) (?:said|mentioned)(?: before)?|like i said|i repeat|for the (?:\w+) time)[\s,:;–—-]+/i;

/** After these words, what follows is meant in general. */
const REPEATING =
  /^\s*(?:(?:ok|oh|hey|sorry|and|please)[\s,]+)?(?:for the (?:second|third|fourth|fifth|last|umpteenth|nth|\w+th) time|how (?:many times|often) (?:do|did|must|have|should) i (?:have to |need to )?(?:say|said|tell|told|ask|asked|repeat)(?: (?:you|this|it|that))*|i(?:['’]ve| have)? (?:already )?(?:said|mentioned|told you|asked you)(?: (?:this|it|that|before|already|many times|twice|yesterday|last (?:time|week)|earlier|so|a (?:hundred|thousand|million) times))*|as i(?:['’]ve)? (?:said|told you|mentioned)(?: before| already| many times)?|like i said(?: before)?|i(?:['’]ll| will) say it again|i repeat)\s*[,:;?!.–—-]+\s*/i;

/** Punctuation after which a new clause begins. */
const BREAK =
  /(?:[,;:–—(]|\s-|\.{3}|…)\s+|(?<=\s)(?:and|but)\s+(?=(?:please (?:always|never)|from now on|remember|i prefer)\b)/gi;
/** What follows a condition or a reason is meaningless without it, so such a sentence is not split. */
const DEPENDS =
  /^(?:(?:and|but|so|ok|also)[\s,]+)*(?:if|when|whenever|since|because|as|while|unless|although|though|before|after|once|instead|for|in|on|with|given|where)\b/i;

function clausesOf(masked: string): Clause[] {
  const starts = [0];
  if (!DEPENDS.test(masked.trimStart())) {
    for (const mark of masked.matchAll(BREAK)) {
      const start = mark.index + mark[0].length;
      if (isDictation(masked.slice(0, start))) break;
      // "It is kept, never read": these words are an instruction only at the beginning of a sentence.
      if (!/^(?:always|never)\b/i.test(masked.slice(start))) starts.push(start);
    }
  }
  const afterNo = NO.test(masked.trimStart());
  const afterAgain = AGAIN.test(masked.trimStart());
  return starts.map((start) => {
    const rest = masked.slice(start);
    const lead = (LEAD.exec(rest.trimStart())?.[0].length ?? 0) + (rest.length - rest.trimStart().length);
    return { at: start + lead, masked: rest.slice(lead), afterNo, afterAgain };
  });
}

interface Match {
  readonly family: Family;
  /** The range of the clause that is learned. */
  readonly from: number;
  readonly to: number;
}

function firstMatch(families: readonly Family[], clause: string): Match | undefined {
  const lower = clause.toLowerCase();
  for (const family of families) {
    if (family.opening !== undefined && !lower.startsWith(family.opening)) continue;
    const match = family.pattern.exec(clause);
    if (match === null) continue;
    const rest = match.groups?.["rest"];
    if (rest === undefined) return { family, from: 0, to: clause.length };
    const from = match[0].indexOf(rest);
    return { family, from, to: from + rest.length };
  }
  return undefined;
}

function interpret(sentence: Sentence, clause: Clause, { family, from, to }: Match): Interpretation {
  const start = clause.at + from;
  const end = withoutReason(sentence.masked, start, clause.at + to);
  // A reason at the end is neither part of the wish nor a reason to doubt it.
  const own = end < clause.at + to ? cutAt(sentence, end) : sentence;
  const content = cleanSentence(visible(sentence.text.slice(start, end)));
  const doubt = doubtAbout(own, content);
  // "…, the bot does that", "…; keep it that way": a clause that refers to something was often just appended.
  const added = doubt === "dangling" ? lastBreak(sentence.masked.slice(0, end)) : -1;
  if (added < start + MIN_WISH) return { family, content, doubt };
  const shorter = cutAt(sentence, added);
  const rest = cleanSentence(visible(shorter.text.slice(start)));
  return { family, content: rest, doubt: doubtAbout(shorter, rest) };
}

function lastBreak(masked: string): number {
  return Math.max(...[", ", "; "].map((mark) => masked.lastIndexOf(mark)));
}

function cutAt({ text, masked, isListed }: Sentence, to: number): Sentence {
  return { text: text.slice(0, to), masked: masked.slice(0, to), isListed };
}

const REASON =
  /,? (?:because|otherwise|or else|e\.g\.|for example)(?![a-z])|(?:,|;| -| –| —) (?:since\b|it(?:['’]s)? |th(?:is|at|ose|ese|ey)(?:['’](?:s|re))? |i(?:['’]m|['’]ll|['’]ve)? |we (?:probably|already|usually) |you(?:['’]re|['’]ll|['’]ve)? (?:keep|always|just|did|made|have|re) |my |so (?:i|we|it|that|you) )/gi;

/** Where the wish ends if a reason follows it. Something must be left before it. */
function withoutReason(masked: string, from: number, to: number): number {
  for (const { index } of masked.slice(0, to).matchAll(REASON)) if (index >= from + MIN_WISH) return index;
  return to;
}

const MIN_WISH = 12;

/** "That's the rule here" refers to what was said before it, in this sentence or in the previous one. */
function readBefore(sentence: Sentence, previous: Sentence | undefined): Interpretation | undefined {
  const mark = ENGLISH.lasts.pattern.exec(sentence.masked);
  if (mark === null) return undefined;
  const own = mark.index < MIN_WISH ? previous : cutAt(sentence, mark.index);
  const [clause] = own === undefined ? [] : clausesOf(own.masked);
  if (own === undefined || clause === undefined) return undefined;
  return interpret(own, clause, { family: ENGLISH.lasts, from: 0, to: clause.masked.length });
}

/** The user's words as one clean sentence, without politeness and final punctuation. */
function cleanSentence(text: string): string {
  const clean = text
    .replace(/^(?:please|also|just|then)[\s,]+/i, "")
    // A complaint expresses a wish by its opposite.
    .replace(/^you (?:keep|kept) (?=\w+ing\b)/i, "stop ")
    .replace(/(?:,? (?:please|pls|thanks|thank you|ok|okay))?[\s.!?;,:)–—-]*$/i, "")
    .replace(/^[\s(]+/, "");
  const balanced = clean.includes("(") && !clean.includes(")") ? `${clean})` : clean;
  return sentenceCase(balanced);
}
