import { claudeCodeReader } from "../../../../../src/hosts/claude-code/history/reader.ts";
import { write } from "../../../../support/world.ts";
import { AT, CWD, type History, OURS } from "./history.ts";

const SESSION = "925b32f8-e184-4e98-8111-fbf56b9e3a7e";
let count = 0;

function line(type: string, more: object, uuid = `u${++count}`): string {
  const where = { cwd: CWD, sessionId: SESSION, gitBranch: "main", isSidechain: false };
  return JSON.stringify({ ...where, type, uuid, timestamp: AT(count), ...more });
}

const user = (content: unknown, more: object = {}) =>
  line("user", { message: { role: "user", content }, ...more });

/** One line for each block, as they were streamed. */
function answer(id: string, ...blocks: object[]): string[] {
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 2,
  };
  return blocks.map((block) =>
    line("assistant", {
      message: { id, role: "assistant", model: "claude-sonnet-4-5", content: [block], usage },
    }),
  );
}

const lines = [
  '{"type":"queue-operation","operation":"enqueue","content":"Where are prices rounded?"}',
  line("attachment", {
    attachment: { type: "hook_additional_context", content: [OURS], hookEvent: "SessionStart" },
  }),
  user("Where are prices rounded?", { origin: { kind: "human" } }),
  line("attachment", { attachment: { type: "environment", snapshot: {} } }),
  `{"type":"api-request","sessionId":"${SESSION}","body":${JSON.stringify("x".repeat(2000))}}`,
  ...answer(
    "msg_1",
    { type: "thinking", thinking: "Look for it." },
    { type: "tool_use", id: "call_1", name: "Read", input: { file_path: `${CWD}/src/round.ts` } },
  ),
  user([{ type: "tool_result", tool_use_id: "call_1", content: "export const round = Math.round;" }], {
    toolUseResult: {},
  }),
  ...answer("msg_2", { type: "text", text: "In round.ts — naïvely." }),
  line("system", { subtype: "compact_boundary", content: "Conversation compacted" }),
  user("We looked at rounding.", { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  user("<command-name>/compact</command-name>"),
  user("Round half to even."),
  ...answer("msg_3", { type: "text", text: "Done." }),
  '{"type":"custom-title","customTitle":"Rounding"}',
];
const path = `.claude/projects/-work-shop/${SESSION}.jsonl`;

export const claudeCodeHistory: History = {
  reader: claudeCodeReader,
  session: SESSION,
  file: { path, lines },
  write: (home) => write(home, { [path]: `${lines.join("\n")}\n` }),
};
