import { sentencesOf } from "../../../search/telling.ts";
import { saysNothing } from "../indexing/substance.ts";
import { DECISION, isAboutTo, own } from "../records/sentences.ts";
import type { Step } from "./steps.ts";

/** A literal sentence of the session. */
export interface Sentence {
  readonly by: "user" | "agent";
  readonly text: string;
  /** How useful it is for somebody who continues the work. */
  readonly weight: number;
  /** The number of later requests. */
  readonly age: number;
}

export interface Said {
  /** What the person asked or said last. */
  readonly asked: readonly Sentence[];
  /** What the last answers report. */
  readonly results: readonly Sentence[];
  readonly open: readonly Sentence[];
  readonly causes: readonly Sentence[];
  readonly decisions: readonly Sentence[];
}

/** How many of the last requests to search for each kind. Causes and decisions stay true for long. */
const REACH = { asked: 4, results: 3, open: 4, causes: 12, decisions: 15 };
/** The factor by which a sentence's weight shrinks with each later request. */
const FADING = { asked: 0.8, results: 0.6, open: 0.75, causes: 0.9, decisions: 0.93 };
/** How much more a certain cause ("the root cause is") weighs than a possible one ("because"). */
const STRONG = 1.6;

const STRONG_CAUSE =
  /\broot cause\b|\b(?:real|actual|underlying) (?:problem|issue|bug|reason|cause)\b|\b(?:problem|issue|bug|reason|culprit|failure) (?:is|was|turned out)\b|\b(?:is|was|are|were) caused by\b|\bfail(?:s|ed|ing)? because\b|\bturns out\b/i;
const WEAK_CAUSE = /\bcauses?\b|\bbecause\b|\bdue to\b|\bstems from\b|\bthat(?:'s| is) why\b/i;
/** Announces a cause that the next sentence states. */
const CAUSE_FOLLOWS =
  /^(?:(?:now|ok(?:ay)?|great|good|perfect|ah|yes)[,.! ]*)?(?:i (?:can )?(?:see|found|understand|know)|(?:that(?:'s| is)|this is|here(?:'s| is)|there(?:'s| is)|the)\b).{0,60}\b(?:root cause|problem|issue|bug|it)\b.{0,20}[.!:]$/i;
const OPEN =
  /\b(?:still|not (?:\S+ ){0,4}yet|pre-?existing|failing before|already (?:failing|broken|failed)|unrelated|deferr?(?:ed|ing)?|out of scope|follow-?ups?|remaining|remains|to-?do|blocked|waiting (?:for|on)|(?:needs?|requires?) (?:to be|manual|your|a human)|have(?:n't| not)|has(?:n't| not)|was(?:n't| not) (?:run|tested|able)|not (?:run|tested|verified|pushed|committed|merged|implemented|done)|could(?:n't| not)|flaky|next steps?|left (?:to do|as|for)|untested|uncommitted|unpushed|should (?:next|then|also))\b/i;
/** A sentence with these words is not about the work, whatever else it contains. */
const NOISE =
  /\b(?:let me know|would you like|feel free|if you(?:'d| would)? (?:like|want|need)|anything else|want me to)\b/i;
/** An opening such as "Done!" */
const OPENING =
  /^(?:done|great|perfect|sure|ok(?:ay)?|yes|no|all (?:done|set)|you(?:'re| are) (?:right|welcome)|good (?:question|catch|point)|thanks|fixed|finished|here(?:'s| is) (?:the|a) summary)\b[^\p{L}\p{N}]*$/iu;

export function saidIn(steps: readonly Step[]): Said {
  const ages = agesOf(steps);
  const all = steps.flatMap((step, at) => sentencesAt(step, ages[at] ?? 0, steps[at + 1]));
  const of = (
    kind: keyof typeof REACH,
    fits: (one: Marked) => boolean,
    more = (_: string) => 1,
  ): Sentence[] =>
    all
      .filter((one) => one.age <= REACH[kind] && fits(one))
      .map((one) => ({ ...one, weight: one.weight * FADING[kind] ** one.age * more(one.text) }));
  return {
    asked: of("asked", ({ by }) => by === "user"),
    results: of("results", ({ by, isAnswer }) => by === "agent" && isAnswer),
    open: of("open", ({ text, isAnswer, by }) => (isAnswer || by === "user") && OPEN.test(text)),
    causes: of(
      "causes",
      ({ by, text }) => by === "agent" && (STRONG_CAUSE.test(text) || WEAK_CAUSE.test(text)),
      (text) => (STRONG_CAUSE.test(text) ? STRONG : 1),
    ),
    decisions: of("decisions", ({ text, by }) => DECISION.fits(text, by === "user" ? "user" : "assistant")),
  };
}

/** The number of requests after each step. */
function agesOf(steps: readonly Step[]): number[] {
  let after = 0;
  return steps
    .toReversed()
    .map(({ by }) => (by === "user" ? after++ : after))
    .reverse();
}

interface Marked extends Sentence {
  /** No tool call follows, so it is a final answer. */
  readonly isAnswer: boolean;
}

function sentencesAt(step: Step, age: number, next: Step | undefined): Marked[] {
  const { by } = step;
  if ((by !== "user" && by !== "agent") || age > REACH.decisions) return [];
  if (by === "user" && saysNothing(step.text)) return [];
  const text = step.text.replaceAll("’", "'");
  const found = sentencesOf(by === "user" ? requestIn(text) : text);
  return found.flatMap(({ text, weight }, i): Marked[] => {
    if (NOISE.test(text) || (by === "agent" && !saysSomething(text))) return [];
    const follows = by === "agent" && CAUSE_FOLLOWS.test(text) ? found[i + 1] : undefined;
    const whole = follows === undefined ? text : `${text} ${follows.text}`;
    return [
      { by, text: whole, weight: weight + (follows?.weight ?? 0), age, isAnswer: next?.by !== "calls" },
    ];
  });
}

/** The agent says what it is doing at that moment. */
const NARRATES = /^(?:(?:next|now|first|so|and|also)[, ]+)?i(?:'m| am) (?:now |also |still )?\w+ing\b/i;

function saysSomething(sentence: string): boolean {
  return (
    !/[?？:]$/.test(sentence) &&
    !/^(?:::|the user:)/i.test(sentence) &&
    outsideCode(sentence).length > 10 &&
    !isAboutTo(sentence) &&
    !NARRATES.test(sentence) &&
    !OPENING.test(sentence)
  );
}

/** A longer text is a plan, a review or a log, with the request before or after it. */
const LONGEST_REQUEST = 700;
const MOST_OF_A_REQUEST = 300;

/**
 * The request in a user's text. From a long text: the heading or first sentence, and the last line if it is a request.
 */
export function requestIn(text: string): string {
  const whole = own(text);
  if (whole.length <= LONGEST_REQUEST) return whole;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const heading = lines.slice(0, 3).find((line) => /^#{1,3}\s/.test(line));
  const first = own(heading ?? lines[0] ?? "").slice(0, MOST_OF_A_REQUEST);
  const before = heading === undefined ? "" : own(lines.slice(0, lines.indexOf(heading)).join("\n"));
  const last = lines.at(-1) ?? "";
  const asks =
    last.length < MOST_OF_A_REQUEST &&
    /\?$|^(?:please|can you|could you|let'?s|now|fix|implement|do|make|add|review)\b/i.test(last);
  return [before.slice(0, MOST_OF_A_REQUEST), first, ...(asks ? [last] : [])]
    .filter((one) => one !== "")
    .join(" ");
}

/** A sentence that consists only of code says nothing. */
const outsideCode = (sentence: string): string => sentence.replace(/`[^`]*`/g, "").trim();
