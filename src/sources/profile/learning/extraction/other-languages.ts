import { visible } from "../../text.ts";
import { type Doubt, generalDoubt, isDictation } from "./doubts.ts";
import {
  ENGLISH,
  type Family,
  LANGUAGES,
  type Language,
  repeatedWish,
  sentenceCase,
  withoutAccents,
} from "./language.ts";
import type { Sentence } from "./own-sentences.ts";

/** A wish in a language other than English; undefined if the sentence is none. */
export function readOther(
  sentence: Sentence,
  previous?: Sentence,
): { readonly family: Family; readonly content: string } | undefined {
  const languages = languagesOf(sentence.masked);
  for (const language of languages) {
    const own = withoutReason(sentence, language);
    const wish =
      readBefore(language, own, previous) ??
      readIn(language, own) ??
      (own === sentence ? undefined : readIn(language, sentence));
    if (wish === undefined) continue;
    return languages.every((one) => doubtIn(one, wish.from, wish) === undefined) ? wish : undefined;
  }
  return undefined;
}

interface Wish {
  readonly family: Family;
  readonly content: string;
  /** The text that the doubts are tested on. */
  readonly from: Sentence;
}

/** Cuts off a reason, unless hardly anything would be left. */
function withoutReason(sentence: Sentence, { reason }: Language): Sentence {
  const at = reason.exec(sentence.masked)?.index ?? -1;
  return at < (/[\u3040-\u9fff]/.test(sentence.masked) ? 6 : 15) ? sentence : cutAt(sentence, at);
}

function cutAt({ text, masked, isListed }: Sentence, to: number): Sentence {
  return { text: text.slice(0, to), masked: masked.slice(0, to), isListed };
}

/** "That is the rule here" refers to what was said before it, in this sentence or in the previous one. */
function readBefore(language: Language, sentence: Sentence, previous?: Sentence): Wish | undefined {
  const mark = language.lasts.exec(sentence.masked);
  if (mark === null) return undefined;
  const isAlone = mark.index < MIN_SIGNS;
  if (isAlone && previous === undefined) return undefined;
  const from = isAlone && previous !== undefined ? previous : cutAt(sentence, mark.index);
  const at = language.lead.exec(from.masked)?.[0].length ?? 0;
  const family = repeatedWish(language.lasts);
  return { family, content: clean(visible(from.text.slice(at)), language), from };
}

/** Usually one. A few words may be either Spanish or Portuguese: then both must agree. */
function languagesOf(masked: string): Language[] {
  const own = LANGUAGES.find(({ script }) => script?.test(masked));
  if (own !== undefined) return [own];
  const latin = LANGUAGES.flatMap((language) =>
    language.common === undefined ? [] : [{ language, count: countOf(masked, language.common) }],
  );
  const english = countOf(masked, ENGLISH.common);
  const most = Math.max(...latin.map(({ count }) => count));
  if (english > 0 && english >= most) return [];
  return latin.flatMap(({ language, count }) => (count === most ? [language] : []));
}

/**
 * Whether a text contains an unmistakably English word, or too few words of another language: "no barrel files" is not
 * Spanish.
 */
export function isEnglish(text: string): boolean {
  if (countOf(text, ENGLISH.only) > 0) return true;
  const others = LANGUAGES.map(({ common }) => (common === undefined ? 0 : countOf(text, common)));
  return Math.max(...others) < 2 && !/[^\0-\u007f]/.test(text);
}

function countOf(text: string, common: RegExp): number {
  return text.match(common)?.length ?? 0;
}

function readIn(language: Language, sentence: Sentence): Wish | undefined {
  const { text, masked } = sentence;
  const again = language.again.exec(masked)?.[0].length ?? 0;
  if (again > 0 && again < masked.length) {
    const family = repeatedWish(language.again);
    const from = { ...sentence, text: text.slice(again), masked: masked.slice(again) };
    return { family, content: clean(visible(from.text), language), from };
  }
  const plain = language.common === undefined ? "" : withoutAccents(masked);
  for (const start of startsOf(masked, language)) {
    const clause = masked.slice(start);
    for (const family of language.families) {
      const match = family.pattern.exec(clause) ?? plainMatch(family, plain, masked, start);
      if (match === null) continue;
      const rest = match.groups?.["rest"];
      const from = rest === undefined ? 0 : match[0].lastIndexOf(rest);
      const to = rest === undefined ? clause.length : from + rest.length;
      return {
        family,
        content: clean(visible(text.slice(start + from, start + to)), language),
        from: sentence,
      };
    }
  }
  return undefined;
}

/** Matches text without accents, which many people omit. */
function plainMatch(family: Family, plain: string, masked: string, start: number): RegExpExecArray | null {
  const canFold = family.plain !== undefined && plain.length === masked.length;
  return canFold ? family.plain().exec(plain.slice(start)) : null;
}

/** Where a statement may begin: at the start, after a colon or a dash, and after a comma if it clearly begins anew. */
function startsOf(masked: string, language: Language): number[] {
  const starts = [0];
  for (const mark of masked.matchAll(
    /[,;:–—，；：、](?:\s+|(?<=[，；：、]|[\u3040-\u9fff][,;:])\s*)|\s-\s+/g,
  )) {
    const start = mark.index + mark[0].length;
    if (isDictation(masked.slice(0, start))) break;
    const isComma = /^[,，、]/.test(mark[0]);
    if (!isComma || language.resumes.test(masked.slice(start))) starts.push(start);
  }
  return starts.map((start) => {
    const lead = language.lead.exec(masked.slice(start))?.[0].length ?? 0;
    // "Also" alone is not a statement.
    return start + lead < masked.length ? start + lead : start;
  });
}

function clean(text: string, language: Language): string {
  const short = text.replace(language.lead, "").replace(language.tail, "").trim() || text;
  return sentenceCase(short);
}

const MIN_LENGTH = 8;
/** In these scripts, one character says as much as a word. */
const MIN_SIGNS = 4;

function doubtIn(
  language: Language,
  sentence: Sentence,
  { family, content }: { readonly family: Family; readonly content: string },
): Doubt | undefined {
  const { masked, isListed } = sentence;
  const general = generalDoubt(sentence, content, language.common === undefined ? MIN_SIGNS : MIN_LENGTH);
  if (general !== undefined) return general;
  const bare = masked.replace(language.lead, "");
  if (language.question.test(bare)) return "question";
  if (language.others.test(masked)) return "others";
  if (isListed) return "listed";
  if (language.supposed.test(masked)) return "supposed";
  if (language.oneOff.test(masked) || /[:,：，、]\s*$/.test(masked)) return "one-off";
  if (family.name !== "remember" && language.statements.test(masked)) return "empty";
  return language.pointers.test(content) ? "dangling" : undefined;
}
