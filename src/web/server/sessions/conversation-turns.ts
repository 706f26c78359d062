import { forTerminal } from "../../../base/for-terminal.ts";
import type { Call, Turn } from "../../../moments/ports/turn.ts";
import { redact, redactDeep } from "../../../store/redact.ts";
import type { ShownCall, ShownText, ShownTurn, TurnPart } from "../../api/conversation.ts";
import { aboutOf, verbOf } from "./conversation-calls.ts";
import { diffOf } from "./conversation-diff.ts";

/** What of a text a page of the conversation has. The rest is asked for one by one. */
const MOST = { spoken: 20_000, result: 2_000, thinking: 4_000, injected: 1_000, input: 2_000, diff: 12_000 };
/** What one such request gives. */
const MOST_OF_A_PART = 400_000;
/** Redacted beyond the cut, so that no beginning of a secret is left before it. */
const MARGIN = 4_000;
const MOST_CALLS = 100;

/** A turn as the page shows it: secrets redacted, control characters harmless, long texts cut. */
export function shownTurn(turn: Turn, place: string): ShownTurn {
  const { id, role, text, thinking, injected, calls, answers, images = [], at, model, marks } = turn;
  return {
    id,
    place,
    role,
    said: shown(text, role === "tool" ? MOST.result : MOST.spoken),
    ...(thinking === undefined ? {} : { thinking: shown(thinking, MOST.thinking) }),
    ...(injected === undefined ? {} : { injected: shown(injected, MOST.injected) }),
    calls: calls.slice(0, MOST_CALLS).map(shownCall),
    answers: answers.map(({ call, failed, rejected }) => ({
      call,
      ...(failed && { failed }),
      ...(rejected && { rejected }),
    })),
    images,
    ...(at === undefined ? {} : { at }),
    ...(model === undefined ? {} : { model: forTerminal(model).slice(0, 100) }),
    marks: Object.keys(marks) as (keyof typeof marks)[],
  };
}

function shownCall(call: Call): ShownCall {
  const diff = diffOf(call);
  return {
    ...(call.id === undefined ? {} : { id: call.id }),
    name: forTerminal(call.name).slice(0, 200),
    verb: verbOf(call.name),
    about: redact(aboutOf(call)),
    files: call.files.slice(0, 20).map(({ path }) => forTerminal(path).slice(0, 500)),
    input: shown(inputText(call), MOST.input),
    ...(diff === undefined ? {} : { diff: shown(diff, MOST.diff) }),
  };
}

/** One text of a turn as far as one answer may go; undefined if the turn has no such text. */
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

/** Values are redacted by their names too, before they become one text. */
const inputText = ({ input }: Call): string => JSON.stringify(redactDeep(input), null, 2);

export function shown(text: string, most: number): ShownText {
  const clean = plain(redact(text.slice(0, most + MARGIN)));
  if (text.length <= most && clean.length <= most) return { text: clean };
  return { text: clean.slice(0, most).toWellFormed(), of: text.length };
}

const TERMINAL = /\x1b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\-_])/g;

/** Colours and links of a terminal are removed; other control and invisible characters become harmless. */
const plain = (text: string): string =>
  forTerminal(
    text.includes("\x1b") || text.includes("\r") ? text.replace(TERMINAL, "").replace(/\r\n?/g, "\n") : text,
  );
