import { describe, expect, it } from "vitest";
import { codexReader } from "../../../../src/hosts/codex/history/reader.ts";
import { write } from "../../../support/world.ts";
import { brief, readLinesAs } from "../../shared/history/histories/lines.ts";

const PATH = ".codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-01a1df34-a408.jsonl";
const meta = (more: object = {}) => ({
  type: "session_meta",
  payload: { id: "01a1df34-a408", cwd: "/p", ...more },
});
const item = (payload: object) => ({ timestamp: "2026-11-15T12:00:00.000Z", type: "response_item", payload });
const message = (role: string, ...texts: string[]) => ({
  type: "message",
  role,
  content: texts.map((text) => ({ type: "input_text", text })),
});
const read = (...lines: object[]) => readLinesAs(codexReader, PATH, lines);

describe("Codex's history", () => {
  it("has the size of the model's context as it was last written", () => {
    const { file } = read(
      { type: "event_msg", payload: { type: "task_started", model_context_window: 272_000 } },
      { type: "event_msg", payload: { type: "token_count", info: { model_context_window: 258_400 } } },
      { type: "event_msg", payload: { type: "token_count", info: { model_context_window: null } } },
      item(message("user", '"model_context_window": 5')),
    );
    expect(codexReader.contextWindow?.(file.path)).toBe(258_400);
    expect(codexReader.contextWindow?.(read(meta()).file.path)).toBeUndefined();
  });

  it("reads the first versions' lines, which are the items themselves", () => {
    const { turns, report } = read(
      { id: "old", timestamp: "2025-05-01T10:00:00.000Z", instructions: null, git: {} },
      { record_type: "state" },
      message("user", "<environment_context>\n</environment_context>"),
      message("user", "hello"),
      {
        type: "function_call",
        name: "shell",
        arguments: '{"command":["bash","-lc","cat src/a.ts"]}',
        call_id: "c1",
      },
      { type: "function_call_output", call_id: "c1", output: "text" },
      message("assistant", "done"),
    );
    expect(turns.map(brief)).toEqual([
      'other "<environment_context>\\n</environment_context>" injected',
      'user "hello"',
      'assistant ""',
      'tool "text"',
      'assistant "done"',
    ]);
    expect(turns[2]?.calls[0]?.files.map(({ path }) => path.endsWith("src/a.ts"))).toEqual([true]);
    expect(report).toMatchObject({ unknown: {}, passed: { header: 1, record_type: 1 } });
    expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
  });

  it("takes apart a message in which the host put its text beside the person's", () => {
    const mixed = {
      ...message("user", "hello", "<hook>context</hook>"),
      id: "m",
      internal_chat_message_metadata_passthrough: {
        content_item_kinds: ["user.text", "hooks.additional_context"],
      },
    };
    expect(read(meta(), item(mixed)).turns.map(brief)).toEqual([
      'other "<hook>context</hook>" injected',
      'user "hello"',
    ]);
  });

  it("knows a patch's files, and a file that a command read and that is gone by now", () => {
    const patch = "*** Begin Patch\n*** Update File: src/b.ts\n*** End Patch";
    const { turns } = read(
      meta(),
      item({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "c1" }),
      item({
        type: "function_call",
        name: "exec_command",
        arguments: '{"cmd":"head -n 5 src/gone.ts"}',
        call_id: "c2",
      }),
    );
    expect(turns).toHaveLength(1);
    expect(turns[0]?.calls.flatMap(({ files }) => files)).toEqual([
      { path: "src/b.ts", access: "edit" },
      { path: "src/gone.ts", access: "read" },
    ]);
  });

  it("folds the answer that was the summary into the compaction", () => {
    const { turns } = read(meta(), item(message("user", "hi")), item(message("assistant", "We did much.")), {
      type: "compacted",
      payload: { message: "Another model began. We did much." },
    });
    expect(turns.map(brief)).toEqual(['user "hi"', 'summary "Another model began. We did much." compaction']);
  });

  it("marks a subagent's whole session and names its parent and what it was forked from", () => {
    const { turns, header } = read(
      meta({ source: { subagent: { thread_spawn: { parent_thread_id: "p1" } } }, forked_from_id: "f1" }),
      item(message("user", "count")),
    );
    expect(header).toMatchObject({ parent: "p1", forkOf: "f1" });
    expect(turns.map(brief)).toEqual(['user "count" sidechain']);
  });

  it("takes the newest name of its thread from the file of names, and none from a damaged one", () => {
    const { home, file } = read(meta(), item(message("user", "hi")));
    const named = (id: string, name: string) =>
      `${JSON.stringify({ id, thread_name: name, updated_at: "x" })}\n`;
    const lines = [
      named(file.id, "First"),
      "{ half",
      "\n",
      named(file.id, "Newest"),
      named("other", "Other"),
    ];
    write(home, { ".codex/session_index.jsonl": lines.join("") });
    const reading = codexReader.read(file);
    for (const _ of reading);
    expect(reading.report().title).toEqual({ text: "Newest", by: "person" });
    expect(codexReader.headerOf(file).title).toEqual({ text: "Newest", by: "person" });
    write(home, { ".codex/session_index.jsonl": named("other", "Other name") });
    expect(codexReader.headerOf(file).title).toBeUndefined();
  });

  it("counts lines and items that it does not know", () => {
    const { report } = read(
      { type: "new_line", payload: {} },
      item({ type: "new_item" }),
      item(message("robot", "x")),
    );
    expect(report.unknown).toEqual({ new_line: 1, "response_item:new_item": 1, "message:robot": 1 });
  });
});
