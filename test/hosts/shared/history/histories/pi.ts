import { piReader } from "../../../../../src/hosts/pi/history/reader.ts";
import { write } from "../../../../support/world.ts";
import { AT, CWD, type History, OURS } from "./history.ts";

const SESSION = "01a1df36-96f1-718e-9592-0f9e51c3c8bf";
let count = 0;

function entry(type: string, more: object): string {
  count++;
  return JSON.stringify({
    type,
    id: `e${count}`,
    parentId: count === 1 ? null : `e${count - 1}`,
    timestamp: AT(count),
    ...more,
  });
}

const message = (role: string, content: unknown, more: object = {}) =>
  entry("message", { message: { role, content, ...more } });
const text = (said: string) => [{ type: "text", text: said }];
const model = {
  model: "fake-1",
  usage: { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 },
  stopReason: "stop",
};

const lines = [
  JSON.stringify({ type: "session", version: 3, id: SESSION, timestamp: AT(0), cwd: CWD }),
  entry("model_change", { provider: "fake", modelId: "fake-1" }),
  message("system", "", { sections: { preamble: "You are" } }),
  message("user", text("Where are prices rounded?")),
  entry("custom_message", { customType: "continuo", content: text(OURS), display: false }),
  message(
    "assistant",
    [
      { type: "thinking", thinking: "Look for it." },
      { type: "toolCall", id: "call_1", name: "read", arguments: { path: "src/round.ts" } },
    ],
    model,
  ),
  message("toolResult", text("export const round = Math.round;"), {
    toolCallId: "call_1",
    toolName: "read",
    isError: false,
  }),
  message("assistant", text("In round.ts — naïvely."), model),
  entry("custom", { customType: "continuo", data: { version: 1 } }),
  entry("compaction", { summary: "We looked at rounding.", firstKeptEntryId: "e7", tokensBefore: 100 }),
  entry("session_info", { name: "Rounding" }),
  message("user", text("Round half to even.")),
  message("assistant", text("Done."), model),
];
const path = `.pi/agent/sessions/--work-shop--/2026-11-15T12-00-00-000Z_${SESSION}.jsonl`;

export const piHistory: History = {
  reader: piReader,
  session: SESSION,
  file: { path, lines },
  write: (home) => write(home, { [path]: `${lines.join("\n")}\n` }),
};
