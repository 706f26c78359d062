import { collapse } from "../../../base/text.ts";
import { isBareCommand } from "../indexing/name.ts";
import { isAboutTo, own, paragraphs } from "../records/sentences.ts";
import type { Said, SessionEnd } from "./said.ts";

/** How a session ended and what it left open. */
export interface Ending {
  /** When something was last said. */
  readonly at?: number;
  /** What the last answer says, on one line. */
  readonly outcome?: string;
  /** The last request, if no answer followed. */
  readonly unanswered?: string;
  /** What the last answer says about failing tests, if `outcome` does not have it. */
  readonly failing?: string;
}

const LONGEST = 300;

/** Undefined for a session that is not worth a line: nothing, or nothing but greetings and commands, was said. */
export function endingOf(end: SessionEnd): Ending | undefined {
  if (isTrivial(end)) return undefined;
  const { said } = end;
  const at = said.findLast((one) => one.at !== undefined)?.at;
  const answer = lastAnswer(said);
  const sentences = answer === undefined ? [] : sentencesOf(answer);
  const outcome = collapse(sentences.filter(saysSomething).slice(0, 2).join(" ")).slice(0, LONGEST);
  const failing = sentences.find(isFailing)?.slice(0, LONGEST);
  const unanswered = lastUnanswered(said)?.slice(0, LONGEST);
  return {
    ...(at !== undefined && { at }),
    ...(outcome !== "" && { outcome: outcome.toWellFormed() }),
    ...(failing !== undefined && !outcome.includes(failing) && { failing: failing.toWellFormed() }),
    ...(unanswered !== undefined && { unanswered: unanswered.toWellFormed() }),
  };
}

/** Of an answer; less is a greeting or "Done." */
const LEAST_LETTERS = 12;
const GREETING =
  /^(?:(?:hi|hey|hello|hallo|hola|salut|bonjour|ciao|yo|ok(?:ay)?|yes|no|thanks|thank you|test|testing|ping|there|again|claude|codex|gemini|copilot|everyone|bye|exit|quit|continue|go on|go)\b[\s,.!?]*)+$/i;

function isTrivial({ said, edited, isWhole }: SessionEnd): boolean {
  if (edited.length > 0) return false;
  const requests = said.filter(({ by }) => by === "user").map(({ text }) => own(text));
  const hasRequest = requests.some(
    (text) => letters(text) > 1 && !isBareCommand(text) && !GREETING.test(text),
  );
  // Of a long session only the end was read: its requests may be further up.
  if (!hasRequest && (isWhole || requests.length > 0)) return true;
  return !said.some(({ by, text }) => by === "agent" && letters(text) >= LEAST_LETTERS);
}

const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** The last one with something in it: the end of a turn, rather than text between tool calls. */
function lastAnswer(said: readonly Said[]): string | undefined {
  const isAnswer = ({ by, text }: Said): boolean => by === "agent" && letters(text) >= LEAST_LETTERS;
  const isLast = (_: Said, i: number): boolean => said[i + 1]?.by !== "calls";
  return (said.findLast((one, i) => isAnswer(one) && isLast(one, i)) ?? said.findLast(isAnswer))?.text;
}

/** Text before a tool call is not the answer yet. */
function lastUnanswered(said: readonly Said[]): string | undefined {
  const request = said.findLastIndex(({ by }) => by === "user");
  if (request === -1 || said.at(-1)?.by === "agent") return undefined;
  const text = own(said[request]?.text ?? "");
  return letters(text) > 1 && !isBareCommand(text) && !GREETING.test(text) ? text : undefined;
}

function sentencesOf(text: string): string[] {
  return paragraphs(text).flatMap((one) => one.split(/(?<=[.!?])\s+|(?<=[。！？])/));
}

/** No opening such as "Done!", no announcement and no question. */
const OPENING =
  /^(?:done|great|perfect|sure|ok(?:ay)?|yes|no|all (?:done|set)|you(?:'re| are) (?:right|welcome)|good (?:question|catch|point)|thanks|fixed|finished|here(?:'s| is) (?:the|a) summary)\b[^\p{L}\p{N}]*$/iu;
function saysSomething(sentence: string): boolean {
  return (
    letters(sentence) >= LEAST_LETTERS &&
    !/[?？:]$/.test(sentence) &&
    !isAboutTo(sentence) &&
    !OPENING.test(sentence)
  );
}

/** Up to the end of a clause; a full stop inside a file's name is none. */
const WITHIN = String.raw`(?:[^.;]|\.(?=\w)){0,60}?`;
const TESTS = String.raw`\b(?:tests?|specs?|suites?|checks?|build|typecheck|lint|ci)\b`;
const FAILS = new RegExp(
  String.raw`${TESTS}${WITHIN}\b(?:fail(?:s|ed|ing|ures?)?|broken|(?:do|does)(?: not|n't) pass)\b|\bfail(?:s|ed|ing|ures?)\b${WITHIN}${TESTS}`,
  "i",
);
/** It failed before, or nothing fails. */
const FAILS_NOT = new RegExp(
  String.raw`\b(?:no|0|zero|without|none|never|not|nothing|isn't|aren't|fix(?:e[sd]|ing)?|was|were|used to|no longer|previously|before|if|would|when|should)\b${WITHIN}\bfail|\bfail\w*${WITHIN}\b(?:fixed|before|previously|now pass(?:es)?|no longer)\b`,
  "i",
);

function isFailing(sentence: string): boolean {
  return FAILS.test(sentence) && !FAILS_NOT.test(sentence) && !sentence.endsWith("?");
}
