import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPast } from "../../../src/hosts/claude-code/past.ts";
import { stateFile } from "../../../src/moments/state/session-state.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { hookWith } from "../../support/hooks.ts";
import { temporaryWorld, write } from "../../support/world.ts";

const T0 = Date.parse("2026-03-01T10:00:00Z");
const iso = (seconds: number) => new Date(T0 + seconds * 1000).toISOString();

/** Lines as Claude Code 2.1.325 writes them, their fields in the same order. */
const line = (type: "user" | "assistant", content: unknown, seconds: number, more: object = {}) =>
  JSON.stringify({
    parentUuid: "p",
    isSidechain: false,
    promptId: "i",
    type,
    message: { role: type, content },
    uuid: `u${seconds}`,
    timestamp: iso(seconds),
    ...more,
  });
const typed = (text: string, seconds: number) => line("user", text, seconds);
const call = (id: string, name: string, input: object, seconds: number, more = {}) =>
  line("assistant", [{ type: "tool_use", id, name, input }], seconds, more);
const result = (id: string, seconds: number, more: object = {}) =>
  line("user", [{ tool_use_id: id, type: "tool_result", content: "ok", ...more }], seconds, {
    toolUseResult: {},
  });
const attachment = (seconds: number) =>
  `{"parentUuid":"p","isSidechain":false,"attachment":{"type":"prompt_snapshot"},"timestamp":"${iso(seconds)}"}`;

function transcript(lines: readonly string[], more: Record<string, string> = {}) {
  const world = temporaryWorld();
  const path = join(world.root, "..", "t.jsonl");
  write(join(world.root, ".."), { "t.jsonl": lines.map((one) => `${one}\n`).join(""), ...more });
  const about = (session: { id: string; parent?: string }) => ({
    session: { host: "claude-code", ...session },
    transcript: path,
    cwd: world.root,
    project: world.project,
  });
  return { ...world, path, past: (since = 0, session = { id: "s1" }) => readPast(about(session), since) };
}

describe("what Claude Code's transcript has of a session", () => {
  it("has the calls that succeeded and the prompts that a person typed, oldest first, since a time", () => {
    const { past } = transcript([
      typed("long ago", -100),
      typed("look at a", 1),
      call("t1", "Read", { file_path: "src/a.ts" }, 2),
      attachment(2),
      call("t2", "Edit", { file_path: "b.md" }, 3),
      result("t1", 4),
      result("t2", 5),
      call("t3", "Read", { file_path: "none.ts" }, 6),
      result("t3", 7, { is_error: true }),
      call("t4", "Read", { file_path: "running.ts" }, 8),
      typed("<task-notification>done</task-notification>", 9),
      line("user", "A summary.", 10, { isCompactSummary: true }),
      typed("<system-reminder>not typed</system-reminder>and on", 11),
    ]);
    expect(past(T0)).toEqual({
      prompts: ["look at a", "and on"],
      calls: [
        { name: "Read", at: T0 + 2000, files: [{ path: "src/a.ts", access: "read" }] },
        { name: "Edit", at: T0 + 3000, files: [{ path: "b.md", access: "edit" }] },
      ],
    });
  });

  it("has the files that prompts mention and that exist", () => {
    const world = transcript([typed("see @src/a.ts and @types/node", 1), typed("and @none.ts", 2)]);
    write(world.root, { "src/a.ts": "" });
    expect(world.past().mentioned).toEqual([
      { at: T0 + 1000, files: [{ path: "src/a.ts", access: "read" }] },
    ]);
  });

  it("reads a subagent's own transcript, and leaves its lines in its parent's out", () => {
    const isSidechain = true;
    const side = [
      call("t1", "Read", { file_path: "child.ts" }, 1, { isSidechain }),
      line("user", [{ tool_use_id: "t1", type: "tool_result", content: "ok" }], 2, { isSidechain }),
    ];
    const { past } = transcript([...side, typed("hello", 3)], {
      "s1/subagents/agent-a1.jsonl": `${side.join("\n")}\n`,
    });
    expect(past()).toEqual({ prompts: ["hello"], calls: [] });
    const child = past(0, { id: "s1_a1", parent: "s1" } as { id: string });
    expect(child.calls.map(({ files }) => files[0]?.path)).toEqual(["child.ts"]);
    expect(past(0, { id: "s1_../../t", parent: "s1" } as { id: string }).calls).toEqual([]);
  });

  it("is empty without a transcript, and never fails on what a file holds", () => {
    expect(transcript([]).past()).toEqual({ calls: [], prompts: [] });
    const hostile = fc.oneof(
      fc.string(),
      fc.json().map((json) => `{"parentUuid":null,"timestamp":"${iso(1)}","message":${json}}`),
      fc
        .json()
        .map((json) => line("assistant", [{ type: "tool_use", id: "t", name: "Read", input: json }], 1)),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), (lines) => {
        const { past } = transcript(lines);
        expect(past().calls.every(({ files }) => files.every(({ path }) => typeof path === "string"))).toBe(
          true,
        );
      }),
      { numRuns: 50 },
    );
  });

  it("stops after some hundred lines, the newest first", () => {
    const many = Array.from({ length: 2000 }, (_, i) => typed(`prompt ${i}`, i));
    const { prompts } = transcript(many).past();
    expect(prompts.length).toBeLessThanOrEqual(600);
    expect(prompts.at(-1)).toBe("prompt 1999");
  });
});

const RULES = {
  ".continuo/rules/files.md": "---\nglobs: src/**/*.ts\n---\nRULE-FILES stands.",
  ".continuo/rules/words.md": "---\nkeywords: [database]\n---\nRULE-WORDS stands.",
};

/** Hooks of one session, of which some never came. */
function session(lines: readonly string[], more: Record<string, string> = {}) {
  const world = transcript(lines);
  write(world.root, { ...RULES, ...more });
  const hook = (event: string, seconds: number, payload: object, mayHaveMissed = false) =>
    hookWith(
      [rules],
      world,
      "claude-code",
      event,
      { session_id: "s1", cwd: world.root, transcript_path: world.path, ...payload },
      { now: () => T0 + seconds * 1000, mayHaveMissed },
    );
  const state = () =>
    stateFile(
      world.home,
      { host: "claude-code", id: "s1" },
      { lockWaitMs: 100, onDamaged: () => undefined },
    ).read();
  return { hook, files: () => state()?.workingSet.map(({ path, heat }) => [path, heat]) };
}

const MISSED = [
  typed("the database", 10),
  call("t1", "Read", { file_path: "src/a.ts" }, 11),
  result("t1", 12),
];

describe("moments of Claude Code that did not reach Continuo", () => {
  it("are made up for at the next prompt: rules for files touched and words said come once", async () => {
    const { hook, files } = session(MISSED);
    await hook("SessionStart", 0, { source: "startup" });
    const next = await hook("UserPromptSubmit", 20, { prompt: "go on" }, true);
    expect(next).toContain("RULE-FILES");
    expect(next).toContain("RULE-WORDS");
    expect(files()).toEqual([["src/a.ts", 1]]);
    expect(await hook("UserPromptSubmit", 30, { prompt: "go on" }, true)).toBe("");
    expect(files()).toEqual([["src/a.ts", 1]]);
  });

  it("are made up for also if a prompt only mentioned a file", async () => {
    const { hook, files } = session([typed("see @src/b.ts", 10)], { "src/b.ts": "" });
    await hook("SessionStart", 0, { source: "startup" });
    expect(await hook("UserPromptSubmit", 20, { prompt: "go on" }, true)).toContain("RULE-FILES");
    expect(await hook("UserPromptSubmit", 30, { prompt: "go on" }, true)).toBe("");
    expect(files()).toEqual([["src/b.ts", 1]]);
  });

  it("are made up for at the next tool call, whose own file comes last", async () => {
    const { hook, files } = session(MISSED);
    await hook("SessionStart", 0, { source: "startup" });
    const tool = { tool_name: "Read", tool_input: { file_path: "b.md" } };
    const next = await hook("PostToolUse", 20, tool, true);
    expect(next).toContain("RULE-FILES");
    expect(next).toContain("RULE-WORDS");
    expect(files()).toEqual([
      ["src/a.ts", 1],
      ["b.md", 1],
    ]);
  });

  it("are not looked for where every event comes, and do not count a call twice that came", async () => {
    const { hook, files } = session(MISSED);
    await hook("SessionStart", 0, { source: "startup" });
    expect(await hook("UserPromptSubmit", 20, { prompt: "go on" })).toBe("");
    expect(files()).toEqual([]);
    const tool = { tool_name: "Read", tool_input: { file_path: "src/a.ts" } };
    expect(await hook("PostToolUse", 21, tool)).toContain("RULE-FILES");
    await hook("UserPromptSubmit", 22, { prompt: "go on" }, true);
    expect(files()).toEqual([["src/a.ts", 1]]);
  });

  it("are in the snapshot after a compaction; seen at the end, they count when the session is resumed", async () => {
    const compacted = session(MISSED);
    await compacted.hook("SessionStart", 0, { source: "startup" });
    expect(await compacted.hook("SessionStart", 20, { source: "compact" })).toContain("RULE-FILES");
    const ended = session(MISSED);
    await ended.hook("SessionStart", 0, { source: "startup" });
    await ended.hook("SessionEnd", 20, { reason: "other" });
    expect(ended.files()).toEqual([["src/a.ts", 1]]);
    const next = await ended.hook("UserPromptSubmit", 30, { prompt: "go on" });
    expect(next).toContain("RULE-FILES");
    expect(next).toContain("RULE-WORDS");
  });
});
