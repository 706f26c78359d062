import { copilotReader } from "../../../../../src/hosts/copilot/history/reader.ts";
import { write } from "../../../../support/world.ts";
import { AT, CWD, type History, OURS } from "./history.ts";

const SESSION = "778a847c-e72a-4e18-9b0d-7bb6988515b4";
let count = 0;

function event(type: string, data: object, more: object = {}): string {
  count++;
  const parentId = count === 1 ? null : `e${count - 1}`;
  return JSON.stringify({ type, data, ...more, id: `e${count}`, timestamp: AT(count), parentId });
}

const usage = () =>
  event("session.usage_record", {
    usage: {
      model: "claude-sonnet-4.5",
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 3,
      cacheWriteTokens: 2,
    },
  });
const answer = (content: string, toolRequests: object[] = [], more: object = {}) =>
  event("assistant.message", { model: "claude-sonnet-4.5", content, toolRequests, ...more });

const lines = [
  event("session.start", { sessionId: SESSION, startTime: AT(0), context: { cwd: CWD, branch: "main" } }),
  event("hook.end", { hookType: "userPromptSubmitted", output: { additionalContext: OURS } }),
  event("user.message", {
    content: "Where are prices rounded?",
    transformedContent: `<current_datetime>x</current_datetime>\n\nWhere are prices rounded?\n\n<system_reminder>\n${OURS}\n</system_reminder>`,
  }),
  event("system.message", { role: "system", content: "You are the GitHub Copilot CLI" }),
  usage(),
  answer("", [{ toolCallId: "call_1", name: "view", arguments: { path: `${CWD}/src/round.ts` } }], {
    reasoningText: "Look for it.",
  }),
  event("tool.execution_start", { toolCallId: "call_1", toolName: "view" }),
  event("tool.execution_complete", {
    toolCallId: "call_1",
    success: true,
    result: { content: "export const round = Math.round;" },
  }),
  usage(),
  answer("In round.ts — naïvely."),
  event("model.messages_snapshot", { messages: [] }),
  event("session.compaction_complete", { success: true, summaryContent: "We looked at rounding." }),
  event("user.message", { content: "Round half to even.", transformedContent: "Round half to even." }),
  usage(),
  answer("Done."),
  event("session.shutdown", {}),
];
const path = `.copilot/session-state/${SESSION}/events.jsonl`;

export const copilotHistory: History = {
  reader: copilotReader,
  session: SESSION,
  file: { path, lines },
  write: (home) =>
    write(home, {
      [path]: `${lines.join("\n")}\n`,
      [`.copilot/session-state/${SESSION}/workspace.yaml`]: "name: Rounding\nuser_named: true\n",
    }),
};
