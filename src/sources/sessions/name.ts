import { wordsOf } from "../../transcripts/own-words.ts";

const MOST_CHARACTERS = 80;
const MOST_WORDS = 8;

/** As one line that can be typed after `@@` without becoming a reference itself. */
export function cleanName(text: string): string {
  const line = text
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ")
    .replace(/@{2,}/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return cut(line);
}

/** The first request that says something, as a name; undefined when there is none. */
export function nameFromRequest(requests: readonly string[]): string | undefined {
  const said = requests.map(ownLine).filter((line) => line !== "" && !line.startsWith("/"));
  const chosen = said.find((line) => line.split(" ").length >= 3) ?? said[0];
  if (chosen === undefined) return undefined;
  const sentence = /^.{12,}?[.!?:;](?=\s|$)/.exec(chosen)?.[0].slice(0, -1) ?? chosen;
  const words = sentence.split(" ");
  const name = words.slice(0, MOST_WORDS).join(" ");
  return cut(name) + (words.length > MOST_WORDS ? " …" : "") || undefined;
}

/** What the person wrote themselves, else all of it: some requests are nothing but a pasted trace. */
function ownLine(request: string): string {
  return cleanText(wordsOf(request).own) || cleanText(request);
}

function cleanText(text: string): string {
  return cleanName(text.slice(0, 600).replace(/[#*`>]+/g, " "));
}

function cut(line: string): string {
  const signs = [...line.slice(0, MOST_CHARACTERS * 4)];
  return signs.length <= MOST_CHARACTERS
    ? line.slice(0, MOST_CHARACTERS * 4)
    : `${signs.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}
