import { sentencesOf } from "../../../search/telling.ts";
import { saysNothing } from "../indexing/substance.ts";
import { isAboutTo, own } from "../records/sentences.ts";
import type { Said, SessionEnd } from "./said.ts";

/** A sentence from the end of a session. */
export interface Told {
  readonly by: "user" | "agent";
  readonly text: string;
  /** How much it says to somebody who goes on with the work. */
  readonly weight: number;
}

/** How a session ended and what it left open. */
export interface Ending {
  /** When something was last said. */
  readonly at?: number;
  /** What was said at the end, in order. */
  readonly told: readonly Told[];
  /** No answer followed the last request. */
  readonly isOpen: boolean;
  /** The agent used tools: more than a question and an answer. */
  readonly isWork: boolean;
}

/** Steps from the end that are looked at. */
const MOST_STEPS = 10;
/** What was said a step earlier counts this much less. */
const FADING = 0.85;
/** The last request and the last answer say what to go on with, whatever their words. */
const LAST_REQUEST = 3;
const LAST_ANSWER = 2;

/** Undefined for a session that is not worth a line: nothing, or nothing but greetings and commands, was said. */
export function endingOf(end: SessionEnd): Ending | undefined {
  if (isTrivial(end)) return undefined;
  const { said, edited } = end;
  const at = said.findLast((one) => one.at !== undefined)?.at;
  const isOpen = said.at(-1)?.by !== "agent" && said.some(isRequest);
  const isWork = edited.length > 0 || said.some(({ by }) => by === "calls");
  return { at, told: toldIn(said), isOpen, isWork };
}

function toldIn(said: readonly Said[]): Told[] {
  // Text before a tool call is not the answer yet.
  const steps = said.filter(({ by }, i) => by === "user" || (by === "agent" && said[i + 1]?.by !== "calls"));
  const last = steps.slice(-MOST_STEPS);
  const request = last.findLastIndex(({ by }) => by === "user");
  const answer = last.findLastIndex(({ by }) => by === "agent");
  return last.flatMap((step, i) => {
    const { by } = step;
    if (by === "calls" || (by === "user" && !isRequest(step))) return [];
    const bonus = i === request && i === last.length - 1 ? LAST_REQUEST : i === answer ? LAST_ANSWER : 0;
    return sentencesOf(by === "user" ? own(step.text) : step.text)
      .filter(({ text }) => by === "user" || saysSomething(text))
      .map(({ text, weight }) => ({
        by,
        text,
        weight: weight === 0 ? bonus / 2 : weight * FADING ** (last.length - 1 - i) + bonus,
      }));
  });
}

/** Of an answer; less is a greeting or "Done." */
const LEAST_LETTERS = 12;

function isTrivial({ said, edited, isWhole }: SessionEnd): boolean {
  if (edited.length > 0) return false;
  const requests = said.filter(({ by }) => by === "user");
  // Of a long session only the end was read: its requests may be further up.
  if (!requests.some(isRequest) && (isWhole || requests.length > 0)) return true;
  return !said.some(({ by, text }) => by === "agent" && letters(text) >= LEAST_LETTERS);
}

function isRequest({ by, text }: Said): boolean {
  return by === "user" && letters(own(text)) > 1 && !saysNothing(text);
}

const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** No opening such as "Done!", no announcement and no question. */
const OPENING =
  /^(?:done|great|perfect|sure|ok(?:ay)?|yes|no|all (?:done|set)|you(?:'re| are) (?:right|welcome)|good (?:question|catch|point)|thanks|fixed|finished|here(?:'s| is) (?:the|a) summary)\b[^\p{L}\p{N}]*$/iu;

function saysSomething(sentence: string): boolean {
  return !/[?？:]$/.test(sentence) && !isAboutTo(sentence) && !OPENING.test(sentence);
}
