import { isBareCommand } from "../indexing/name.ts";
import type { Passage } from "../session.ts";
import {
  isAboutTo,
  isDecision,
  isHurdle,
  isNextStep,
  type Line,
  line,
  own,
  paragraphs,
  sentences,
} from "./sentences.ts";

/** What a session came to, in quotes: every line comes from the turn that it names. */
export interface Outline {
  readonly goal: readonly Line[];
  readonly decisions: readonly Line[];
  readonly outcome: readonly Line[];
  readonly hurdles: readonly Line[];
  readonly next: readonly Line[];
  readonly files: readonly Line[];
  readonly commands: readonly Line[];
}

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
    decisions: sentences(spoken, isDecision, MOST_LINES),
    outcome: outcomeOf(answers),
    hurdles: sentences(answers, isHurdle, MOST_LINES - 1),
    next: [...openEnd(asked.at(-1), answers.at(-1)), ...sentences(late, isNextStep, MOST_LINES - 1)],
    files: filesIn(passages, edited),
    commands: commandsIn(passages),
  };
}

/** The first meaningful request, and the last one if it is another. */
function goalOf(asked: readonly Passage[]): Line[] {
  const has =
    (words: number) =>
    ({ text }: Passage): boolean =>
      own(text).split(/\s+/, words).length >= words && !isBareCommand(text);
  const first = asked.find(has(4)) ?? asked.find(has(3)) ?? asked[0];
  const last = asked.findLast(has(3));
  if (first === undefined) return [];
  const lines = [line(own(first.text), first.turn)];
  if (last !== undefined && last.at > first.at && last.turn !== first.turn)
    lines.push(line(`Last asked: ${own(last.text)}`, last.turn));
  return lines;
}

function outcomeOf(answers: readonly Passage[]): Line[] {
  const last = answers.findLast(({ text }) => text.trim().length >= 40) ?? answers.at(-1);
  if (last === undefined) return [];
  const all = paragraphs(last.text);
  const done = all.filter((text) => !isAboutTo(text));
  return (done.length > 0 ? done : all).slice(0, 3).map((text) => line(text, last.turn));
}

/** What is open: a request without an answer, or a question of the agent. */
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
      // The folder and the filters of its output do not matter.
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
