import { collapse } from "../../../../base/text.ts";
import { redact } from "../../../../store/redact.ts";
import { keyWords, visible } from "../../text.ts";
import { FILLER, WITHDRAWN } from "./language.ts";
import en from "./languages/en.json" with { type: "json" };
import { CODE, QUOTED, type Sentence } from "./own-sentences.ts";

const words = en.doubts;

/** A pattern of whole-word phrases, separated by ` | `. */
const phrases = (lines: readonly string[]) =>
  new RegExp(`\\b(?:${lines.join(" | ").replaceAll(" | ", "|")})\\b`, "i");

/** Why a sentence that sounds like a lasting instruction is not proposed. */
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

/** Precision before recall: any doubt is enough, because each proposal costs the user's attention. */
export function doubtAbout(sentence: Sentence, content: string): Doubt | undefined {
  const { text, isListed } = sentence;
  const masked = withoutEmphasis(sentence.masked);
  const general = generalDoubt(sentence, content, MIN_LENGTH);
  if (general !== undefined) return general;
  if (!REQUEST.test(masked) && (ASKS.test(masked) || OPENS_QUESTION.test(masked))) return "question";
  if (OTHERS.test(masked)) return "others";
  if (isListed && !LASTING.test(masked)) return "listed";
  if (SUPPOSED.test(masked) && !REQUEST.test(masked)) return "supposed";
  if (ONE_OFF.test(masked) || AT_END.test(masked) || /[:,]\s*$/.test(text)) return "one-off";
  if (isForeign(content)) return "foreign";
  if (dangles(content)) return "dangling";
  const isAboutSomething = content.includes("`") || meaningful(withoutIdentifiers(content)).length > 0;
  return isAboutSomething ? undefined : "empty";
}

/** Doubts that apply in any language. */
export function generalDoubt(
  { text, masked }: Sentence,
  content: string,
  minLength: number,
): Doubt | undefined {
  if (visible(text) !== collapse(text)) return "hidden";
  if (redact(text) !== text) return "secret";
  if (/[?？]["'”」)\s]*$/.test(text) && !REQUEST.test(masked) && !REQUEST_ELSEWHERE.test(masked))
    return "question";
  if (isQuotation(masked)) return "quoted";
  if (isForeignText(masked)) return "others";
  if (isReference(masked) || BEFORE_GOING_ON.test(masked) || WANTED_HERE.test(masked)) return "one-off";
  if (content.length < minLength || content.length > MAX_LENGTH || content.split(" ").length > MAX_WORDS)
    return "length";
  return isAboutCode(content, masked) ? "code" : undefined;
}

/** "Before you continue, show me the diff": about the current step. The English patterns exclude it themselves. */
const BEFORE_GOING_ON =
  /^\s*(?:(?:bevor|ehe) (?:du|wir) (?:weiter\S*|fortf\S+)|avant (?:de (?:continuer|poursuivre)|d['’]aller plus loin|que tu continues)|antes de (?:seguir|continuar|avan[zç]ar|prosseguir|que sigas|continuares)|(?:在)?继续.{0,2}(?:之前|前)|(?:続け(?:る|て)?|(?:先に)?進(?:む|める))前)/i;

/** "I want no dialog here": a place in the product, not in the project. */
const WANTED_HERE =
  /^\s*(?:ich (?:will|möchte|brauche) hier(?! (?:im|in|bei)\b)|hier (?:will|möchte|brauche) ich|je (?:ne )?(?:veux|voudrais) .*\bici\b|(?:no )?quiero .*\baquí(?!\p{L})|(?:não )?quero .*\baqui\b|(?:在)?这里(?:不要|别)(?![用写]))/iu;

/** Someone is quoted. A quotation that only names something, such as a prefix for commits, is part of the wish. */
function isQuotation(masked: string): boolean {
  if (!masked.includes(QUOTED)) return false;
  const outside = masked.replaceAll(QUOTED, " ").trim();
  const isBeginning = masked.trimStart().startsWith(QUOTED);
  return isBeginning || SPEECH.test(masked) || outside.split(/\s+/).length < 3;
}

const SPEECH = new RegExp(
  `(?:sa(?:ys?|id)|wrote|writes|written|prints?|printed|reads?|told|asks?|asked|replied|error|messages?|output|logs?|comment(?:ed)?|titled?|called|named|means?|prompt|sagte?|schrieb|schreibt|meldet|fehler|dit|écrit|affiche|erreur|dice|dijo|escribió|muestra|diz|disse|escreveu|mostra|erro|说|說|写着|报错|显示|言った|書いて|表示|と)[\\s,:]*(?:\\S+\\s+){0,2}${QUOTED}`,
  "i",
);

/** "I already told you", "don't … anymore": in these phrases, the words say nothing about the current task. */
function withoutEmphasis(masked: string): string {
  return masked
    .replace(/\b(i(?:['’]ve| have)?) already (?=told|asked|said)/i, "$1 ")
    .replace(/^\s*(?:the )?next time (?=you\b)/i, "whenever ")
    .replace(/^\s*(?:for|on|in) (?:the )?next (?:ones|prs|commits|tasks)\b/i, "")
    .replace(/(?<=\b(?:don['’]?t|do not|no|stop|never)\b.*)\bany ?more(?=[\s.!]*$)/i, "");
}

/** A request in the form of a question. */
const REQUEST =
  /\bcan we (?:please |just )?agree (?:that|to)\b|\b(?:can|could|would|will) you (?:please |just |maybe )*(?:always \w+ .*(?:\bme\b|\bbefore you\b|\bafter you\b)|(?:stop|quit) (?:\w+ing|with)\b|avoid \w+ing\b|(?:drop|skip|lose|avoid) (?:the|all|your)\b|(?:from now on|going forward|in (?:the )?future)\b|not .*\b(?:from now on|going forward|in (?:the )?future|ever again)\b)|\bit(?:['’]d| would) be (?:\w+ )?(?:great|nice|good|better|helpful|cool|best) if you\b/i;

/** The same in other languages. */
const REQUEST_ELSEWHERE =
  /(?:kannst|könntest|würdest) du .*aufhören|(?:puedes|podrías) .*(?:dejar|parar) de |(?:dá pra|dá para|pode|poderia) .*parar de |tu (?:peux|pourrais) .*arrêter (?:de |d['’])/i;

/** Words that begin a question, because people often omit the question mark. */
const QUESTION_WORDS = phrases(words.questionWords);
const OPENS_QUESTION = new RegExp(
  `^\\s*(?:(?:ok|so|and|but|hm+|also|or)[, ]+)*${QUESTION_WORDS.source}`,
  "i",
);
const ASKS = phrases(words.asks);

const SUPPOSED = phrases(words.supposed);

/** Words that refer to this task, this day or this part of the text. */
const ONE_OFF = phrases(words.oneOff);
const AT_END = /\bnow(?=[,.!;]|\s*$)/i;

/** Words for what another person, a program or a text says. */
const OTHERS = phrases(words.others);

/** In a list, only items that explicitly say that they are lasting count. */
const LASTING = phrases(words.lasting);

function isReference(text: string): boolean {
  return (
    /https?:\/\/|(?:^|\s)#\d+|\bPR ?#?\d+|\blines? \d+|\w:\d+\b|\b[0-9a-f]{7,40}\b(?<=\d\w*)/i.test(text) ||
    /\b(?!UTF|ISO|SHA|PEP|RFC|ES|TLS|AES|HTTP)[A-Z]{2,}-\d+\b/.test(text)
  );
}

/** English patterns match parts of sentences in other languages. */
function isForeign(content: string): boolean {
  const letters = content.match(/\p{L}/gu)?.length ?? 0;
  const latin = content.match(/[a-z]/gi)?.length ?? 0;
  return letters === 0 || latin / letters < 0.95;
}

/** Phrases that refer to something said before, which the learning would not show. */
const POINTERS: readonly RegExp[] = [
  // "Those long summaries" refers to a kind, not to a single answer.
  new RegExp(
    String.raw`\b(?:this|these|those)\b(?! (?:\w+ ){0,2}${FILLER}\b)(?! (?:repo|repository|project|codebase|code base|monorepo|workspace|team|company|machine|computer)\b)`,
  ),
  // "That" also joins clauses. It is a reference at the end, before punctuation, and after some words.
  /\bthat(?=[.,;!)]|$| again| anymore| way| kind| sort| stuff| thing)/,
  /\b(?:do|does|did|like|of|with|for|about|use|using|on|in|to|than|after|before|want|need|prefer) that\b/,
  phrases(words.pointers),
];

/** The referent of these pronouns may be in the same sentence, before them. */
const PRONOUN = /\b(?:it(?!['’]d be\b| would be\b)|its|them|they|their|him|her)\b(?! when| if you)/;

function dangles(content: string): boolean {
  const text = content.toLowerCase().replace(/`[^`]*`/g, "code");
  if (POINTERS.some((pointer) => pointer.test(text))) return true;
  // In "the code they test", the pronoun belongs to a relative clause.
  const pronoun = PRONOUN.exec(text.replace(/\b(the \w+) they\b/g, "$1"));
  return pronoun !== null && meaningful(text.slice(0, pronoun.index)).length < 2;
}

/** Words of the patterns themselves, and words that could mean anything. */
const EMPTY = new Set(words.empty.join(" ").split(" "));

/** The words that say what an instruction is about. */
function meaningful(text: string): string[] {
  return [...keyWords(text)].filter((word) => !EMPTY.has(word));
}

/** Names with inner capitals that are not identifiers. */
const NAME = new RegExp(`\\b(?:${words.names.join(" ").replaceAll(" ", "|")})\\b`, "g");
const IDENTIFIER = /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w+_\w+|\b\w+\(\)|\b\w+\.\w+\(|::|->|=>/g;
/** "… in getUsers": about a single place. */
const IN_CODE =
  /(?:^|\s)(?:in|en|em|no|na|dans|bei|into|inside) (?:the |la |el |o |a |der |die )?[a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*(?:\(\))? ?(?:里|中|では|の中)/;
const SPAN = new RegExp(`${CODE}+`, "g");

/** An instruction with one identifier may be general; one with more is about a place in the code. */
function isAboutCode(content: string, masked: string): boolean {
  const names = withoutNames(content.replace(/`[^`]*`/g, " "));
  const identifiers = names.match(IDENTIFIER)?.length ?? 0;
  const spans = masked.match(SPAN)?.length ?? 0;
  return identifiers > 1 || identifiers + spans > 3 || IN_CODE.test(names);
}

function withoutIdentifiers(content: string): string {
  return withoutNames(content).replace(IDENTIFIER, " ");
}

function withoutNames(text: string): string {
  return text.replace(NAME, (name) => name.toLowerCase());
}

export function isWithdrawn(text: string): boolean {
  return WITHDRAWN.test(text);
}

/** The text after the colon is to be written down, and is not a wish: "Add to the docs: never …". */
const DICTATED =
  /^\s*(?:(?:please|bitte|por favor|请|請|kindly)\s*)?(?:(?:add|append|insert|change|translate|document|replace|set|say|reply with|post|send|schreibe?|füge?|ergänze|ändere|übersetze?|setze?|trage?|ajoute[rz]?|écris|traduis|remplace[rz]?|change[rz]?|mets|añade|agrega|escribe|traduce|cambia|pon|adiciona|adicione|acrescente|escreva|traduza|troque|coloque)\b.*|.*(?:加一条|加一句|加上一[条句]|添加一[条句]|写上|翻译|改成|改为|追加して|書いて|翻訳).{0,12})[:：]\s*$/i;

/** The same without a colon: "write in the README that nobody pushes to main". */
const TO_WRITE =
  /^\s*(?:(?:please|bitte|por favor|s['’]il te plaît|kindly|can you|could you)[\s,]+)?(?:add|write|note|put|mention|document|state|schreibe?|ergänze|trage?|erwähne|notiere|écris|ajoute[rz]?|mentionne|indique|escribe|añade|agrega|indica|anota|escreva|adicione|acrescente|mencione)\b(?:\s+[^\s,]+){0,3}?\s+(?:in|into|to|on|dans|sur|au|à|en|al|a|em|no|na|ins?|zur?|zum|im) (?:[^\s,]+ ){0,3}?(?:readme|changelog|docs?|documentation|wiki|contributing|(?:agents|claude)\.md|handbook|guide|comment|commit message|pr description|issue|ticket|doku(?:mentation)?|anleitung|handbuch|kommentar|documentación|documentação|guía|manual|commentaire)(?:\.md)?\b[\s,]*(?:that|saying|dass|daß|que|why|how)\b/iu;

const LOG =
  /^\s*(?:\w*(?:error|exception)|warn(?:ing)?|fatal|panic|deprecat\w*|\w*erreur|\w*fehler|erro|aviso|advertencia)\b[^:：]{0,40}[:：]/i;

/** Whether the words before a colon announce a text to write down. */
export function isDictation(before: string): boolean {
  return DICTATED.test(before);
}

/** Whether a sentence is a line of a log, or contains a text to write down. */
function isForeignText(masked: string): boolean {
  if (LOG.test(masked) || TO_WRITE.test(masked)) return true;
  return [...masked.matchAll(/[:：]/g)].some(({ index }) => isDictation(masked.slice(0, index + 1)));
}
