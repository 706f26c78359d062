import { STOP_WORDS } from "../../../search/words.ts";
import { oneLine } from "../labels.ts";
import type { Run } from "../standing/runs.ts";
import type { Sentence } from "../standing/slots.ts";
import type { Standing } from "../standing/standing.ts";
import type { Commit, ToolFacts } from "../standing/tool-facts.ts";
import { clipToTokens, tokenBound } from "./token-bound.ts";

/** The line in which a piece is shown. */
export type Slot = "asked" | "state" | "said" | "open" | "cause" | "decided" | "goal";

export interface Piece {
  readonly slot: Slot;
  readonly text: string;
  readonly weight: number;
  readonly cost: number;
  /** Text before the piece, unless the previous piece has the same lead. */
  readonly lead?: string;
  /** Facts from tool calls are shown even if their words occur in other pieces. */
  readonly isFact?: true;
}

export interface About {
  readonly name: string;
  /** The files that the session left uncommitted or worked on; empty if there are none. */
  readonly files: string;
  readonly isYoung: boolean;
  /** Git listed the uncommitted files: without that, anything may have been committed after the transcript. */
  readonly isGitKnown: boolean;
}

const MOST_OF_A_PIECE = 45;
/** The most pieces of each slot, apart from facts from tool calls. */
const MOST_PIECES: Record<Slot, number> = {
  asked: 4,
  state: 4,
  said: 4,
  open: 4,
  cause: 2,
  decided: 3,
  goal: 1,
};
/** The first piece of a slot counts this many times its weight. */
const FIRST = 1.6;
/** The tokens that join a piece to its line, and those of the line itself: its mark, its label, its end. */
const JOINT = 2;
const LINE = 6;
/** A piece with a smaller share of new words is a repetition. */
const LEAST_NEW = 0.4;

export interface Chosen {
  readonly kept: readonly Piece[];
  readonly spare: readonly Piece[];
}

/**
 * Chooses the pieces that show where a session stands: one for each slot, then those that say most. `rooms` are numbers
 * of tokens: `kept` for what is always delivered, `spare` for what is added if there is room.
 */
export function standingPieces(
  standing: Standing,
  about: About,
  rooms: { readonly kept: number; readonly spare: number },
  longest: number,
): Chosen {
  const all = piecesOf(standing, about).flatMap((one): Piece[] => {
    const text = clipToTokens(oneLine(withoutLinks(one.text), longest), MOST_OF_A_PIECE).replace(/[;,]$/, "");
    // A sentence without weight, such as "Nice work.", says nothing.
    return text === "" || one.weight <= 0
      ? []
      : [{ ...one, text, cost: tokenBound(`${one.lead ?? ""}${text}`) + JOINT }];
  });
  const choice = new Choice(about.name);
  const kept = choice.fill(all, rooms.kept);
  const spare = choice.fill(
    all.filter((one) => !kept.has(one)),
    rooms.spare,
  );
  return { kept: all.filter((one) => kept.has(one)), spare: all.filter((one) => spare.has(one)) };
}

/** Keeps only the text of Markdown links: the addresses are often paths on another machine. */
const withoutLinks = (text: string): string => text.replace(/\[([^\][\n]{1,200})\]\([^)\s]{1,500}\)/g, "$1");

class Choice {
  readonly #said: Set<string>;
  /** How many pieces of each slot were taken, facts not counted. */
  readonly #taken = new Map<Slot, number>();

  constructor(known: string) {
    this.#said = new Set(wordsIn(known));
  }

  /** Takes the pieces that say most for their cost; the first piece of a slot counts more. */
  fill(all: readonly Piece[], room: number): ReadonlySet<Piece> {
    const taken = new Set<Piece>();
    const slots = new Set<Slot>();
    const waiting = new Set(all);
    const rateNow = (one: Piece) => rateOf(one) * (this.#taken.has(one.slot) ? 1 : FIRST);
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
    const before = this.#taken.get(slot) ?? 0;
    const isNew = fresh >= Math.max(1, words.length * LEAST_NEW) && before < MOST_PIECES[slot];
    if (isFact !== true && !isNew) return false;
    for (const word of words) this.#said.add(word);
    if (isFact !== true) this.#taken.set(slot, before + 1);
    return true;
  }
}

const rateOf = ({ weight, cost }: Piece): number => weight / (cost + 4) ** 0.7;

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words.filter((word) => !STOP_WORDS.has(word)))];
}

type Raw = Omit<Piece, "cost">;

/** The weight of a fact from tool calls: it is certain, whatever its words are. */
const FACT = 16;
/** The weight of the last request: it says how to continue, whatever its words are. */
const LAST_REQUEST = 3;
const LAST_ANSWER = 0.5;

/** In the order of delivery. */
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
    ...sentences("said", said.results.map(lastAnswer), 2),
    ...lines("said", written?.now ?? []),
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

/** The last answer shows where the work stopped, even if its words say little. */
const lastAnswer = (one: Sentence): Sentence =>
  one.age === 0 && one.weight === 0 ? { ...one, weight: LAST_ANSWER } : one;

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

const KIND = { tests: "tests", lint: "lint", types: "type check", build: "build", checks: "checks" } as const;

/** The last run, and the last that failed or is of another kind: `tests failed (npm test: 2 failed, 40 passed)`. */
function runsText({ runs, untouched }: ToolFacts, isWhole: boolean): string {
  const [last, ...before] = runs;
  if (last === undefined) return untouched.byTests && isWhole ? "no test run seen" : "";
  const other =
    before.find(({ outcome }) => outcome === "failed") ?? before.find(({ kind }) => kind !== last.kind);
  return [last, ...(other === undefined ? [] : [other])].map(runText).join("; ");
}

function runText({ kind, command, outcome, detail, isOld }: Run & { readonly isOld: boolean }): string {
  const how = outcome === "unknown" ? "ran" : outcome;
  const about = [`\`${command.replaceAll("`", "'")}\``, ...(detail === "" ? [] : [detail])].join(": ");
  return `${KIND[kind]} ${how} (${about})${isOld ? ", before the last edits" : ""}`;
}

function commitText({ commit, commits, pullRequest, untouched }: ToolFacts, maySay: boolean): string {
  if (untouched.byCommit && maySay) return "no commit seen";
  const parts = [
    ...(commit === undefined ? [] : [committed(commit, commits)]),
    ...(pullRequest === undefined ? [] : [pullRequest]),
  ];
  return parts.join("; ");
}

const PUSH = {
  pushed: ", pushed",
  failed: ", push failed",
  unclear: ", push tried",
  none: ", no push seen",
} as const;

function committed({ subject, hash, branch, push, isOld }: Commit, commits: number): string {
  const on = /^(?:main|master|detached)$/.test(branch) ? "" : ` on ${branch}`;
  const what = commits > 1 ? `${commits} commits, last` : "committed";
  // Quotes in it would let it say more than it is.
  const quoted = `"${subject.replaceAll('"', "'")}"`;
  return `${what} ${quoted} (${hash}${on})${PUSH[push]}${isOld ? ", edited since" : ""}`;
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
