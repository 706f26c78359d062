import { describe, expect, it } from "vitest";
import { codex } from "../../../src/hosts/codex/hook.ts";
import { tools, toolsWith } from "../../../src/hosts/codex/tools.ts";
import { parseEvent } from "../../../src/hosts/shared/hook/parse-event.ts";
import { replyText, replyVerdict } from "../../../src/hosts/shared/hook/run-hook.ts";
import { temporaryFolder } from "../../support/world.ts";

const ID = "01a1ded6-1a10-7973-a727-956b11c04f36";
const CHILD = "01a1ded6-1c40-72d2-8d96-8acc359bfb94";

/** Payloads as Codex 0.166.0 sent them, but for the folder. */
function parsed(event: string, more: object, cwd = temporaryFolder()) {
  const payload = {
    session_id: ID,
    transcript_path: `/home/u/.codex/sessions/2026/11/15/rollout-2026-11-15T10-52-15-${ID}.jsonl`,
    cwd,
    hook_event_name: event,
    model: "gpt-5",
    permission_mode: "bypassPermissions",
    ...more,
  };
  return parseEvent(codex, { event, env: {}, cwd: "/", at: 1 }, payload);
}

describe("what Codex's events mean", () => {
  it.each([
    ["startup", "start"],
    ["clear", "start"],
    ["compact", "compacted"],
  ])("SessionStart %s is %s", (source, name) => {
    expect(parsed("SessionStart", { source })).toMatchObject({ kind: "moment", moment: { name } });
  });

  it("delivers nothing at a resume, since the history still has the snapshot", () => {
    expect(parsed("SessionStart", { source: "resume" })).toMatchObject({
      moment: { name: "resume", kept: true },
    });
  });

  it("parses a prompt, a compaction and an end", () => {
    expect(parsed("UserPromptSubmit", { turn_id: "t", prompt: "read it" })).toMatchObject({
      moment: { name: "prompt", prompt: "read it", session: { host: "codex", id: ID }, model: "gpt-5" },
    });
    expect(parsed("PreCompact", { trigger: "auto" })).toMatchObject({
      moment: { name: "compacting", trigger: "auto", endsEpoch: true },
    });
    expect(parsed("SessionEnd", { reason: "other" })).toMatchObject({
      moment: { name: "end", why: "other" },
    });
  });

  it("recognises a child session by its agent id", () => {
    const child = { session: { host: "codex", id: `${ID}_${CHILD}`, parent: ID }, agent: "default" };
    const agent = { agent_id: CHILD, agent_type: "default" };
    expect(parsed("SubagentStart", agent)).toMatchObject({ moment: { name: "start", ...child } });
    expect(parsed("UserPromptSubmit", { ...agent, prompt: "do the job" })).toMatchObject({
      moment: { name: "prompt", ...child },
    });
  });

  it("guards before a tool and names the files of a patch after it", () => {
    const command =
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.ts\n@@\n-1\n+2\n*** End Patch\nEOF";
    const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: "call_1" };
    expect(parsed("PreToolUse", tool)).toMatchObject({ kind: "guard" });
    expect(parsed("PostToolUse", { ...tool, tool_response: "" })).toMatchObject({
      kind: "moment",
      moment: { tool: { name: "Bash", files: [{ path: "src/a.ts", access: "edit" }] } },
    });
  });

  it.each([
    ["NoSuchEvent", {}, "unknown-event"],
    ["SessionStart", { session_id: 1 }, "payload-incomplete"],
  ])("refuses %s with %j", (event, more, code) => {
    expect(() => parsed(event, more)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the files that a shell command names", () => {
  const isFile = (path: string) => /\/(a|b)\.ts$/.test(path);
  it.each([
    ["cat src/a.ts", ["src/a.ts"]],
    ["sed -n '1,200p' src/a.ts", ["src/a.ts"]],
    ["head -n 20 src/a.ts src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["cd src && cat 'a.ts' | head -5", ["src/a.ts"]],
    ["nl -ba /p/src/b.ts; echo done", ["src/b.ts"]],
    ["echo src/a.ts", []],
    ["cat nowhere.ts", []],
    ["", []],
  ])("%s", (command, paths) => {
    expect(toolsWith(isFile).filesOf("Bash", { command }, "/p", "/p")).toEqual(
      paths.map((path) => ({ path, access: "read" })),
    );
  });

  it("sed -i edits the file that it names", () => {
    const command = "sed -i s/x/y/ src/a.ts";
    expect(toolsWith(isFile).filesOf("Bash", { command }, "/p", "/p")).toEqual([
      { path: "src/a.ts", access: "edit" },
    ]);
  });

  it("takes every header of a patch", () => {
    const command =
      "*** Begin Patch\n*** Add File: a.ts\n+x\n*** Update File: b.ts\n*** Move to: c.ts\n*** Delete File: d.ts\n*** End Patch";
    const paths = tools.filesOf("apply_patch", { command }, "/p", "/p").map((file) => file.path);
    expect(paths).toEqual(["a.ts", "b.ts", "c.ts", "d.ts"]);
  });
});

describe("replies to Codex", () => {
  it("contain only hookSpecificOutput", () => {
    expect(JSON.parse(replyText(codex, "UserPromptSubmit", "x"))).toEqual({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "x" },
    });
    expect(replyText(codex, "PreCompact", "x")).toBe("");
  });

  it("deny where Codex cannot ask, because it would run the tool", () => {
    const decision = (action: "ask" | "deny") =>
      JSON.parse(replyVerdict(codex, "PreToolUse", { action, message: "No." })).hookSpecificOutput;
    expect(decision("deny")).toMatchObject({ permissionDecision: "deny", permissionDecisionReason: "No." });
    expect(decision("ask").permissionDecision).toBe("deny");
    expect(decision("ask").permissionDecisionReason).toContain("ask the user");
  });
});
