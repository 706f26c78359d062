import { isRecord } from "../../base/settings.ts";
import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import type { LastRequest } from "../../moments/types.ts";
import type { FileAccess } from "../../moments/working-set.ts";
import type { Message } from "./api.ts";
import { promptOf } from "./requests.ts";
import { filesOf } from "./tools.ts";

/** What a session's messages tell about the time before we knew it. */

/** The newest thing that a person asked for, and whether the agent came to an end with it. */
export function lastRequestIn(messages: readonly Message[]): LastRequest | undefined {
  let answered: boolean | undefined;
  for (const { info, parts } of messages.toReversed()) {
    if (info.summary === true) continue;
    if (info.role === "assistant") {
      // The newest one decides: text that a tool call followed was not the answer yet.
      answered ??=
        info.error === undefined && info.time?.completed !== undefined && info.finish !== "tool-calls";
      continue;
    }
    const text = stripInjected(promptOf(parts)).trim();
    if (text === "" || isMachineMade(text)) continue;
    const created = info.time?.created;
    const at = created === undefined ? {} : { at: new Date(created).toISOString() };
    return { text, answered: answered ?? false, ...at };
  }
  return undefined;
}

/** The files that tool calls read or edited, in the order of the calls. */
export function filesIn(messages: readonly Message[], cwd: string, root: string): FileAccess[] {
  return messages
    .flatMap((message) => message.parts)
    .flatMap(({ type, tool, state }) => {
      const input = state?.["input"];
      const isDone = type === "tool" && tool !== undefined && state?.["status"] === "completed";
      return isDone && isRecord(input) ? filesOf(tool, input, cwd, root) : [];
    });
}
