import { collapse } from "../../../../base/text.ts";
import { redact } from "../../../../store/redact.ts";
import { keyWords, visible } from "../../text.ts";
import { FILLER } from "./family.ts";
import { CODE, QUOTED, type Sentence } from "./own-sentences.ts";

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

/** Precision before recall: any doubt is enough, because each proposal costs a person's attention. */
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

/** What can be said about a sentence in any language. */
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

/** "Before you continue, show me the diff": said of the step at hand. English patterns leave it out themselves. */
const BEFORE_GOING_ON =
  /^\s*(?:(?:bevor|ehe) (?:du|wir) (?:weiter\S*|fortf\S+)|avant (?:de (?:continuer|poursuivre)|d['’]aller plus loin|que tu continues)|antes de (?:seguir|continuar|avan[zç]ar|prosseguir|que sigas|continuares)|(?:在)?继续.{0,2}(?:之前|前)|(?:続け(?:る|て)?|(?:先に)?進(?:む|める))前)/i;

/** "I want no dialog here": a place of the product, not the project. */
const WANTED_HERE =
  /^\s*(?:ich (?:will|möchte|brauche) hier(?! (?:im|in|bei)\b)|hier (?:will|möchte|brauche) ich|je (?:ne )?(?:veux|voudrais) .*\bici\b|(?:no )?quiero .*\baquí(?!\p{L})|(?:não )?quero .*\baqui\b|(?:在)?这里(?:不要|别)(?![用写]))/iu;

/** Somebody is quoted. A quotation that only names something, such as a prefix of commits, is part of the wish. */
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

/** "I already told you", "don't … anymore": there these words say nothing about this task. */
function withoutEmphasis(masked: string): string {
  return masked
    .replace(/\b(i(?:['’]ve| have)?) already (?=told|asked|said)/i, "$1 ")
    .replace(/^\s*(?:the )?next time (?=you\b)/i, "whenever ")
    .replace(/^\s*(?:for|on|in) (?:the )?next (?:ones|prs|commits|tasks)\b/i, "")
    .replace(/(?<=\b(?:don['’]?t|do not|no|stop|never)\b.*)\bany ?more(?=[\s.!]*$)/i, "");
}

/** A question only in form. */
const REQUEST =
  /\bcan we (?:please |just )?agree (?:that|to)\b|\b(?:can|could|would|will) you (?:please |just |maybe )*(?:always \w+ .*(?:\bme\b|\bbefore you\b|\bafter you\b)|(?:stop|quit) (?:\w+ing|with)\b|avoid \w+ing\b|(?:drop|skip|lose|avoid) (?:the|all|your)\b|(?:from now on|going forward|in (?:the )?future)\b|not .*\b(?:from now on|going forward|in (?:the )?future|ever again)\b)|\bit(?:['’]d| would) be (?:\w+ )?(?:great|nice|good|better|helpful|cool|best) if you\b/i;

/** The same in other languages. */
const REQUEST_ELSEWHERE =
  /(?:kannst|könntest|würdest) du .*aufhören|(?:puedes|podrías) .*(?:dejar|parar) de |(?:dá pra|dá para|pode|poderia) .*parar de |tu (?:peux|pourrais) .*arrêter (?:de |d['’])/i;

/** People often leave out the question mark. */
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
  if (?:there(?!['’]s an?\b| is an?\b| are any\b| is no\b)|the|it|we|they|he|she|an?(?! (?:tests?|builds?|command|migration|dependency|requirement|task|request|check|import|type|api)\b)|one|someone|somebody|nobody|this|that)\b(?! can\b)
`);

/** Words that refer to this task, this day or this part of the text. */
const ONE_OFF = phrases(String.raw`
  (?:th(?:is|ese|ose|(?<!\b(?:is|are|sure|agreed|decided|remember|so|note|means) th)at)|the (?:current|next|last|latest|previous|first|second|third|new|old|other|same|rest)) (?:
    pr|mr|pull request|commits?|branch(?:es)?|files?|functions?|methods?|class|tests?|tasks?|time|ones?|sessions?|changes?|
    tickets?|issues?|steps?|parts?|sections?|lines?|cases?|features?|bugs?|fix|plan|options?|approach|docs?|documents?|comments?|
    refactor(?:ing)?|migration|release|script|command|errors?|warnings?|field|flag|values?
  ) |
  in (?:this|that|the) (?:pr|branch|commit|file|function|section|issue|plan) |
  (?:for|right|just|by) now | yet | today | tomorrow | tonight | yesterday | (?:at|for) the moment | this (?:week|morning|once) |
  until | till | (?<!(?:that|which|who)(?: are| is| have|['’]ve| has)? )already | anymore | any more | still | (?:above|below)(?! (?:\d|(?:one|two|three|four|five|ten|twenty|thirty|forty|fifty|eighty|a hundred)\b)) | attached | as discussed | next step | so far | meanwhile |
  back to(?! (?:me|us)\b) | keep going | along the way | as well | too many | the following |
  (?:option|step|part|point|phase|problem|approach) (?:\d+|[a-d])
`);
const AT_END = /\bnow(?=[,.!;]|\s*$)/i;

/** What another person, a program or a text says. */
const OTHERS = phrases(String.raw`
  (?:
    he|she|they|reviewers?|copilot|cursor|bot|docs?|documentation|readme|claude\.md|agents\.md|linter|compiler|boss|manager|
    colleague|people|someone|users?|customers?|clients?|message|comment|error|prompt|log|output
  ) (?:also |always |never |just )?(?:
    says?|said|wants?|wanted|thinks?|suggests?|suggested|told|tells|asks?|asked|wrote|writes|likes?|prefers?|recommends?|
    complains?|complained|reads?
  ) |
  according to | as (?!i )(?:\w+ )?(?:said|suggested|asked|written)
`);

/** In a list, only items count that explicitly say that they last. */
const LASTING = phrases(
  "from now on | going forward | remember that | i prefer | in (?:this|our) (?:repo|project|codebase)",
);

function isReference(text: string): boolean {
  return (
    /https?:\/\/|(?:^|\s)#\d+|\bPR ?#?\d+|\blines? \d+|\w:\d+\b|\b[0-9a-f]{7,40}\b(?<=\d\w*)/i.test(text) ||
    /\b(?!UTF|ISO|SHA|PEP|RFC|ES|TLS|AES|HTTP)[A-Z]{2,}-\d+\b/.test(text)
  );
}

/** English patterns fit parts of sentences in other languages. */
function isForeign(content: string): boolean {
  const letters = content.match(/\p{L}/gu)?.length ?? 0;
  const latin = content.match(/[a-z]/gi)?.length ?? 0;
  return letters === 0 || latin / letters < 0.95;
}

/** Each refers to something said before, which the learning would not show. */
const POINTERS: readonly RegExp[] = [
  // "Those long summaries": of a kind, not of one answer.
  new RegExp(
    String.raw`\b(?:this|these|those)\b(?! (?:\w+ ){0,2}${FILLER}\b)(?! (?:repo|repository|project|codebase|code base|monorepo|workspace|team|company|machine|computer)\b)`,
  ),
  // "That" also joins clauses. It is a reference at the end, before punctuation, and after some words.
  /\bthat(?=[.,;!)]|$| again| anymore| way| kind| sort| stuff| thing)/,
  /\b(?:do|does|did|like|of|with|for|about|use|using|on|in|to|than|after|before|want|need|prefer) that\b/,
  phrases(`
    (?:such|(?<!, |or )so)(?! (?:that|an? |no |don|do not|never|use |please|always|keep |we )) | the (?:same|other|one|former|latter) | there(?! is| are|['’]s) | here(?![.!,]|$) |
    both | either | another one | likewise
  `),
];

/** What these refer to may be in the same sentence, before them. */
const PRONOUN = /\b(?:it(?!['’]d be\b| would be\b)|its|them|they|their|him|her)\b(?! when| if you)/;

function dangles(content: string): boolean {
  const text = content.toLowerCase().replace(/`[^`]*`/g, "code");
  if (POINTERS.some((pointer) => pointer.test(text))) return true;
  // "The code they test" is a clause of its own.
  const pronoun = PRONOUN.exec(text.replace(/\b(the \w+) they\b/g, "$1"));
  return pronoun !== null && meaningful(text.slice(0, pronoun.index)).length < 2;
}

/** The families' own words, and words that could mean anything. */
const EMPTY = new Set(
  `always never prefer remember stop don dont not now ever again please must should need want wants like only just sure
   make made thing things stuff way work works working doing done something anything everything nothing keep going forward
   future next time every each whenever wherever possible help can that this repo project codebase there here good better
   best right wrong also instead rather over than you your our we use used using try trying get put run let lets code`.split(
    /\s+/,
  ),
);

/** The words that say what an instruction is about. */
function meaningful(text: string): string[] {
  return [...keyWords(text)].filter((word) => !EMPTY.has(word));
}

/** Names with capitals inside that are not identifiers. */
const NAMES = `
  GitHub GitLab TypeScript JavaScript PostgreSQL MySQL GraphQL ESLint OpenCode OpenAPI OpenAI DevOps iOS macOS NixOS VSCode PyTorch
  snake_case camelCase PascalCase kebabCase SCREAMING_SNAKE_CASE NumPy FastAPI SQLAlchemy DuckDB MongoDB DynamoDB CommonJS NodeJS NextJS LaTeX PowerShell JetBrains IntelliJ
`
  .trim()
  .split(/\s+/);
const NAME = new RegExp(`\\b(?:${NAMES.join("|")})\\b`, "g");
const IDENTIFIER = /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w+_\w+|\b\w+\(\)|\b\w+\.\w+\(|::|->|=>/g;
/** "… in getUsers": about one place. */
const IN_CODE =
  /(?:^|\s)(?:in|en|em|no|na|dans|bei|into|inside) (?:the |la |el |o |a |der |die )?[a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*(?:\(\))? ?(?:里|中|では|の中)/;
const SPAN = new RegExp(`${CODE}+`, "g");

/** An instruction may be about one name; with more it is about a place in the code. */
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

/**
 * One pattern for many phrases, for lists that are too long to read as a regular expression. Phrases are separated by
 * ` | `, or by `|` at the end of a line, and match whole words.
 */
function phrases(text: string): RegExp {
  const joined = text
    .trim()
    .replace(/ +\| +|\s*\|\n\s*/g, "|")
    .replace(/\n\s*/g, "");
  return new RegExp(`\\b(?:${joined})\\b`, "i");
}

/** What takes a wish back, or says that there never was one. No sentence of such a message is a wish. */
const WITHDRAWN = new RegExp(
  [
    "\\b(?:forget (?:what|everything|all) i (?:said|told)|(?:forget|scratch|ignore) (?:that|what i said)|i (?:take|took) (?:that|it) back|never ?mind(?! the)|i(?:['’]ve)? changed my mind|on second thoughts?|i (?:never|didn['’]?t) (?:say|said|tell|told|ask|asked)(?: you)?)\\b",
    "(?:vergiss (?:das|was ich|bitte (?:das|was))|das nehme ich zurück|ich nehme .{0,20} zurück|hat sich erledigt|doch nicht mehr|doch egal|ich hab(?:e)? (?:dir |doch )?(?:nie|nicht|niemals) (?:gesagt|verlangt|darum gebeten)|war nur (?:so )?eine idee)",
    "(?:oublie (?:ça|ce que|cette|l['’]histoire|la règle)|laisse tomber|je retire|finalement non|j['’]ai changé d['’]avis|je n['’]ai (?:jamais|pas) (?:dit|demandé))",
    "(?:olv[ií]da(?:te)? (?:de )?(?:eso|lo|aquello|esa)|retiro lo|he cambiado de (?:idea|opinión)|cambié de (?:idea|opinión)|al final no|(?:no|nunca) te (?:he )?(?:pedí|pedido|dije|dicho))",
    "(?:esque[çc][ae] (?:isso|aquilo|o que|aquel)|deixa pra lá|deixa para lá|mudei de ideia|voltei atrás|retiro o que|(?:não|nunca) (?:te )?(?:pedi|disse|falei) (?:para |pra |que )?)",
    "(?:当我没说|當我沒說|算了|收回|我没说|我沒說|我可没说|不用管我(?:刚才|之前)|改主意了|作废)",
    "(?:やっぱり?(?:なし|無し|いい|やめ|大丈夫)|忘れてください|忘れて(?:いい|ください)|撤回|取り消し(?:ます|て)|気が変わ|なかったことに|とは言って(?:い)?(?:ない|ません))",
  ].join("|"),
  "i",
);

export function isWithdrawn(text: string): boolean {
  return WITHDRAWN.test(text);
}

/** What follows the colon is a text to write, not a wish: "Add to the docs: never …". */
const DICTATED =
  /^\s*(?:(?:please|bitte|por favor|请|請|kindly)\s*)?(?:(?:add|append|insert|change|translate|document|replace|set|say|reply with|post|send|schreibe?|füge?|ergänze|ändere|übersetze?|setze?|trage?|ajoute[rz]?|écris|traduis|remplace[rz]?|change[rz]?|mets|añade|agrega|escribe|traduce|cambia|pon|adiciona|adicione|acrescente|escreva|traduza|troque|coloque)\b.*|.*(?:加一条|加一句|加上一[条句]|添加一[条句]|写上|翻译|改成|改为|追加して|書いて|翻訳).{0,12})[:：]\s*$/i;

/** The same without a colon: "write in the README that nobody pushes to main". */
const TO_WRITE =
  /^\s*(?:(?:please|bitte|por favor|s['’]il te plaît|kindly|can you|could you)[\s,]+)?(?:add|write|note|put|mention|document|state|schreibe?|ergänze|trage?|erwähne|notiere|écris|ajoute[rz]?|mentionne|indique|escribe|añade|agrega|indica|anota|escreva|adicione|acrescente|mencione)\b(?:\s+[^\s,]+){0,3}?\s+(?:in|into|to|on|dans|sur|au|à|en|al|a|em|no|na|ins?|zur?|zum|im) (?:[^\s,]+ ){0,3}?(?:readme|changelog|docs?|documentation|wiki|contributing|(?:agents|claude)\.md|handbook|guide|comment|commit message|pr description|issue|ticket|doku(?:mentation)?|anleitung|handbuch|kommentar|documentación|documentação|guía|manual|commentaire)(?:\.md)?\b[\s,]*(?:that|saying|dass|daß|que|why|how)\b/iu;

const LOG =
  /^\s*(?:\w*(?:error|exception)|warn(?:ing)?|fatal|panic|deprecat\w*|\w*erreur|\w*fehler|erro|aviso|advertencia)\b[^:：]{0,40}[:：]/i;

/** Whether the words before a colon announce a text to be written. */
export function isDictation(before: string): boolean {
  return DICTATED.test(before);
}

/** Whether a sentence is a line of a log, or gives a text to write. */
function isForeignText(masked: string): boolean {
  if (LOG.test(masked) || TO_WRITE.test(masked)) return true;
  return [...masked.matchAll(/[:：]/g)].some(({ index }) => isDictation(masked.slice(0, index + 1)));
}
