import { forTerminal } from "../../../base/for-terminal.ts";
import type { Call, Turn } from "../../../moments/ports/turn.ts";
import { redact, redactDeep } from "../../../store/redact.ts";
import type { ShownCall, ShownText, ShownTurn, TurnPart } from "../../api/conversation.ts";
import { aboutOf, verbOf } from "./conversation-calls.ts";
import { diffOf } from "./conversation-diff.ts";

/** How much of each text a turn contains: in a page of a transcript, where the rest can be requested, and in a chat. */
const OF_A_PAGE = {
  spoken: 20_000,
  result: 2_000,
  thinking: 4_000,
  injected: 1_000,
  input: 2_000,
  diff: 12_000,
};
export const LIVE = {
  spoken: 200_000,
  result: 50_000,
  thinking: 50_000,
  injected: 50_000,
  input: 50_000,
  diff: 50_000,
};
/** How much a request for the rest returns. */
const MOST_OF_A_PART = 400_000;
/** Redacts this far beyond the cut, so that no beginning of a secret remains before it. */
const MARGIN = 4_000;
const MOST_CALLS = 100;

/** A turn as the page shows it: secrets redacted, control characters neutralised, long texts cut. */
export function shownTurn(turn: Turn, place: string, most = OF_A_PAGE): ShownTurn {
  const { id, role, text, thinking, injected, calls, answers, images = [], at, model, marks } = turn;
  return {
    id,
    place,
    role,
    said: shown(text, role === "tool" ? most.result : most.spoken),
    thinking: thinking === undefined ? undefined : shown(thinking, most.thinking),
    injected: injected === undefined ? undefined : shown(injected, most.injected),
    calls: calls.slice(0, MOST_CALLS).map((call) => shownCall(call, most)),
    answers: answers.map(({ call, failed, rejected }) => ({ call, failed, rejected })),
    images,
    at,
    model: model && forTerminal(model).slice(0, 100),
    marks: Object.keys(marks) as (keyof typeof marks)[],
  };
}

function shownCall(call: Call, most: typeof OF_A_PAGE): ShownCall {
  const diff = diffOf(call);
  return {
    id: call.id,
    name: forTerminal(call.name).slice(0, 200),
    verb: verbOf(call.name),
    about: redact(aboutOf(call)),
    files: call.files.slice(0, 20).map(({ path }) => forTerminal(path).slice(0, 500)),
    input: shown(inputText(call), most.input),
    diff: diff === undefined ? undefined : shown(diff, most.diff),
  };
}

/** One text of a turn, up to the limit of one answer; undefined if the turn has no such text. */
export function partOf(turn: Turn, part: TurnPart, call = 0): ShownText | undefined {
  const text =
    part === "said"
      ? turn.text
      : part === "thinking" || part === "injected"
        ? turn[part]
        : callText(turn, part, call);
  return text === undefined ? undefined : shown(text, MOST_OF_A_PART);
}

function callText({ calls }: Turn, part: "input" | "diff", at: number): string | undefined {
  const call = calls[at];
  if (call === undefined) return undefined;
  return part === "diff" ? diffOf(call) : inputText(call);
}

/** Values are also redacted by their names, before they become one text. */
const inputText = ({ input }: Call): string => JSON.stringify(redactDeep(input), null, 2);

export function shown(text: string, most: number): ShownText {
  const clean = plain(redact(text.slice(0, most + MARGIN)));
  if (text.length <= most && clean.length <= most) return { text: clean };
  return { text: clean.slice(0, most).toWellFormed(), of: text.length };
}

const TERMINAL = /\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** Removes terminal colours and links, and neutralises other control and invisible characters. */
const plain = (text: string): string =>
  forTerminal(
    text.includes("\x1b") || text.includes("\r") ? text.replace(TERMINAL, "").replace(/\r\n?/g, "\n") : text,
  );
