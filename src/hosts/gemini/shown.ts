import type { Shows } from "../../moments/types.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";
import { asWritten } from "./conversation.ts";

/** Lines begin with an id, the time, and what they are. A line with all messages is a copy. */
const MESSAGE = /^\{"id":"[^"]*","timestamp":"([^"]+)","type":"(user|gemini)"/;

/** Gemini CLI keeps what hooks gave the model inside the prompt and inside the tool's result. */
export function shownInChat(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      const type = MESSAGE.exec(line)?.[2];
      return type === undefined ? undefined : type === "user" ? "input" : "answer";
    },
    timeOf: (line) => Date.parse(MESSAGE.exec(line)?.[1] ?? "") || undefined,
    written: (text) => JSON.stringify(asWritten(text)).slice(1, -1),
  });
}
