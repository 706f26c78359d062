import { collapse } from "../../../../base/text.ts";
import { redact } from "../../../../store/redact.ts";
import { visible } from "../../text.ts";
import { dangles, meaningful } from "./dangling.ts";
import { isAboutCode, withoutIdentifiers } from "./identifiers.ts";
import { QUOTED, type Sentence } from "./own-sentences.ts";
import { phrases } from "./phrases.ts";

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
const MAX_LENGTH = 200;
const MAX_WORDS = 36;

/** Precision before recall: any doubt is enough, because what is proposed costs a person's attention. */
export function doubtAbout({ text, masked, isListed }: Sentence, content: string): Doubt | undefined {
  const plain = collapse(text);
  if (visible(text) !== plain) return "hidden";
  if (redact(text) !== text) return "secret";
  if (/\?["')\s]*$/.test(text) || ASKS.test(masked) || OPENS_QUESTION.test(masked)) return "question";
  if (masked.includes(QUOTED)) return "quoted";
  if (OTHERS.test(masked)) return "others";
  if (isListed && !LASTING.test(masked)) return "listed";
  if (SUPPOSED.test(masked)) return "supposed";
  if (ONE_OFF.test(masked) || AT_END.test(masked) || isReference(text) || /[:,]\s*$/.test(text))
    return "one-off";
  if (content.length < MIN_LENGTH || content.length > MAX_LENGTH || content.split(" ").length > MAX_WORDS)
    return "length";
  if (isForeign(content)) return "foreign";
  if (isAboutCode(content, masked)) return "code";
  if (dangles(content)) return "dangling";
  return meaningful(withoutIdentifiers(content)).length > 0 ? undefined : "empty";
}

/** People leave the question mark out. */
const QUESTION_WORDS = phrases(`
  can | could | would | should | shall | do(?! not) | does | did | is | are | was | were | what | why | how | where | which | who |
  when (?:do|does|did|should|is|are) | isn['’]?t | aren['’]?t | doesn['’]?t | don['’]?t (?:we|you|i|they)
`);
const OPENS_QUESTION = new RegExp(
  `^\\s*(?:(?:ok|so|and|but|hm+|also|or)[, ]+)*${QUESTION_WORDS.source}`,
  "i",
);
const ASKS = phrases("can (?:we|you) | could (?:we|you) | should (?:we|i)");

const SUPPOSED = phrases(String.raw`
  what if | maybe | perhaps | i wonder | wondering | suppose | let['’]?s say | imagine | might | i guess | not sure | probably |
  would (?:be|have|mean|need) | could (?:be|also|have) | in theory | for example | e\.g | ideally | hopefully | seems? | apparently |
  i (?:thought|believe|assume|feel) |
  if (?:there|the|it|we|they|he|she|a|an|one|someone|somebody|nobody|this|that)\b(?! can\b)
`);

/** Words that belong to this task, this day or this place in the text. */
const ONE_OFF = phrases(String.raw`
  (?:th(?:is|at|ese|ose)|the (?:current|next|last|latest|previous|first|second|third|new|old|other|same|rest)) (?:
    pr|mr|pull request|commits?|branch(?:es)?|files?|functions?|methods?|class|tests?|tasks?|time|ones?|sessions?|changes?|
    tickets?|issues?|steps?|parts?|sections?|lines?|cases?|features?|bugs?|fix|plan|options?|approach|docs?|documents?|comments?|
    refactor(?:ing)?|migration|release|script|command|errors?|warnings?|field|flag|values?
  ) |
  in (?:this|that|the) (?:pr|branch|commit|file|function|section|issue|plan) |
  (?:for|right|just|by) now | yet | today | tomorrow | tonight | yesterday | (?:at|for) the moment | this (?:week|morning|once) |
  until | till | already | anymore | any more | still | above | below | attached | as discussed | next step | so far | meanwhile |
  back to | along the way | as well | too many | the following |
  (?:option|step|part|point|phase|problem|approach) (?:\d+|[a-d])
`);
const AT_END = /\bnow(?=[,.!;]|\s*$)/i;

/** What somebody else says, or a text. */
const OTHERS = phrases(String.raw`
  (?:
    he|she|they|reviewers?|copilot|cursor|bot|docs?|documentation|readme|claude\.md|agents\.md|linter|compiler|boss|manager|
    colleague|people|someone|users?|customers?|clients?|message|comment|error|prompt|log|output
  ) (?:also |always |never |just )?(?:
    says?|said|wants?|wanted|thinks?|suggests?|suggested|told|tells|asks?|asked|wrote|writes|likes?|prefers?|recommends?|
    complains?|complained|reads?
  ) |
  according to | as (?:\w+ )?(?:said|suggested|asked|written)
`);

/** In a list only what says itself that it lasts. */
const LASTING = phrases(
  "from now on | going forward | remember that | i prefer | in (?:this|our) (?:repo|project|codebase)",
);

function isReference(text: string): boolean {
  return (
    /https?:\/\/|(?:^|\s)#\d+|\bPR ?#?\d+|\blines? \d+|\w:\d+\b|\b[0-9a-f]{7,40}\b(?<=\d\w*)/i.test(text) ||
    /\b(?!UTF|ISO|SHA|PEP|RFC|ES|TLS|AES|HTTP)[A-Z]{2,}-\d+\b/.test(text)
  );
}

/** Only English is understood here: in other languages nothing is proposed rather than something wrong. */
function isForeign(content: string): boolean {
  const letters = content.match(/\p{L}/gu)?.length ?? 0;
  const latin = content.match(/[a-z]/gi)?.length ?? 0;
  return letters === 0 || latin / letters < 0.95;
}
