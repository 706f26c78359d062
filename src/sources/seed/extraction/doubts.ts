import { redact } from "../../../store/redact.ts";
import { keyWords, visible } from "../words.ts";
import { CODE, QUOTED, type Sentence } from "./own-sentences.ts";

/** Why a sentence that sounds like a lasting instruction is not put before a human. */
export type Doubt =
  | "question"
  | "supposed"
  | "one-off"
  | "listed"
  | "quoted"
  | "others"
  | "code"
  | "dangling"
  | "empty"
  | "length"
  | "foreign"
  | "hidden"
  | "secret";

const MIN_LENGTH = 8;
export const MAX_LENGTH = 200;
const MAX_WORDS = 36;

/** Precision before recall: any doubt is enough, because what is proposed costs a person's attention. */
export function doubtAbout({ text, masked, isListed }: Sentence, content: string): Doubt | undefined {
  const plain = text.replace(/\s+/gu, " ").trim();
  if (visible(text) !== plain) return "hidden";
  if (redact(text) !== text) return "secret";
  if (/\?["')\s]*$/.test(text) || QUESTION.test(masked)) return "question";
  if (masked.includes(QUOTED)) return "quoted";
  if (OTHERS.test(masked)) return "others";
  if (isListed && !LASTING.test(masked)) return "listed";
  if (SUPPOSED.test(masked)) return "supposed";
  if (ONE_OFF.test(masked) || isReference(text) || /[:,]\s*$/.test(text)) return "one-off";
  if (content.length < MIN_LENGTH || content.length > MAX_LENGTH || content.split(" ").length > MAX_WORDS)
    return "length";
  if (isForeign(content)) return "foreign";
  if (isCode(content, masked)) return "code";
  if (dangles(content)) return "dangling";
  return saysSomething(content) ? undefined : "empty";
}

const QUESTION =
  /^\s*(?:(?:ok|so|and|but|hm+|also|or)[, ]+)*(?:can|could|would|should|shall|do(?! not)|does|did|is|are|was|were|what|why|how|where|when (?:do|does|did|should|is|are)|which|who|isn['’]?t|aren['’]?t|doesn['’]?t|don['’]?t (?:we|you|i|they)\b)\b|\b(?:right|ok|or|no|yeah|correct)\?|\bcan (?:we|you)\b|\bcould (?:we|you)\b|\bshould (?:we|i)\b/i;

const SUPPOSED =
  /\b(?:what if|maybe|perhaps|i wonder|wondering|suppose|let['’]?s say|imagine|might|i guess|not sure|probably|would (?:be|have|mean|need)|could (?:be|also|have)|if (?:there|the|it|we|they|he|she|a|an|one|someone|somebody|nobody|this|that)\b(?! (?:can help|can\b))|in theory|for example|e\.g|ideally|hopefully|seems?|apparently|i (?:thought|believe|assume|feel))\b/i;

/** Words that belong to this task, this day or this place in the text. */
const ONE_OFF =
  /\b(?:th(?:is|at|ese|ose)|the (?:current|next|last|latest|previous|first|second|third|new|old|other|same|rest)) (?:pr|mr|pull request|commits?|branch(?:es)?|files?|functions?|methods?|class|tests?|tasks?|time|ones?|sessions?|changes?|tickets?|issues?|steps?|parts?|sections?|lines?|cases?|features?|bugs?|fix|plan|options?|approach|docs?|documents?|comments?|refactor(?:ing)?|migration|release|script|command|errors?|warnings?|field|flag|values?)\b|\bin (?:this|that|the) (?:pr|branch|commit|file|function|section|issue|plan)\b|\b(?:for|right|just|by) now\b|\bnow(?=[,.!;]|\s*$)|\b(?:yet|today|tomorrow|tonight|yesterday|at the moment|for the moment|this (?:week|morning|once)|until|till|already|anymore|any more|still|above|below|attached|as discussed|next step|so far|meanwhile|back to|along the way|as well|too many|the following)\b|\b(?:option|step|part|point|phase|problem|approach) (?:\d|[a-d]\b)/i;

/** What somebody else says, or a text. */
const OTHERS =
  /\b(?:he|she|they|reviewers?|copilot|cursor|bot|docs?|documentation|readme|claude\.md|agents\.md|linter|compiler|boss|manager|colleague|people|someone|users?|customers?|clients?|message|comment|error|prompt|log|output) (?:also |always |never |just )?(?:says?|said|wants?|wanted|thinks?|suggests?|suggested|told|tells|asks?|asked|wrote|writes|likes?|prefers?|recommends?|complains?|complained|reads?)\b|\baccording to\b|\bas (?:\w+ )?(?:said|suggested|asked|written)\b/i;

/** In a list only what says itself that it lasts. */
const LASTING =
  /\b(?:from now on|going forward|remember that|i prefer|in (?:this|our) (?:repo|project|codebase))\b/i;

function isReference(text: string): boolean {
  return (
    /https?:\/\/|(?:^|\s)#\d+|\bPR ?#?\d+|\blines? \d+|\w:\d+\b|\b[0-9a-f]{7,40}\b(?<=\d\w*)/i.test(text) ||
    /\b(?!UTF|ISO|SHA|PEP|RFC|ES|TLS|AES|HTTP)[A-Z]{2,}-\d+\b/.test(text)
  );
}

/** Only what is written in English is understood here; in other languages nothing is said rather than something wrong. */
function isForeign(content: string): boolean {
  const letters = content.match(/\p{L}/gu)?.length ?? 0;
  const latin = content.match(/[a-z]/gi)?.length ?? 0;
  return letters === 0 || latin / letters < 0.95;
}

const NAMES_WITH_CAPITALS =
  /\b(?:GitHub|GitLab|TypeScript|JavaScript|PostgreSQL|MySQL|GraphQL|ESLint|OpenCode|OpenAPI|OpenAI|DevOps|README|iOS|macOS|NixOS|VSCode|PyTorch|NumPy|FastAPI|SQLAlchemy|DuckDB|MongoDB|DynamoDB|CommonJS|NodeJS|NextJS|LaTeX|PowerShell|JetBrains|IntelliJ|YouTube|LinkedIn)\b/g;
const IDENTIFIER = /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w+_\w+|\b\w+\(\)|\b\w+\.\w+\(|::|->|=>/g;

/** One name may be what an instruction is about; with two it is about a place in the code. */
function isCode(content: string, masked: string): boolean {
  const names = content.replace(/`[^`]*`/g, " ").replace(NAMES_WITH_CAPITALS, " ");
  const identifiers = names.match(IDENTIFIER)?.length ?? 0;
  const spans = masked.match(new RegExp(`${CODE}+`, "g"))?.length ?? 0;
  return identifiers > 1 || spans > 2 || identifiers + spans > 2;
}

/** A word that points at something said before, which nobody sees any more. */
function dangles(content: string): boolean {
  const text = content.toLowerCase().replace(/`[^`]*`/g, "code");
  if (
    /\b(?:this|these|those)\b(?! (?:repo|repository|project|codebase|code base|monorepo|workspace|team|company|machine|computer)\b)/.test(
      text,
    )
  )
    return true;
  // "That" joins clauses too: it points where nothing, or a mark, follows it, and after some words.
  if (/\bthat(?=[.,;!)]|$| again| anymore| way| kind| sort| stuff| thing)/.test(text)) return true;
  if (
    /\b(?:do|does|did|like|of|with|for|about|use|using|on|in|to|than|after|before|want|need|prefer) that\b/.test(
      text,
    )
  )
    return true;
  if (
    /\b(?:such|so|the same|the other|the one|the former|the latter|there|here|both|either|another one|do so|likewise)\b(?! that| (?:a|an) )/.test(
      text.replace(/\b(?:so that|there (?:is|are)|in here|use \w+ here|here[.!]*$)/g, ""),
    )
  )
    return true;
  const pronoun = /\b(?:it|its|them|they|their|him|her)\b(?! when)/.exec(text);
  return pronoun !== null && meaningful(text.slice(0, pronoun.index)).length < 2;
}

/** The words of the patterns themselves, and those that could stand for anything. */
const EMPTY = new Set(
  "always never prefer remember stop don dont not now ever again please must should need want wants like only just sure make made thing things stuff way work works working doing done something anything everything nothing keep going forward future next time every each whenever wherever possible help can that this repo project codebase there here good better best right wrong also instead rather over than you your our we use used using try trying get put run let lets code".split(
    " ",
  ),
);

function meaningful(text: string): string[] {
  return [...keyWords(text)].filter((word) => !EMPTY.has(word));
}

function saysSomething(content: string): boolean {
  return meaningful(content.replace(IDENTIFIER, " ")).length > 0;
}
