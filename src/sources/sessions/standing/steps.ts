import type { Answer, Turn } from "../../../moments/ports/turn.ts";
import { redact } from "../../../store/redact.ts";

/** One step of a session: a request, an answer, tool calls, or the host's summary of what came before. */
export interface Step {
  readonly by: "user" | "agent" | "calls" | "summary";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** Only if `by` is `calls`. */
  readonly calls?: readonly DoneCall[];
}

/** A tool call and its result. */
export interface DoneCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly command?: string;
  readonly edits: boolean;
  /** Undefined without a recorded result: the call may still be running. */
  readonly failed?: boolean;
  readonly rejected?: boolean;
  /** The beginning and the end of a command's output, not redacted. */
  readonly output: string;
}

/** Enough to find the sentences. Longer texts take time, because they are searched for secrets. */
export const MOST_OF_A_TEXT = 4_000;
/** A long answer often has its conclusion at the end. */
const MOST_OF_AN_END = 1_500;
/** Longer than keys and addresses are. */
const LONGEST_SECRET = 4_000;
const OUTPUT = { start: 500, end: 2_000 };

/** Turns that belong to this session and its current branch. */
export function isOwn({ marks }: Turn): boolean {
  return !(marks.sidechain || marks.otherBranch || marks.copied || marks.error || marks.injected);
}

/** Whether a person asked for something in this turn. */
export function isRequest(turn: Turn): boolean {
  return isOwn(turn) && turn.role === "user" && turn.text !== "" && !turn.marks.machineMade;
}

/** Redacted before it is cut: half a secret would not be recognised. */
export function redactedStart(text: string, most: number): string {
  return redact(text.slice(0, most + LONGEST_SECRET)).slice(0, most);
}

function redactedEnds(text: string): string {
  const start = redactedStart(text, MOST_OF_A_TEXT);
  if (text.length <= MOST_OF_A_TEXT + MOST_OF_AN_END) return start;
  return `${start}\n\n${redact(text.slice(-MOST_OF_AN_END - LONGEST_SECRET)).slice(-MOST_OF_AN_END)}`;
}

/** How many of the last texts are read. Earlier texts are only counted, except the first request. */
const MOST_TEXTS = 60;

/** `turns`: those of the session's own branch (`isOwn`). */
export function stepsIn(turns: readonly Turn[]): Step[] {
  const results = resultsIn(turns);
  const hasText = (turn: Turn): boolean => turn.text.trim() !== "" && turn.role !== "tool";
  const early = turns.filter(hasText).slice(0, -MOST_TEXTS);
  const first = early.find(isRequest);
  const left = new Set(early.filter((turn) => turn !== first && turn.role !== "summary"));
  return turns.flatMap((turn): Step[] => {
    const isLeft = left.has(turn);
    const at = turn.at === undefined ? {} : { at: turn.at };
    if (turn.role === "summary") return [{ by: "summary", text: redactedEnds(turn.text), ...at }];
    if (isRequest(turn))
      return [{ by: "user", text: isLeft ? "" : redactedStart(turn.text, MOST_OF_A_TEXT), ...at }];
    if (turn.role !== "assistant") return [];
    const calls = turn.calls.map((call): DoneCall => {
      const { answer, output } = results.get(call.id ?? "") ?? { output: "" };
      return {
        tool: call.name,
        input: call.input,
        command: call.command,
        edits: call.files.some(({ access }) => access === "edit"),
        failed: answer && answer.failed === true,
        rejected: answer?.rejected,
        output,
      };
    });
    return [
      ...(turn.text.trim() === ""
        ? []
        : [{ by: "agent" as const, text: isLeft ? "" : redactedEnds(turn.text), ...at }]),
      ...(calls.length === 0 ? [] : [{ by: "calls" as const, text: "", calls, ...at }]),
    ];
  });
}

interface Result {
  readonly answer?: Answer;
  readonly output: string;
}

function resultsIn(turns: readonly Turn[]): ReadonlyMap<string, Result> {
  const found = new Map<string, Result>();
  for (const { answers, text } of turns)
    for (const answer of answers) {
      // The outputs of several results in one turn cannot be told apart.
      const output = answers.length === 1 ? endsOf(text) : "";
      found.set(answer.call, { answer, output });
    }
  return found;
}

function endsOf(text: string): string {
  const { start, end } = OUTPUT;
  return text.length <= start + end ? text : `${text.slice(0, start)}\n${text.slice(-end)}`;
}
