import type { Shows } from "../../moments/types.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";

/** Lines begin with their time, a number, and what they are; an item's type and role come before its content. */
const ITEM = /^\{"timestamp":"([^"]+)",(?:"ordinal":\d+,)?"type":"response_item","payload":\{(.{0,160})/s;
const ANY_TIME = /^\{"timestamp":"([^"]+)"/;

const INPUT = /"role":"user"|"type":"\w+_output"/;
const ANSWER = /"role":"assistant"|"type":"(?:reasoning|\w+_call)"/;

/** Codex keeps what hooks gave the model in the rollout, as items of the conversation. */
export function shownInRollout(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      const [, , item] = ITEM.exec(line) ?? [];
      if (item === undefined) return undefined;
      if (INPUT.test(item)) return "input";
      return ANSWER.test(item) ? "answer" : "other";
    },
    timeOf: (line) => Date.parse(ANY_TIME.exec(line)?.[1] ?? "") || undefined,
  });
}
