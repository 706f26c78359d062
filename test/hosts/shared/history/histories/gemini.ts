import { geminiReader } from "../../../../../src/hosts/gemini/history/reader.ts";
import { write } from "../../../../support/world.ts";
import { AT, CWD, type History, OURS } from "./history.ts";

const SESSION = "333e4662-aaec-4f5c-bedc-113a2514f16c";
let count = 0;

const message = (type: string, content: unknown, more: object = {}, id = `m${++count}`) => ({
  id,
  timestamp: AT(count),
  type,
  content,
  ...more,
});
const head = () =>
  JSON.stringify({ sessionId: SESSION, projectHash: "a685", startTime: AT(0), kind: "main" });
const set = (...messages: object[]) => JSON.stringify({ $set: { messages, lastUpdated: AT(count) } });
const updated = JSON.stringify({ $set: { lastUpdated: AT(1) } });

const greeting = message("user", [{ text: "<session_context>\nThis is the Gemini CLI." }]);
const hook = `<hook_context>${OURS.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</hook_context>`;
const asked = message("user", [{ text: "Where are prices rounded?" }, { text: hook }]);
const tokens = { tokens: { input: 13, output: 4, cached: 3, thoughts: 1 }, model: "gemini-2.5-flash" };
const thoughts = { thoughts: [{ subject: "Search", description: "Look for it." }] };
const before = message("gemini", "", { ...thoughts, ...tokens });
const response = {
  id: "call_1",
  name: "read_file",
  response: { output: "export const round = Math.round;" },
};
const call = { id: "call_1", name: "read_file", args: { file_path: `${CWD}/src/round.ts` } };
const result = message("user", [{ functionResponse: response }]);
const answered = message("gemini", "In round.ts — naïvely.", tokens);
const snapshot = message("user", [{ text: "We looked at rounding." }]);
const summary = {
  ...snapshot,
  content: [{ text: "<state_snapshot>We looked at rounding.</state_snapshot>" }],
};
const thanks = message("gemini", [{ text: "Got it. Thanks for the additional context!" }]);

const lines = [
  head(),
  set(greeting),
  JSON.stringify(asked),
  updated,
  JSON.stringify(before),
  updated,
  JSON.stringify({ ...before, toolCalls: [{ ...call, status: "success" }] }),
  JSON.stringify(result),
  JSON.stringify(answered),
  // A start in a new process, which writes all of it again, and a compression.
  head(),
  set(greeting, asked, message("gemini", [{ functionCall: call }], {}, before.id), result, answered),
  set(greeting, summary, thanks),
  JSON.stringify(message("user", [{ text: "Round half to even." }])),
  JSON.stringify(message("gemini", "Done.", tokens)),
  updated,
];
const path = `.gemini/tmp/shop/chats/session-2026-11-15T12-00-${SESSION.slice(0, 8)}.jsonl`;

export const geminiHistory: History = {
  reader: geminiReader,
  session: SESSION,
  file: { path, lines },
  write: (home) => write(home, { [path]: `${lines.join("\n")}\n`, ".gemini/tmp/shop/.project_root": CWD }),
};
