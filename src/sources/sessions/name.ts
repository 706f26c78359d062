import { wordsOf } from "../../transcripts/own-words.ts";

const MOST_CHARACTERS = 80;
const MOST_WORDS = 8;

/** As one line that can be typed after `@@` without becoming a reference itself. */
export function cleanName(text: string): string {
  return cut(plainLine(text));
}

function plainLine(text: string): string {
  return text
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")
    .replace(/@{2,}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Politeness and the like, with which requests begin and names need not. */
const OPENING =
  /^(?:(?:ok(?:ay)?|alright|all right|hey|hi|hello|please|well|great|cool|thanks|so|now|hmm+|yes|yeah|no|and|but|also|can you|could you|would you|will you|i want you to|i(?:'d| would) like you to|i need you to|implement the following plan)\b[\s,.!:–-]*)+/i;
/** What no name should stop at. */
const DANGLING =
  /(?:[\s,;:–-]+(?:and|or|but|then|the|a|an|of|to|in|for|with|that|is|as|at|on|from|by))*[\s,;:–-]*$/i;

/** The first request that says something, as a name; undefined when there is none. */
export function nameFromRequest(requests: readonly string[]): string | undefined {
  const said = requests.map(ownLine).filter((line) => line !== "" && !line.startsWith("/"));
  const long = (words: number) => said.find((line) => line.split(" ").length >= words);
  const chosen = long(4) ?? long(3) ?? said[0];
  if (chosen === undefined) return undefined;
  const plain = withoutOpening(chosen)
    .replace(/\bhttps?:\/\/\S*?([\w.-]+\/[\w.#-]+)\/?(?=[\s)>,]|$)/g, "$1")
    .replace(/@?(?:[\w.@~-]*\/){2,}([\w.-]+)/g, "$1");
  const sentence = /^.{12,}?[.!?:;](?=\s|$)/.exec(plain)?.[0].slice(0, -1) ?? plain;
  const words = sentence.split(" ");
  const name = words.length <= MOST_WORDS ? sentence : `${beginningOf(words)} …`;
  return cut(name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())) || undefined;
}

/** Up to a comma, where there is one after a few words. */
function beginningOf(words: readonly string[]): string {
  const first = words.slice(0, MOST_WORDS);
  const clause = first.findLastIndex((word, at) => at >= 3 && word.endsWith(","));
  return (clause === -1 ? first : first.slice(0, clause + 1)).join(" ").replace(DANGLING, "");
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
  return plainLine(text.slice(0, 600).replace(/[#*`>]+/g, " "));
}

function cut(line: string): string {
  const signs = [...line.slice(0, MOST_CHARACTERS * 4)];
  return signs.length <= MOST_CHARACTERS
    ? line.slice(0, MOST_CHARACTERS * 4)
    : `${signs.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}
