import type { Shows } from "../../moments/types.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";

const KINDS: Readonly<Record<string, LineKind>> = {
  "user.message": "input",
  "tool.execution_complete": "input",
  "assistant.message": "answer",
};

/** What stands around an event's data: its time, and the agent that it belongs to if that is a subagent. */
const AROUND = 400;
const TIME = /"timestamp":"([^"]+)"[^{}]*\}\s*$/;
const OF_CHILD = /"agentId":"[^"]*"[^{}]*\}\s*$/;

/**
 * Copilot keeps what hooks gave the model inside the prompt and inside the tool's result. It also records what a hook
 * printed, which is not what the model got.
 */
export function shownInEvents(events: string): Shows {
  return shownIn(events, {
    kindOf(line): LineKind | undefined {
      const kind = KINDS[/^\{"type":"([\w.]+)"/.exec(line)?.[1] ?? ""];
      return kind === undefined || OF_CHILD.test(line.slice(-AROUND)) ? undefined : kind;
    },
    timeOf: (line) => Date.parse(TIME.exec(line.slice(-AROUND))?.[1] ?? "") || undefined,
  });
}
