import { collapse } from "../../../base/text.ts";
import type { Call, Turn } from "../../../moments/ports/turn.ts";
import { passagesOf } from "../../../search/passages.ts";
import { redact } from "../../../store/redact.ts";

/** As it lies in a unit: a list, because names would be written some hundred thousand times. */
export type StoredPassage = readonly [
  turn: string,
  kind: Kind,
  time: number | null,
  text: string,
  isCopy?: 1,
];

/** `c`: the calls of one or several turns, one a line. */
export type Kind = "u" | "a" | "s" | "c";

/** Of a longer turn, such as a pasted log, the beginning and the end are kept: words in its middle find nothing. */
const MOST_CHARACTERS = 24_000;
const KEPT_END = 4_000;
const MOST_OF_A_COMMAND = 300;

/** Is this something that a person asked for? */
export function isPrompt({ role, text, marks }: Turn): boolean {
  return role === "user" && text !== "" && !marks.machineMade && !marks.injected && !marks.sidechain;
}

/** What of a turn is searched. Nothing of what was injected, answered by a tool, or made by the host. */
export function passagesOfTurn(turn: Turn): StoredPassage[] {
  const kind = kindOf(turn);
  const time = turn.at ?? null;
  const passages: StoredPassage[] = [];
  if (kind !== undefined && turn.text !== "") {
    for (const text of passagesOf(bounded(redact(turn.text)))) {
      if (text.trim() !== "") passages.push([turn.id, kind, time, text]);
    }
  }
  if (turn.calls.length > 0) passages.push([turn.id, "c", time, turn.calls.map(callLine).join("\n")]);
  return passages;
}

function kindOf({ role, marks }: Turn): Kind | undefined {
  if (marks.machineMade || marks.injected || marks.error) return undefined;
  if (role === "user") return "u";
  if (role === "assistant") return "a";
  return role === "summary" ? "s" : undefined;
}

function bounded(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS - KEPT_END)}\n…\n${text.slice(-KEPT_END)}`;
}

/** The name of the tool with the files that it was given, or the command that it ran. */
function callLine({ name, input, files }: Call): string {
  const command = input["command"] ?? input["cmd"];
  const ran = Array.isArray(command) ? command.join(" ") : command;
  const about = typeof ran === "string" ? oneLine(ran) : redact(files.map(({ path }) => path).join(" "));
  return about === "" ? name : `${name} ${about}`;
}

/** Redacted before it is cut, and while its lines are still lines. */
function oneLine(text: string): string {
  return collapse(redact(text.slice(0, MOST_CHARACTERS)).slice(0, MOST_OF_A_COMMAND));
}

/** Calls that follow each other with nothing said between them are one passage: most are a few words. */
export function appendPassages(list: StoredPassage[], more: readonly StoredPassage[]): void {
  for (const next of more) {
    const last = list.at(-1);
    const isOne = last?.[1] === "c" && next[1] === "c" && last[4] === next[4];
    if (isOne && last[3].length + next[3].length < 1500) {
      const text = `${last[3]}\n${next[3]}`;
      list[list.length - 1] =
        last[4] === 1 ? [last[0], "c", last[2], text, 1] : [last[0], "c", last[2], text];
    } else list.push(next);
  }
}
