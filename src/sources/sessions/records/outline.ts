import { clipWithin } from "../../../base/text.ts";
import { clausesOf, isRequest } from "../indexing/telling.ts";
import type { Passage } from "../session.ts";
import {
  DECISION,
  HURDLE,
  isAboutTo,
  type Line,
  line,
  NEXT_STEP,
  own,
  paragraphs,
  sentences,
} from "./sentences.ts";

/** The result of a session, in quotes: every line comes from the turn that it names. */
export interface Outline {
  readonly goal: readonly Line[];
  readonly decisions: readonly Line[];
  readonly outcome: readonly Line[];
  readonly hurdles: readonly Line[];
  readonly next: readonly Line[];
  readonly files: readonly Line[];
  readonly commands: readonly Line[];
  /** Set for a long session: the lines come only from its beginning and end. */
  readonly isPart?: true;
}

/** The parts that consist of lines. */
export type OutlinePart = Exclude<keyof Outline, "isPart">;

const MOST_LINES = 6;
/** Commands that changed or proved something; inspecting files does neither. */
const COMMAND =
  /\b(?:git (?:commit|push|merge|rebase|tag|revert|cherry-pick)|gh (?:pr|release|issue)|npm (?:run|test|publish|install)|npx|pnpm|yarn|bun (?:run|test)|vitest|jest|pytest|tox|cargo (?:test|build|run|publish)|go (?:test|build|run)|make|mvn|gradle|docker|kubectl|terraform|alembic|prisma|dotnet|swift (?:test|build)|deploy|migrate)\b/;

/** `edited`: files, last edited first. */
export function outlineOf(all: readonly Passage[], edited: readonly string[]): Outline {
  // An abandoned branch is not part of the result.
  const passages = all.filter(({ isLeft }) => !isLeft);
  const spoken = passages.filter(({ isCalls }) => !isCalls);
  const asked = spoken.filter(({ role }) => role === "user");
  const answers = spoken.filter(({ role }) => role === "assistant");
  const late = spoken.filter(({ at }) => at >= Math.floor(all.length * 0.6));
  return {
    goal: goalOf(asked),
    decisions: sentences(spoken, DECISION, MOST_LINES),
    outcome: outcomeOf(answers),
    hurdles: sentences(answers, HURDLE, MOST_LINES - 1),
    next: [...openEnd(asked.at(-1), answers.at(-1)), ...sentences(late, NEXT_STEP, MOST_LINES - 1)],
    files: filesIn(passages, edited),
    commands: commandsIn(passages),
  };
}

/** For a long session, how many requests between the first and the last. */
const MOST_BETWEEN = 3;
/** A less informative request needs what was said before it. */
const TELLS_ALONE = 4;
const MOST_OF_A_CLAUSE = 160;
const FIRST_CLAUSES = 3;

/** The first meaningful request, the most informative ones after it, and the last one if it differs. */
function goalOf(asked: readonly Passage[]): Line[] {
  const turns = new Set<string>();
  // A long request has several passages, and a paste is usually at its end.
  const real = asked.filter(({ text, turn }) => !turns.has(turn) && turns.add(turn) && isRequest(text));
  const first = real.find(({ text }) => own(text).split(/\s+/, 3).length >= 3) ?? real[0] ?? asked[0];
  const last = real.at(-1);
  if (first === undefined) return [];
  const lines = [line(own(first.text), first.turn)];
  if (last === undefined || last.at <= first.at || last.turn === first.turn) return lines;
  const between = real.filter(({ at }) => at > first.at && at < last.at);
  lines.push(...tellingIn(between, first.text));
  lines.push(line(`Last asked: ${own(last.text)}`, last.turn));
  return lines;
}

/** The most informative clauses of requests, in order. */
function tellingIn(requests: readonly Passage[], known: string): Line[] {
  const shown = (text: string): string => text.slice(0, MOST_OF_A_CLAUSE);
  const found = new Map<string, { readonly at: number; readonly line: Line; readonly telling: number }>();
  for (const { at, turn, text } of requests) {
    const best = clausesOf(text, shown)
      .slice(0, FIRST_CLAUSES)
      .sort((a, b) => b.telling - a.telling)[0];
    if (best === undefined || best.telling < TELLS_ALONE || known.includes(best.text)) continue;
    const asked = clipWithin(best.text, MOST_OF_A_CLAUSE);
    if (!found.has(asked))
      found.set(asked, { at, telling: best.telling, line: { text: `Also asked: ${asked}`, turn } });
  }
  return [...found.values()]
    .sort((a, b) => b.telling - a.telling)
    .slice(0, MOST_BETWEEN)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
}

/** How far back from the end the outcome is searched. */
const LAST_ANSWERS = 12;
/** An answer that states a result, or is long enough to report one. */
const CAME_TO =
  /\b(?:done|fixed|added|implemented|created|updated|removed|renamed|refactored|committed|pushed|merged|complete[d]?|finished|works now|(?:all )?tests? pass(?:es|ed)?|no longer|here'?s (?:a|the) summary|in summary|root cause|the (?:fix|problem|cause|reason))\b|✅/i;
const LEAST_REPORT = 80;
const LONG_REPORT = 240;
const MOST_OF_AN_ANSWER = 6000;

/**
 * From the last answer that reports something. A later remark, for example on a command, is not the session's result.
 */
function outcomeOf(answers: readonly Passage[]): Line[] {
  const turns = [...new Set(answers.map(({ turn }) => turn))].slice(-LAST_ANSWERS).reverse();
  const reports = turns.map((turn) => ({ turn, paragraphs: reportIn(answers, turn) }));
  const said = reports.filter((one) => one.paragraphs.length > 0);
  const isReport = (one: (typeof said)[number]): boolean => {
    const text = one.paragraphs.join(" ");
    return text.length >= LONG_REPORT || (text.length >= LEAST_REPORT && CAME_TO.test(text));
  };
  const chosen = said.find(isReport) ?? said.find((one) => one.paragraphs.join(" ").length >= 40) ?? said[0];
  return chosen?.paragraphs.slice(0, 3).map((text) => line(text, chosen.turn)) ?? [];
}

/** The sentences of an answer without announcements, questions and program output, unless there is nothing else. */
function reportIn(answers: readonly Passage[], turn: string): string[] {
  const whole = answers.filter((one) => one.turn === turn).map(({ text }) => text);
  const all = paragraphs(whole.join("\n").slice(0, MOST_OF_AN_ANSWER));
  const done = all.filter((text) => !isAboutTo(text) && !text.endsWith("?") && !/^(?:---|===|🤖)/.test(text));
  return done.length > 0 ? done : all;
}

/** What is open: an unanswered request, or a question by the agent. */
function openEnd(asked: Passage | undefined, answered: Passage | undefined): Line[] {
  if (asked !== undefined && (answered === undefined || asked.at > answered.at))
    return [line(`Not answered yet: ${own(asked.text)}`, asked.turn)];
  const question = /[^.!?:;]+\?$/.exec(paragraphs(answered?.text ?? "").at(-1) ?? "")?.[0].trim() ?? "";
  return answered === undefined || question.length < 10
    ? []
    : [line(`The agent asked: ${question}`, answered.turn)];
}

function filesIn(passages: readonly Passage[], edited: readonly string[]): Line[] {
  const calls = passages.filter(({ isCalls }) => isCalls);
  return edited.slice(0, 12).flatMap((path) => {
    const turn = calls.findLast(({ text }) => text.includes(path))?.turn;
    return turn === undefined ? [] : [{ text: path, turn }];
  });
}

function commandsIn(passages: readonly Passage[]): Line[] {
  const found = new Map<string, string>();
  for (const { isCalls, text, turn } of passages) {
    if (!isCalls) continue;
    for (const call of text.split("\n")) {
      // The folder and output filters do not matter.
      const command = /^\S+ (.+)$/
        .exec(call)?.[1]
        ?.replace(/^cd \S+ (?:&&|;) /, "")
        .replace(/(?: 2>&1)?(?: \| (?:head|tail|grep|cat)\b[^|]*)*$/, "");
      if (command === undefined || !COMMAND.test(command) || !command.includes(" ")) continue;
      found.delete(command);
      found.set(command, turn);
    }
  }
  return [...found].slice(-8).map(([text, turn]) => line(text, turn));
}
