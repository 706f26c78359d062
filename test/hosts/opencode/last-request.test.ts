import { expect, test } from "vitest";
import type { Message, MessageInfo, Part } from "../../../src/hosts/opencode/api.ts";
import { filesIn, lastRequestIn } from "../../../src/hosts/opencode/messages.ts";

const message = (info: Partial<MessageInfo>, ...parts: Partial<Part>[]): Message => ({
  info: { id: "msg_1", role: "user", sessionID: "s", ...info },
  parts: parts.map((part) => ({ id: "prt_1", type: "text", ...part })),
});
const answer = (more: Partial<MessageInfo> = {}) =>
  message(
    { role: "assistant", finish: "stop", time: { created: 1, completed: 2 }, ...more },
    { text: "done" },
  );
const asked = message({ time: { created: 0 } }, { text: "do it" }, { text: "ours", synthetic: true });

test.each<[string, Message[], boolean]>([
  ["answered", [asked, answer()], true],
  ["not begun", [asked], false],
  ["stopped by an error", [asked, answer({ error: { name: "X" } })], false],
  ["cut off in mid-answer", [asked, answer({ time: { created: 1 } })], false],
  ["about to call a tool", [asked, answer(), answer({ finish: "tool-calls" })], false],
  [
    "answered and then compacted",
    [asked, answer(), message({}, { type: "compaction" }), answer({ summary: true })],
    true,
  ],
])("the last request is what a person typed: %s", (_, messages, answered) => {
  expect(lastRequestIn(messages)).toEqual({ text: "do it", answered, at: "1970-01-01T00:00:00.000Z" });
});

test("without a request there is none", () => {
  expect(lastRequestIn([])).toBeUndefined();
  expect(lastRequestIn([message({}, { text: "ours", synthetic: true }), answer()])).toBeUndefined();
});

test("files are those of calls that were carried out", () => {
  const call = (tool: string, status: string, filePath: string) => ({
    type: "tool",
    tool,
    state: { status, input: { filePath } },
  });
  const messages = [
    message({ role: "assistant" }, call("read", "completed", "/p/a.ts"), call("edit", "error", "/p/b.ts")),
    message({ role: "assistant" }, call("bash", "completed", "/p/c.ts"), call("write", "completed", "d.ts")),
  ];
  expect(filesIn(messages, "/p", "/p")).toEqual([
    { path: "a.ts", access: "read" },
    { path: "d.ts", access: "edit" },
  ]);
});
