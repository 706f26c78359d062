import { wordsOf } from "../../../transcripts/own-words.ts";
import type { Passage } from "../session.ts";

/** What a session came to, in its own words: every line is taken from the turn that it names. */
export interface Outline {
  readonly goal: readonly Line[];
  readonly decisions: readonly Line[];
  readonly outcome: readonly Line[];
  readonly hurdles: readonly Line[];
  readonly next: readonly Line[];
  readonly files: readonly Line[];
  readonly commands: readonly Line[];
}

export interface Line {
  readonly text: string;
  readonly turn: string;
}

const MOST_OF_A_LINE = 280;
const MOST_LINES = 6;

const DECISION =
  /\b(?:decided|decision|agreed|we(?:'ll| will) (?:use|keep|go with|stick)|let'?s (?:use|keep|go with|stick)|going with|go with|chose|opted|instead of|rather than|from now on|must (?:not|never)|never|always use)\b/i;
const HURDLE =
  /\b(?:fail(?:s|ed|ing|ure)?|error|bug|broken|does(?:n't| not) work|did(?:n't| not) work|cannot|can't|problem|blocked|regress\w*|root cause|crash\w*|conflict)\b/i;
const NEXT =
  /\b(?:next steps?|to-?do|remaining|still (?:need|missing|open|to)|follow[- ]up|left to do|not yet|later|should (?:next|then|also))\b/i;
/** Commands that changed something or proved something; looking around proves nothing. */
const COMMAND =
  /\b(?:git (?:commit|push|merge|rebase|tag|revert|cherry-pick)|gh (?:pr|release|issue)|npm (?:run|test|publish|install)|npx|pnpm|yarn|bun (?:run|test)|vitest|jest|pytest|tox|cargo (?:test|build|run|publish)|go (?:test|build|run)|make|mvn|gradle|docker|kubectl|terraform|alembic|prisma|dotnet|swift (?:test|build)|deploy|migrate)\b/;

/** Passages in their order, and the files that were edited, the last one first. */
export function outlineOf(all: readonly Passage[], edited: readonly string[]): Outline {
  // What was said on a branch that was left is no longer what the session came to.
  const passages = all.filter(({ isLeft }) => !isLeft);
  const said = passages.filter(({ isCalls }) => !isCalls);
  const asked = said.filter(({ role }) => role === "user");
  const answers = said.filter(({ role }) => role === "assistant");
  const lastAsked = asked.at(-1);
  const lastAnswer = answers.at(-1);
  const isOpen = lastAsked !== undefined && (lastAnswer === undefined || lastAsked.at > lastAnswer.at);
  const late = said.filter(({ at }) => at >= all.length * 0.6);
  return {
    goal: goalOf(asked),
    decisions: sentences(said, DECISION, MOST_LINES),
    outcome: outcomeOf(answers),
    hurdles: sentences(answers, HURDLE, MOST_LINES - 1),
    next: [
      ...(isOpen ? [line(`Not answered yet: ${own(lastAsked.text)}`, lastAsked.turn)] : []),
      ...sentences(late, NEXT, MOST_LINES - 1),
    ],
    files: filesIn(passages, edited),
    commands: commandsIn(passages),
  };
}

/** The first request; and the last one, where the session came to another. */
function goalOf(asked: readonly Passage[]): Line[] {
  const real = asked.filter(({ text }) => own(text).split(/\s+/).length >= 3 && !text.startsWith("/"));
  const first = real[0] ?? asked[0];
  const last = real.at(-1);
  if (first === undefined) return [];
  const lines = [line(own(first.text), first.turn)];
  if (last !== undefined && last.turn !== first.turn)
    lines.push(line(`Last asked: ${own(last.text)}`, last.turn));
  return lines;
}

function outcomeOf(answers: readonly Passage[]): Line[] {
  const last = answers.findLast(({ text }) => text.trim().length >= 40) ?? answers.at(-1);
  if (last === undefined) return [];
  return paragraphs(last.text)
    .slice(0, 3)
    .map((text) => line(text, last.turn));
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
      const command = /^\S+ (.+)$/.exec(call)?.[1];
      if (command === undefined || !COMMAND.test(command) || !command.includes(" ")) continue;
      found.delete(command);
      found.set(command, turn);
    }
  }
  return [...found].slice(-8).map(([text, turn]) => line(text, turn));
}

/** Sentences with such a word, the latest ones, each once; code and tables are none. */
function sentences(passages: readonly Passage[], cue: RegExp, most: number): Line[] {
  const found = new Map<string, Line>();
  for (const { role, text, turn } of passages) {
    if (!cue.test(text)) continue;
    const words = role === "user" ? wordsOf(text).own : withoutCode(text);
    for (const sentence of words.split(/\n+|(?<=[.!?])\s+/)) {
      const plain = stripped(sentence);
      if (plain.length < 20 || plain.length > 400 || !cue.test(plain)) continue;
      const key = plain.toLowerCase();
      found.delete(key);
      found.set(key, line(plain, turn));
    }
  }
  return [...found.values()].slice(-most);
}

function paragraphs(text: string): string[] {
  return withoutCode(text)
    .split(/\n{2,}/)
    .map(stripped)
    .filter((one) => one !== "");
}

const withoutCode = (text: string): string =>
  text.replace(/```[\s\S]*?(?:```|$)/g, "\n").replace(/^\|.*$/gm, "");
const own = (text: string): string => stripped(wordsOf(text).own) || stripped(text);

/** Without the signs of Markdown at a line's beginning, on one line. */
function stripped(text: string): string {
  return text
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/gm, "")
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function line(text: string, turn: string): Line {
  const short =
    text.length <= MOST_OF_A_LINE
      ? text
      : `${text
          .slice(0, MOST_OF_A_LINE - 2)
          .toWellFormed()
          .trimEnd()} …`;
  return { text: short, turn };
}
