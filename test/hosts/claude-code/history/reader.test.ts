import { describe, expect, it } from "vitest";
import { claudeCodeReader } from "../../../../src/hosts/claude-code/history/reader.ts";
import { originals } from "../../../support/originals.ts";
import { brief, readLinesAs } from "../../shared/history/histories/lines.ts";

const PATH = ".claude/projects/-p/s1.jsonl";
const user = (uuid: string, content: unknown, more: object = {}) => ({
  type: "user",
  uuid,
  message: { role: "user", content },
  ...more,
});
const assistant = (uuid: string, id: string, block: object, more: object = {}) => ({
  type: "assistant",
  uuid,
  message: {
    id,
    role: "assistant",
    model: "m",
    content: [block],
    usage: { input_tokens: 1, output_tokens: 2 },
  },
  ...more,
});
const read = (...lines: object[]) => readLinesAs(claudeCodeReader, PATH, lines);

describe("Claude Code's history", () => {
  it("makes one turn of the lines that one answer was streamed in, also with other lines between them", () => {
    const { turns } = read(
      assistant("a1", "m1", { type: "text", text: "I look." }),
      { type: "progress", data: {} },
      assistant("a2", "m1", { type: "tool_use", id: "t1", name: "Grep", input: { pattern: "x" } }),
      assistant("a3", "m1", { type: "tool_use", id: "t2", name: "Read", input: { file_path: "/p/a.ts" } }),
      assistant("a4", "m2", { type: "text", text: "Found." }),
    );
    expect(turns.map(({ id, text, calls }) => [id, text, calls.map(({ name }) => name)])).toEqual([
      ["a1", "I look.", ["Grep", "Read"]],
      ["a4", "Found.", []],
    ]);
  });

  it("keeps the pieces of an answer that a tool's result came between in one group, so that its cost counts once", () => {
    const result = {
      type: "tool_result",
      tool_use_id: "t1",
      content: [{ type: "text", text: "no" }],
      is_error: true,
    };
    const { turns } = read(
      assistant("a1", "m1", { type: "tool_use", id: "t1", name: "Bash", input: {} }),
      user("r1", [result]),
      assistant("a2", "m1", { type: "tool_use", id: "t2", name: "Bash", input: {} }),
    );
    expect(turns.map(({ role, group }) => [role, group])).toEqual([
      ["assistant", "m1"],
      ["tool", undefined],
      ["assistant", "m1"],
    ]);
    expect(turns[1]).toMatchObject({ text: "no", answers: [{ call: "t1", failed: true }] });
  });

  it("tells what a person typed from what the host and hooks say in the same role", () => {
    const { turns } = read(
      user("1", "Fix it.\n<system-reminder>be quick</system-reminder>"),
      user("2", "A skill's text", { isMeta: true }),
      user("3", "<task-notification>done</task-notification>", { origin: { kind: "task-notification" } }),
      user("4", "[Request interrupted by user]"),
      user("4b", "Operation stopped by hook: not now"),
      user("5", "<command-name>/model</command-name>"),
      user("6", "This session is being continued", { isCompactSummary: true }),
      { type: "attachment", uuid: "7", attachment: { type: "queued_command", prompt: "and the tests" } },
      assistant("8", "m", { type: "text", text: "API Error: 400" }, { isApiErrorMessage: true }),
      { type: "system", uuid: "9", subtype: "local_command", content: "<command-name>/x</command-name>" },
    );
    expect(turns.map(brief)).toEqual([
      'user "Fix it."',
      'other "A skill\'s text" injected',
      'user "<task-notification>done</task-notification>" machineMade',
      'other "[Request interrupted by user]" machineMade',
      'other "Operation stopped by hook: not now" machineMade',
      'user "<command-name>/model</command-name>" machineMade',
      'summary "This session is being continued" compaction',
      'user "and the tests"',
      'other "API Error: 400" error',
      'other "<command-name>/x</command-name>" machineMade',
    ]);
    expect(turns[0]?.injected).toBe("<system-reminder>be quick</system-reminder>");
  });

  it("counts types that it does not know, of lines, system messages and attachments", () => {
    const { report } = read(
      { type: "brand-new", uuid: "1" },
      { type: "system", subtype: "strange" },
      { type: "attachment", attachment: { type: "odd" } },
      { uuid: "2" },
    );
    expect(report.unknown).toEqual({ "brand-new": 1, "system:strange": 1, "attachment:odd": 1, "(none)": 1 });
  });

  it("takes a person's title over the host's, and a summary only if it is of this session", () => {
    const other = { type: "summary", summary: "Another session", leafUuid: "elsewhere" };
    const own = { type: "summary", summary: "This one", leafUuid: "1" };
    expect(read(other, user("1", "hi")).report.title).toBeUndefined();
    expect(read(own, user("1", "hi")).report.title).toEqual({ text: "This one", by: "host" });
    const after = read(user("1", "hi"), other, own, user("2", "more"));
    expect(after.report.title).toEqual({ text: "This one", by: "host" });
    expect(after.header.title).toEqual({ text: "This one", by: "host" });
    const named = read(
      { type: "custom-title", customTitle: "Mine" },
      { type: "ai-title", aiTitle: "Its" },
      user("1", "hi"),
    );
    expect(named.report.title).toEqual({ text: "Mine", by: "person" });
    expect(named.header.title).toEqual({ text: "Mine", by: "person" });
  });

  it("finds subagents below their session and, from older versions, beside it", () => {
    const side = { ...user("1", "count", { isSidechain: true, sessionId: "s1", agentId: "a" }) };
    for (const path of [
      ".claude/projects/-p/s1/subagents/agent-a.jsonl",
      ".claude/projects/-p/agent-a.jsonl",
    ]) {
      const { file, turns } = readLinesAs(claudeCodeReader, path, [side]);
      expect(file).toMatchObject({ id: "agent-a", parent: "s1" });
      expect(turns.map(brief)).toEqual(['user "count" sidechain']);
    }
  });

  it("has a fork's copies left out, whichever of the two is read first", () => {
    const { turns } = read(user("1", "hi"), assistant("2", "m", { type: "text", text: "ho" }));
    const fork = read(
      user("1", "hi"),
      assistant("2", "m", { type: "text", text: "ho" }),
      user("3", "another way"),
    );
    const seen = new Set<string>();
    expect([...originals(turns, seen)]).toHaveLength(2);
    expect([...originals(fork.turns, seen)].map(({ text }) => text)).toEqual(["another way"]);
  });
});
