import type { Call, Turn } from "../../../moments/ports/turn.ts";

/** What checks examine in a past session. */
export type Step =
  | {
      readonly kind: "call";
      readonly call: Call;
      /** Whether it failed or was refused. */
      readonly hasFailed: boolean;
      /** The tool's answer; if several calls were answered at once, all their answers. */
      readonly result?: string;
      /** As in `Answer`. */
      readonly before?: string | null;
      readonly at?: number;
    }
  /** The agent said that it was done, with this answer. */
  | { readonly kind: "stop"; readonly answer: string; readonly at?: number };

type CallStep = Extract<Step, { kind: "call" }>;

interface Waiting extends Omit<CallStep, "hasFailed" | "result" | "before"> {
  readonly offset: number;
  hasFailed?: boolean;
  result?: string;
  before?: string | null;
}

/**
 * How many calls may be made at once, and how far apart they and their answers may be: both far more than any host
 * needs.
 */
const MOST_WAITING = 200;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The tool calls of a session in the order in which they were made, each once its result is known, and the ends of the
 * agent's work. A call without a result counts as successful.
 */
export function* stepsOf(turns: Iterable<Turn>): Generator<Step> {
  const waiting: Waiting[] = [];
  let last: { readonly answer: string; readonly isFinal: boolean; readonly at?: number } | undefined;
  for (const turn of turns) {
    const { role, marks, text, calls } = turn;
    if (marks.copied === true) continue; // counted in the session from which it was copied
    const at = turn.at === undefined ? {} : { at: turn.at };
    // A subagent's work is part of the session's, so only its calls matter.
    const isOwn = marks.sidechain !== true;
    if (role === "assistant") {
      for (const call of calls)
        waiting.push({
          kind: "call",
          call,
          offset: turn.offset,
          ...at,
          ...(call.id ? {} : { hasFailed: false }),
        });
      if (isOwn && (text !== "" || calls.length > 0))
        last = { answer: text, isFinal: text !== "" && calls.length === 0, ...at };
    } else if (role === "tool") {
      for (const { call: id, failed, before } of turn.answers) {
        const answered = waiting.find(({ call }) => call.id === id);
        if (answered === undefined) continue;
        answered.hasFailed = failed === true;
        answered.result = text;
        if (before !== undefined) answered.before = before;
      }
    } else if (role === "user" && isOwn) {
      yield* taken(waiting, () => true);
      if (last?.isFinal === true) yield stopOf(last);
      last = undefined;
    }
    yield* taken(
      waiting,
      (first) =>
        first.hasFailed !== undefined ||
        waiting.length > MOST_WAITING ||
        turn.offset - first.offset > MOST_BYTES,
    );
  }
  yield* taken(waiting, () => true);
  if (last?.isFinal === true) yield stopOf(last);
}

/** Takes calls from the front as long as the first one is ready. */
function* taken(waiting: Waiting[], mayGo: (first: Waiting) => boolean): Generator<CallStep> {
  for (let [first] = waiting; first !== undefined && mayGo(first); [first] = waiting) {
    waiting.shift();
    const { offset, hasFailed = false, ...step } = first;
    yield { ...step, hasFailed };
  }
}

function stopOf({ answer, at }: { readonly answer: string; readonly at?: number }): Step {
  return { kind: "stop", answer, at };
}
