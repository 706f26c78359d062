import { collapse } from "../../base/text.ts";
import { wordsOf } from "../../moments/own-words.ts";

const MOST_CHARACTERS = 80;
/** Of a request: enough to tell "look at the changes in this branch and …" from another that begins so. */
const MOST_WORDS = 12;
const MOST_OF_A_REQUEST = 64;
/** What stands before a colon is a name only where it says something: not "when running:" or "fix:". */
const LEAST_BEFORE_COLON = 5;

/** As one line that can be typed after `@@` without becoming a reference itself. */
export function cleanName(text: string): string {
  return cut(plainLine(text));
}

export function plainLine(text: string): string {
  return collapse(text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ").replace(/@{2,}/g, ""));
}

/** Politeness and the like, with which requests begin and names need not. */
const OPENING =
  /^(?:(?:ok(?:ay)?|alright|all right|hey|hi|hello|please|well|great|cool|thanks|so|now|hmm+|yes|yeah|no|and|but|also|can you|could you|would you|will you|i want you to|i(?:'d| would) like you to|i need you to|implement the following plan)\b[\s,.!:–-]*)+/i;
/** What terminals print before the lines of a list. */
const LIST_SIGN = /^(?:[•●○▪‣–—❯✓✔✗✘⨯-]\s+)+/u;
/** What no name should stop at. */
const DANGLING =
  /(?:[\s,;:–-]+(?:and|or|but|then|the|a|an|of|to|in|for|with|that|is|as|at|on|from|by))*[\s,;:–-]*$/i;

/** The first request that says something, as a name; undefined when there is none. */
export function nameFromRequest(requests: readonly string[]): string | undefined {
  const said = requests.map(ownLine).filter((line) => line !== "" && !isBareCommand(line));
  const long = (words: number) => said.find((line) => line.split(" ").length >= words);
  const chosen = long(4) ?? long(3) ?? said[0];
  if (chosen === undefined) return undefined;
  const plain = withoutOpening(chosen)
    .replace(/\bhttps?:\/\/\S*?([\w.-]+\/[\w.#-]+)\/?(?=[\s)>,]|$)/g, "$1")
    .replace(/@?(?:[\w.@~-]*\/){2,}([\w.-]+)/g, "$1");
  const sentence = firstSentence(plain);
  const words = sentence.split(" ");
  const first = words.slice(0, roomFor(words));
  const name = first.length === words.length ? sentence : `${beginningOf(first)} …`;
  return cut(name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())) || undefined;
}

/** What a person typed behind a command says something, the command alone does not. */
export function isBareCommand(line: string): boolean {
  return /^\/\S*$/.test(line.trim());
}

function firstSentence(text: string): string {
  for (const { 0: end, index } of text.matchAll(/[.!?:;]+(?=\s|$)/g)) {
    const sentence = text.slice(0, index).trim();
    const words = sentence.split(" ");
    // The number of a list's item has a dot behind it, too.
    const isItem = /^\d{1,2}$/.test(words.at(-1) ?? "");
    const isEnd = end === ":" ? words.length >= LEAST_BEFORE_COLON : sentence.length >= 12 && !isItem;
    if (isEnd) return sentence;
  }
  return text;
}

/** How many of the words make a name; the first one always does. */
function roomFor(words: readonly string[]): number {
  const most = words.slice(0, MOST_WORDS);
  const over = most.findIndex((_, at) => most.slice(0, at + 1).join(" ").length > MOST_OF_A_REQUEST);
  return over === -1 ? most.length : Math.max(1, over);
}

/** Up to a comma, where there is one after more than half. */
function beginningOf(words: readonly string[]): string {
  const clause = words.findLastIndex((word, at) => at >= words.length / 2 && word.endsWith(","));
  return (clause === -1 ? words : words.slice(0, clause + 1)).join(" ").replace(DANGLING, "");
}

/** Unless little more than that was said. */
function withoutOpening(line: string): string {
  const rest = line.replace(OPENING, "");
  return rest.split(" ").length >= 3 ? rest : line;
}

/** What the person wrote themselves, else all of it: some requests are nothing but a pasted trace. */
function ownLine(request: string): string {
  return cleanText(wordsOf(request).own) || cleanText(request);
}

function cleanText(text: string): string {
  return plainLine(text.slice(0, 600).replace(/[#*`>]+/g, " ")).replace(LIST_SIGN, "");
}

function cut(line: string): string {
  const signs = [...line.slice(0, MOST_CHARACTERS * 4)];
  return signs.length <= MOST_CHARACTERS
    ? line.slice(0, MOST_CHARACTERS * 4)
    : `${signs.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}
