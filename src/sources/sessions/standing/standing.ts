import { saysNothing } from "../indexing/substance.ts";
import { own } from "../records/sentences.ts";
import { requestIn, type Said, saidIn } from "./slots.ts";
import type { Step } from "./steps.ts";
import { type ToolFacts, toolFactsOf } from "./tool-facts.ts";
import { type Written, writtenIn } from "./written.ts";

/** Where a session stands: what somebody who continues it the next day needs first. */
export interface Standing {
  /** When something was last said. */
  readonly at?: number;
  /** The first request, if it is known and was not also the last. */
  readonly goal: string;
  /** The last request has no answer. */
  readonly isOpen: boolean;
  /** The agent's question at the end, which nobody answered. */
  readonly question: string;
  readonly facts: ToolFacts;
  /** The whole session was read, so anything that was not found did not happen. */
  readonly isWhole: boolean;
  readonly said: Said;
  readonly written?: Written;
  /** The agent used tools: more than a question and an answer. */
  readonly isWork: boolean;
}

export interface SessionSteps {
  /** In order, the last step last. */
  readonly steps: readonly Step[];
  /** Files that were edited, the last one first. */
  readonly edited: readonly string[];
  /** Whether these are all steps of the session. */
  readonly isWhole: boolean;
}

/** Undefined for a session that is not worth a line: nothing, or nothing but greetings and commands, was said. */
export function standingOf(end: SessionSteps): Standing | undefined {
  if (isTrivial(end)) return undefined;
  const { steps, edited, isWhole } = end;
  const last = steps.at(-1);
  const request = steps.findLast(asksSomething);
  const first = isWhole ? steps.find(asksSomething) : undefined;
  return {
    at: steps.findLast((one) => one.at !== undefined)?.at,
    goal: first === undefined || first === request ? "" : goalIn(requestIn(first.text)),
    isOpen: last?.by !== "agent" && request !== undefined,
    question: last?.by === "agent" ? questionAtEnd(last.text) : "",
    facts: toolFactsOf(steps),
    isWhole,
    said: saidIn(steps),
    written: writtenIn(steps),
    isWork: edited.length > 0 || steps.some(({ by }) => by === "calls"),
  };
}

/** "(COMPLETED)" is not a goal. */
const goalIn = (text: string): string => (text.split(/\s+/).length > 2 ? text : "");

/** Of an answer; less is a greeting or "Done." */
const LEAST_LETTERS = 12;

function isTrivial({ steps, edited, isWhole }: SessionSteps): boolean {
  if (edited.length > 0) return false;
  const requests = steps.filter(({ by }) => by === "user");
  // Of a long session only the end was read: its requests may be further up.
  if (!requests.some(asksSomething) && (isWhole || requests.length > 0)) return true;
  return !steps.some(({ by, text }) => by === "agent" && letters(text) >= LEAST_LETTERS);
}

function asksSomething({ by, text }: Step): boolean {
  return by === "user" && letters(own(text)) > 1 && !saysNothing(text);
}

const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

function questionAtEnd(text: string): string {
  const question = /[^.!?:;\n]{10,300}\?\s*$/.exec(text.trimEnd().slice(-400))?.[0].trim() ?? "";
  // The beginning of what was read may cut a mark of a redaction.
  const isCut = question.includes("]") && !question.includes("[");
  return isCut ? "" : question.replace(/^[-*\d.)\s]+/, "");
}
