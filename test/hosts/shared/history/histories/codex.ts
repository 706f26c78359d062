import { codexReader } from "../../../../../src/hosts/codex/history/reader.ts";
import { write } from "../../../../support/world.ts";
import { AT, CWD, type History, OURS } from "./history.ts";

const SESSION = "01a1df34-a408-71f0-b2c6-2a84e3fdf8e2";
let count = 0;

function line(type: string, payload: object): string {
  count++;
  return JSON.stringify({ timestamp: AT(count), ordinal: count, type, payload });
}

const item = (payload: object) => line("response_item", payload);
const event = (type: string, more: object = {}) => line("event_msg", { type, ...more });

function message(role: string, text: string, kind?: string): string {
  const about = kind === undefined ? {} : { content_item_kinds: [kind] };
  return item({
    type: "message",
    id: `msg_${count + 1}`,
    role,
    content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
    internal_chat_message_metadata_passthrough: about,
  });
}

const usage = { input_tokens: 13, output_tokens: 5, cached_input_tokens: 3, cache_write_input_tokens: 2 };

const lines = [
  line("session_meta", {
    id: SESSION,
    timestamp: AT(0),
    cwd: CWD,
    cli_version: "0.166.0",
    git: { branch: "main" },
  }),
  event("task_started"),
  message("user", "<environment_context>\n</environment_context>", "environments.environment_context"),
  line("turn_context", { cwd: CWD, model: "fake-model" }),
  message("developer", OURS, "hooks.additional_context"),
  message("user", "Where are prices rounded?", "user.text"),
  event("item_completed", {
    item: { type: "UserMessage", content: [{ type: "text", text: "Where are prices rounded?" }] },
  }),
  item({ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Look for it." }] }),
  item({
    type: "function_call",
    id: "fc_1",
    name: "exec_command",
    arguments: '{"cmd":"cat src/round.ts"}',
    call_id: "call_1",
  }),
  line("token_usage_record", { usage }),
  item({
    type: "function_call_output",
    id: "fco_1",
    call_id: "call_1",
    output: "export const round = Math.round;",
  }),
  event("token_count", { info: { last_token_usage: usage } }),
  message("assistant", "In round.ts — naïvely."),
  line("token_usage_record", { usage }),
  event("task_complete", { last_agent_message: "In round.ts — naïvely." }),
  line("compacted", { message: "We looked at rounding.", replacement_history: [{ type: "message" }] }),
  message("user", "Round half to even.", "user.text"),
  message("assistant", "Done."),
  event("token_count", { info: { last_token_usage: usage } }),
];
const path = `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${SESSION}.jsonl`;

export const codexHistory: History = {
  reader: codexReader,
  session: SESSION,
  file: { path, lines },
  write: (home) => write(home, { [path]: `${lines.join("\n")}\n` }),
};
