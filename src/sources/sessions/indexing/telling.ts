import { collapse } from "../../../base/text.ts";
import { wordsOf } from "../../../moments/own-words.ts";
import { STOP_WORDS } from "../../../search/words.ts";
import { saysNothing } from "./substance.ts";

/** A sentence or a heading of a request, on one line. */
export interface Clause {
  readonly text: string;
  /** How informative it is about the work. */
  readonly telling: number;
}

/** How much is read of each request, and how many requests from the beginning: a session's topic is found early. */
const MOST_OF_A_REQUEST = 1500;
const MOST_CLAUSES = 8;
const MOST_COMPARED = 300;
/** "Let me know what effort it is to fix this: …" is less informative than what follows. */
const LEAST_ANNOUNCEMENT = 3;

/**
 * Words that occur in any coding session, and name an occasion rather than a topic: "review the changes in this
 * branch".
 */
const OCCASION: ReadonlySet<string> = new Set(
  `access add added address again all already also answer any anything apply ask asked bit branch branches brainstorm bug bugs build
  change changed changes check checked ci clean code codebase comment comments commit commits compare conflict continue correct create
  current debug default description different do doc docs document documentation done double else error errors everything
  example explain fail failed failing fails failures feature feedback few file files find fine first fix fixed fixes following full
  function generate give good group have help implement implementation implementing include instead invoke issue issues keep know
  last latest learn let lint linear list little local log logic look looking looks main make makes making master maybe meaningful mention
  merge merged message more need new next noticed ok one open option origin other part path plan please possible pr problem
  project propose pull push question read really reason rebase refactor release remaining remove repo repository request respond
  result review reviewer reviewing right run running same see set setup show simple some something stash start started state step still stop
  stuff summary sure take task tell test tests thing things think time together try understand unresolved update updated updates use used
  using version want way why wonder work working works write wrong yes
  line lines method feel seems just two three below above findings found actually anything available back better come could even
  into like looks much needs okay probably should tell than thanks them then there though through well would yeah`.split(
    /\s+/,
  ),
);

const IDENTIFIER =
  /`[^`\n]{2,60}`|\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|\w+\(\)|[\w-]+\.[a-z]{1,4}\b)|(?<![\w-])--[a-z][\w-]+/g;
const TICKET = /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b|\bent-\d+\b|(?:^|\s)#\d{1,5}\b|\bPR \d+/g;
const BEGINS_WITH_VERB =
  /^(?:add|allow|build|change|convert|create|debug|delete|drop|enable|disable|expose|extract|fix|handle|hide|implement|improve|invert|make|merge|migrate|move|optimi[sz]e|port|prevent|refactor|release|remove|rename|replace|rewrite|show|simplify|sort|split|store|support|switch|test|track|update|upgrade|use|validate|write)\b/i;
/**
 * Code or program output rather than a sentence: a location, a stack frame, a table, a command line with its prompt.
 */
const OUTPUT =
  /\w:\d+:\d+|^\s*at \S+ ?\(|[│├└┌⎿]|^[❯$>%] |^\S+@\S+[:~]|REDACTED|^[A-Z]+ +[A-Z]+ +|^\d{4}-\d\d-\d\d|^\s*\/\/|[{;]$|:=|^(?:func|def|class|const|var|import|return|if err) /;
/** The host's own texts in the user's role, if the host does not mark them. */
const OF_THE_HOST =
  /^(?:This session is being continued from a previous conversation|\[Request interrupted|Caveat: The messages below|Base directory for this skill|<\w)/;

export const isOfAnySession = (word: string): boolean => OCCASION.has(word);

/** How informative a text is: words that occur in few sessions, names in code, tickets. */
export function tellingOf(whole: string): number {
  const text = whole.slice(0, MOST_COMPARED);
  const identifiers = new Set((text.match(IDENTIFIER) ?? []).map((one) => one.toLowerCase()));
  const tickets = new Set(text.match(TICKET) ?? []).size;
  const words = new Set(
    text
      .replace(IDENTIFIER, " ")
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}\p{N}]+/gu) ?? [],
  );
  let own = 0;
  for (const word of words) if (!STOP_WORDS.has(word) && !OCCASION.has(word)) own += weightOf(word);
  return Math.min(own, 6) + 1.5 * Math.min(identifiers.size, 3) + Math.min(tickets, 2);
}

/** In scripts without spaces a "word" is a whole sentence. */
function weightOf(word: string): number {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word) ? Math.max(1, word.length / 2) : 1;
}

/** Whether a prompt asks for something: not a greeting, confirmation or command alone, and not a text of the host. */
export function isRequest(prompt: string): boolean {
  return !saysNothing(prompt) && !OF_THE_HOST.test(prompt.trimStart());
}

/**
 * The clauses of a request in order. `shown` returns the part of a clause that a name would show; only that part
 * counts. Empty if the request is a greeting, a confirmation or a text of the host.
 */
export function clausesOf(request: string, shown: (clause: string) => string): Clause[] {
  if (!isRequest(request)) return [];
  return partsOf(request).map(({ text, isHeading, announces }) => {
    const part = shown(text);
    const told = tellingOf(part);
    if (announces && told < LEAST_ANNOUNCEMENT) return { text, telling: 0 };
    const isOutput = OUTPUT.test(text);
    const isOrder = BEGINS_WITH_VERB.test(part);
    return { text, telling: told * (isOutput ? 0.4 : 1) * (isHeading ? 1.5 : 1) * (isOrder ? 1.2 : 1) };
  });
}

interface Part {
  readonly text: string;
  /** Whether it ends with a colon and only announces what follows. */
  readonly announces: boolean;
  readonly isHeading: boolean;
}

/** "When running:" is meaningless without the next line. */
const SHORT_HEAD = /^([^\s:#]+(?: [^\s:]+){0,3}):[ \t]*\n+(?!\s*#)[^\p{L}\n]*/gmu;

/** A line feed within a sentence: no heading precedes it, and the next line begins in lower case. */
const WRAPPED = /(?<=^[^#\n].*[\p{L}\p{N},])\n(?=\p{Ll})/gmu;

/** Splits the lines of a request into sentences. A heading is a separate part and never runs into the next line. */
function partsOf(request: string): Part[] {
  const own = wordsOf(request.slice(0, MOST_OF_A_REQUEST * 4)).own || request;
  const parts: Part[] = [];
  const text = own.slice(0, MOST_OF_A_REQUEST).replace(SHORT_HEAD, "$1: ").replace(WRAPPED, " ");
  for (const line of text.split("\n")) {
    const isHeading = /^\s*#{1,6}\s/.test(line);
    const plain = collapse(
      shortened(line)
        .replace(/^\s*(?:#{1,6}|[-*+>•●○▪‣–—❯✓✔✗✘⨯]|\d{1,2}[.)])\s+/gu, "")
        .replace(/\*\*|__/g, ""),
    );
    for (const sentence of isHeading ? [plain] : sentencesOf(plain).map(withoutOccasion)) {
      if (!/[\p{L}\p{N}]/u.test(sentence) || isSectionTitle(sentence) || sentence.startsWith("(")) continue;
      parts.push({ text: sentence.replace(/:$/, ""), isHeading, announces: sentence.endsWith(":") });
      if (parts.length >= MOST_CLAUSES) return parts;
    }
  }
  return parts;
}

/** Section titles that occur in any plan or review, and what Claude Code adds below a plan. */
function isSectionTitle(text: string): boolean {
  if (text.startsWith("If you need specific details from before exiting plan mode")) return true;
  return /^(?:(?:low|medium|high|critical) severity|implement the following plan|summary|overview|context|goals?|background|plan|implementation|tasks?|steps?|details|problem|solution|issues found|files?|target behaviou?r|description|notes?):?$/i.test(
    text,
  );
}

/** Shortens a link to a pull request to its number, and other links and paths to their last part. */
function shortened(text: string): string {
  return text
    .replace(/\b(?:PR )?https?:\/\/\S*?\/pull\/(\d+)[^\s)>,]*/g, "PR $1")
    .replace(/\bhttps?:\/\/\S*?([\w.-]+\/[\w.#-]+)\/?(?=[\s)>,]|$)/g, "$1")
    .replace(/@?(?:[\w.@~-]*\/){2,}([\w.-]+)/g, "$1");
}

/**
 * "Look at the changes in this branch, …": the part before the comma says nothing. Neither does the introduction of a
 * quotation.
 */
function withoutOccasion(sentence: string): string {
  const quoted = /^[^"“]*\b(?:feedback|comment|error|message|warning|says|said)\b[^"“]*["“]([^"”]+)/.exec(
    sentence,
  )?.[1];
  if (quoted !== undefined && tellingOf(quoted) >= 3) return quoted;
  const comma = sentence.indexOf(", ");
  const rest = comma === -1 ? "" : sentence.slice(comma + 2);
  return tellingOf(sentence.slice(0, comma)) === 0 && tellingOf(rest) >= 3 ? rest : sentence;
}

/** A colon ends a sentence if there is a whole clause before and after it. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { 0: end, index } of text.matchAll(/[.!?:;]+(?=\s)/g)) {
    const sentence = text.slice(from, index).trim();
    const words = sentence.split(" ");
    // A list number is also followed by a full stop.
    const isNumber = /^\d{1,2}$/.test(words.at(-1) ?? "") || /\b(?:e\.g|i\.e|etc|vs)$/i.test(sentence);
    if (isNumber || sentence.length < 12 || (/[:;]/.test(end) && words.length < 5)) continue;
    sentences.push(end === ":" ? `${sentence}:` : sentence);
    from = index + end.length;
  }
  const rest = text.slice(from).trim();
  return rest === "" ? sentences : [...sentences, rest.replace(/[.!?;]+$/, "")];
}
