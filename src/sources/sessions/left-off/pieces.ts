import { STOP_WORDS } from "../../../search/words.ts";
import { oneLine } from "../labels.ts";
import type { Run } from "../standing/runs.ts";
import type { Sentence } from "../standing/slots.ts";
import type { Standing } from "../standing/standing.ts";
import type { Commit, ToolFacts } from "../standing/tool-facts.ts";
import { clipToTokens, tokenBound } from "./token-bound.ts";

/** What a piece is told as. */
export type Slot = "asked" | "state" | "open" | "cause" | "decided" | "goal";

export interface Piece {
  readonly slot: Slot;
  readonly text: string;
  readonly weight: number;
  readonly cost: number;
  /** What stands before it, unless the piece before it has the same. */
  readonly lead?: string;
  /** Facts of tool calls are told whatever words they share with others. */
  readonly isFact?: true;
}

export interface About {
  readonly name: string;
  /** Files that it left uncommitted, or worked on; "" without any. */
  readonly files: string;
  readonly isYoung: boolean;
  /** Git says which files are uncommitted: what the transcript does not show may have been committed since. */
  readonly isGitKnown: boolean;
}

const MOST_OF_A_PIECE = 45;
/** Of a slot; facts of tool calls not counted. */
const MOST_PIECES: Record<Slot, number> = { asked: 4, state: 4, open: 4, cause: 2, decided: 3, goal: 1 };
/** How much more the first piece of a slot says than its weight. */
const FIRST = 1.6;
/** What joins it to the line, and what a line costs besides: its mark, its label, its end. */
const JOINT = 2;
const LINE = 6;
/** Less than this part of its words is new: it repeats. */
const LEAST_NEW = 0.4;

export interface Chosen {
  readonly kept: readonly Piece[];
  readonly spare: readonly Piece[];
}

/**
 * What is told of where a session stands: something of each slot, then what says most. `rooms` are numbers of tokens: of what
 * is told in any case, and of what is told besides if there is room.
 */
export function standingPieces(
  standing: Standing,
  about: About,
  rooms: { readonly kept: number; readonly spare: number },
  longest: number,
): Chosen {
  const all = piecesOf(standing, about).flatMap((one): Piece[] => {
    const text = clipToTokens(oneLine(withoutLinks(one.text), longest), MOST_OF_A_PIECE).replace(/[;,]$/, "");
    return text === "" ? [] : [{ ...one, text, cost: tokenBound(`${one.lead ?? ""}${text}`) + JOINT }];
  });
  const choice = new Choice(about.name);
  const kept = choice.fill(all, rooms.kept);
  const spare = choice.fill(
    all.filter((one) => !kept.has(one)),
    rooms.spare,
  );
  return { kept: all.filter((one) => kept.has(one)), spare: all.filter((one) => spare.has(one)) };
}

/** Of a Markdown link, its text: the address is often a path of another machine. */
const withoutLinks = (text: string): string => text.replace(/\[([^\][\n]{1,200})\]\([^)\s]{1,500}\)/g, "$1");

class Choice {
  readonly #said: Set<string>;
  readonly #pieces: Record<Slot, number> = { asked: 0, state: 0, open: 0, cause: 0, decided: 0, goal: 0 };

  constructor(known: string) {
    this.#said = new Set(wordsIn(known));
  }

  /** What says most for its cost first; what is the first of its slot says more. */
  fill(all: readonly Piece[], room: number): ReadonlySet<Piece> {
    const taken = new Set<Piece>();
    const slots = new Set<Slot>();
    const waiting = new Set(all);
    const rateNow = (one: Piece) => rateOf(one) * (this.#pieces[one.slot] === 0 ? FIRST : 1);
    for (let left = room; waiting.size > 0; ) {
      const best = [...waiting].reduce((a, b) => (rateNow(b) > rateNow(a) ? b : a));
      waiting.delete(best);
      const cost = best.cost + (slots.has(best.slot) ? 0 : LINE);
      if (cost > left || !this.#takes(best)) continue;
      taken.add(best);
      slots.add(best.slot);
      left -= cost;
    }
    return taken;
  }

  #takes({ slot, text, isFact }: Piece): boolean {
    const words = wordsIn(text);
    const fresh = words.filter((word) => !this.#said.has(word)).length;
    if (isFact !== true && fresh < Math.max(1, words.length * LEAST_NEW)) return false;
    if (isFact !== true && this.#pieces[slot] >= MOST_PIECES[slot]) return false;
    for (const word of words) this.#said.add(word);
    if (isFact !== true) this.#pieces[slot]++;
    return true;
  }
}

const rateOf = ({ weight, cost }: Piece): number => weight / (cost + 4) ** 0.7;

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))];
}

type Raw = Omit<Piece, "cost">;

/** What tool calls show is known, whatever its words. */
const FACT = 16;
/** The last request says what to go on with, whatever its words. */
const LAST_REQUEST = 3;

/** In the order in which they are told. */
function piecesOf(standing: Standing, { files, isYoung, isGitKnown }: About): Raw[] {
  const { isOpen, question, facts, said, written, goal, isWhole } = standing;
  const last = isOpen
    ? isYoung
      ? "asked last, in progress: "
      : "asked last, not answered: "
    : "asked last: ";
  const fact = (slot: Slot, text: string): Raw[] =>
    text === "" ? [] : [{ slot, text, weight: FACT, isFact: true }];
  const lines = (slot: Slot, texts: readonly string[]): Raw[] =>
    texts.map((text, i) => ({ slot, text, weight: 12 - i }));
  return [
    ...said.asked.map(({ text, weight, age }) => ({
      slot: "asked" as const,
      text,
      lead: age === 0 ? last : "asked: ",
      weight: age > 0 ? weight : weight === 0 ? LAST_REQUEST / 2 : weight + LAST_REQUEST,
    })),
    ...fact("state", runsText(facts, isWhole)),
    ...fact("state", commitText(facts, isWhole && !isGitKnown)),
    ...fact("state", files),
    ...sentences("state", said.results, 2),
    ...lines("state", written?.now ?? []),
    ...fact("open", tasksText(facts)),
    ...(question === "" ? [] : [{ slot: "open" as const, text: `the agent asked: ${question}`, weight: 14 }]),
    ...sentences("open", said.open, 1.2),
    ...lines("open", written?.open ?? []),
    ...sentences("cause", said.causes, 1),
    ...sentences("decided", said.decisions, 1),
    ...lines("decided", written?.decisions ?? []),
    ...lines("goal", written?.goal.slice(0, 1) ?? []),
    ...(goal === "" ? [] : [{ slot: "goal" as const, text: goal, weight: 6 }]),
  ];
}

function sentences(slot: Slot, all: readonly Sentence[], factor: number): Raw[] {
  return [...all]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, 8)
    .map(({ text, weight, by }) => ({
      slot,
      text,
      ...(by === "user" && { lead: "the user: " }),
      weight: weight * factor,
    }));
}

const MOST_RUNS = 2;
const KIND = { tests: "tests", lint: "lint", types: "type check", build: "build" } as const;

/** `tests failed (npm test: 2 failed, 40 passed)` */
function runsText({ runs, untouched }: ToolFacts, isWhole: boolean): string {
  if (runs.length === 0) return untouched.byTests && isWhole ? "no test run seen" : "";
  return runs.slice(0, MOST_RUNS).map(runText).join("; ");
}

/** A result says more than its command. */
const SHORT_COMMAND = 24;

function runText({ kind, command, outcome, detail, isOld }: Run & { readonly isOld: boolean }): string {
  const how = outcome === "unknown" ? "ran" : outcome;
  const isShown = detail === "" || command.length <= SHORT_COMMAND;
  const about = [
    ...(isShown ? [`\`${command.replaceAll("`", "'")}\``] : []),
    ...(detail === "" ? [] : [detail]),
  ];
  return `${KIND[kind]} ${how} (${about.join(": ")})${isOld ? ", before the last edits" : ""}`;
}

function commitText({ commit, commits, pullRequest, untouched }: ToolFacts, maySay: boolean): string {
  if (untouched.byCommit && maySay) return "no commit seen";
  const parts = [
    ...(commit === undefined ? [] : [committed(commit, commits)]),
    ...(pullRequest === undefined ? [] : [pullRequest]),
  ];
  return parts.join("; ");
}

function committed({ subject, hash, branch, isPushed, isOld }: Commit, commits: number): string {
  const on = /^(?:main|master|detached)$/.test(branch) ? "" : ` on ${branch}`;
  const what = commits > 1 ? `${commits} commits, last` : "committed";
  return `${what} "${subject}" (${hash}${on}), ${isPushed ? "pushed" : "not pushed"}${isOld ? ", edited since" : ""}`;
}

const MOST_TASKS = 3;

function tasksText({ open, plan }: ToolFacts): string {
  const more = open.length - MOST_TASKS;
  const tasks = open.slice(0, MOST_TASKS).join("; ") + (more > 0 ? ` and ${more} more` : "");
  return tasks !== ""
    ? `to do: ${tasks}`
    : plan === undefined
      ? ""
      : `plan${plan.isRejected ? " (not accepted)" : ""}: ${plan.heading}`;
}
