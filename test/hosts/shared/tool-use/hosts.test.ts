import { describe, expect, it } from "vitest";
import { tools as claudeCode } from "../../../../src/hosts/claude-code/tools.ts";
import { tools as codex, hasFailedCommand } from "../../../../src/hosts/codex/tools.ts";
import { tools as copilot } from "../../../../src/hosts/copilot/tools.ts";
import { tools as gemini } from "../../../../src/hosts/gemini/tools.ts";
import { tools as opencode } from "../../../../src/hosts/opencode/tools.ts";
import { tools as pi } from "../../../../src/hosts/pi/tools.ts";
import type { HostTools } from "../../../../src/hosts/port/hook-host.ts";
import { toolMoment } from "../../../../src/hosts/shared/fields.ts";

const hosts = { claudeCode, codex, copilot, gemini, opencode, pi };
type Host = keyof typeof hosts;
type Input = Record<string, unknown>;

const editsOf = (host: HostTools, tool: string, input: Input) =>
  host.editsOf(tool, input, "/p/sub", "/p")?.() ?? [];

const PATCH = "*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** End Patch\n";

/** The forms of each host's arguments, as its own schemas and transcripts have them. */
const REPLACING: readonly [Host, tool: string, Input][] = [
  ["claudeCode", "Edit", { file_path: "/p/sub/a.ts", old_string: "x\nold", new_string: "x\nnew" }],
  ["claudeCode", "Edit", { file_path: "a.ts", old_string: "old", new_string: "new", replace_all: true }],
  ["claudeCode", "MultiEdit", { file_path: "a.ts", edits: [{ old_string: "old", new_string: "new" }] }],
  ["claudeCode", "NotebookEdit", { notebook_path: "a.ts", cell_id: "1", new_source: "new\n" }],
  ["opencode", "edit", { filePath: "/p/sub/a.ts", oldString: "old", newString: "new" }],
  ["opencode", "multiedit", { filePath: "a.ts", edits: [{ oldString: "old", newString: "new" }] }],
  ["opencode", "apply_patch", { patchText: PATCH }],
  ["opencode", "patch", { patchText: PATCH }],
  ["pi", "edit", { path: "a.ts", oldText: "old", newText: "new" }],
  ["pi", "edit", { path: "@a.ts", edits: [{ oldText: "old", newText: "new" }] }],
  ["pi", "edit", { path: "a.ts", edits: '[{"oldText":"old","newText":"new"}]' }],
  ["pi", "edit", { path: "a.ts", edits: { oldText: "old", newText: "new" } }],
  ["codex", "apply_patch", { command: PATCH }],
  ["codex", "apply_patch", { input: PATCH }],
  ["codex", "Bash", { command: `apply_patch <<'EOF'\n${PATCH}EOF` }],
  ["codex", "shell", { command: ["bash", "-lc", `cd /p/sub && apply_patch <<'EOF'\n${PATCH}EOF\n`] }],
  ["codex", "shell", { command: ["apply_patch", PATCH] }],
  ["codex", "exec_command", { cmd: `apply_patch <<'EOF'\n${PATCH}EOF`, workdir: "/p/sub" }],
  ["copilot", "edit", { path: "/p/sub/a.ts", old_str: "old", new_str: "new" }],
  ["copilot", "apply_patch", { input: PATCH }],
  ["copilot", "str_replace_editor", { command: "str_replace", path: "a.ts", old_str: "old", new_str: "new" }],
  ["copilot", "str_replace_editor", { command: "insert", path: "a.ts", insert_line: 3, new_str: "new\n" }],
  [
    "gemini",
    "replace",
    { file_path: "/p/sub/a.ts", instruction: "do", old_string: "old", new_string: "new" },
  ],
];

describe("an edit of a part", () => {
  it.each(REPLACING)("is understood in %s: %s %j", (host, tool, input) => {
    expect(editsOf(hosts[host], tool, input)).toEqual([
      { path: "sub/a.ts", kind: "part", hunks: [{ text: "new" }] },
    ]);
    expect(hosts[host].filesOf(tool, input, "/p/sub", "/p")).toEqual([{ path: "sub/a.ts", access: "edit" }]);
  });

  it("has the hunks of all replacements", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "c", new_string: "" },
      { old_string: "d", new_string: "d\ne" },
    ];
    expect(editsOf(claudeCode, "MultiEdit", { file_path: "a.ts", edits })).toEqual([
      { path: "sub/a.ts", kind: "part", hunks: [{ text: "b" }, { text: "e" }] },
    ]);
  });

  it("is none if it only removes lines", () => {
    const input = { file_path: "a.ts", old_string: "a\nb", new_string: "a" };
    expect(editsOf(claudeCode, "Edit", input)).toEqual([]);
  });
});

describe("an edit with the whole content", () => {
  it.each<[Host, string, Input, isNew: boolean]>([
    ["claudeCode", "Write", { file_path: "a.ts", content: "new\n" }, false],
    ["claudeCode", "Edit", { file_path: "a.ts", old_string: "", new_string: "new" }, true],
    ["opencode", "write", { filePath: "a.ts", content: "new" }, false],
    ["opencode", "edit", { filePath: "a.ts", oldString: "", newString: "new" }, false],
    ["pi", "write", { path: "a.ts", content: "new" }, false],
    ["copilot", "create", { path: "a.ts", file_text: "new" }, true],
    ["gemini", "write_file", { file_path: "a.ts", content: "new" }, false],
    ["gemini", "replace", { file_path: "a.ts", old_string: "", new_string: "new" }, true],
    ["codex", "apply_patch", { input: "*** Begin Patch\n*** Add File: a.ts\n+new\n*** End Patch" }, true],
  ])("is understood in %s: %s %j", (host, tool, input, isNew) => {
    expect(editsOf(hosts[host], tool, input)).toEqual([
      { path: "sub/a.ts", kind: "whole", hunks: [{ text: "new", line: 1 }], ...(isNew ? { isNew } : {}) },
    ]);
  });
});

describe("a command", () => {
  it.each<[Host, string, Input]>([
    ["claudeCode", "Bash", { command: "echo x > a.txt", description: "Writes a file" }],
    ["opencode", "bash", { command: "echo x > a.txt" }],
    ["pi", "bash", { command: "echo x > a.txt", timeout: 3 }],
    ["codex", "Bash", { command: "echo x > a.txt" }],
    ["codex", "shell", { command: ["bash", "-lc", "echo x > a.txt"] }],
    ["codex", "local_shell_call", { type: "exec", command: ["bash", "-lc", "echo x > a.txt"] }],
    ["codex", "exec_command", { cmd: "echo x > a.txt" }],
    ["copilot", "bash", { command: "echo x > a.txt" }],
    ["gemini", "run_shell_command", { command: "echo x > a.txt" }],
  ])("is understood in %s: %s %j", (host, tool, input) => {
    expect(hosts[host].commandOf(tool, input)).toBe("echo x > a.txt");
    expect(editsOf(hosts[host], tool, input)).toEqual([
      { path: "sub/a.txt", kind: "whole", hunks: [{ text: "x", line: 1 }] },
    ]);
  });
});

describe("any other call", () => {
  const INPUT = { command: 1, path: {}, file_path: null, filePath: [], edits: "{", content: 3, patchText: 7 };
  const NAMES = ["Read", "read", "constructor", "mcp__x__run", "Edit", "edit", "Write", "write", "Bash"];
  it.each(Object.entries(hosts))("edits and runs nothing in %s", (_, host) => {
    for (const name of [...NAMES, "MultiEdit", "apply_patch", "patch", "create", "replace", ""])
      expect([editsOf(host, name, INPUT), host.filesOf(name, INPUT, "/p", "/p")], name).toEqual([[], []]);
    expect(host.commandOf("mcp__x__run", { command: "ls" })).toBeUndefined();
    expect(host.editsOf("Read", { file_path: "a.ts", path: "a.ts" }, "/p", "/p")).toBeUndefined();
  });
});

describe("a file that a call creates", () => {
  it.each<[Host, string, response: unknown, isNew: boolean | undefined]>([
    ["claudeCode", "Write", { type: "create", filePath: "/p/a.ts", originalFile: null }, true],
    ["claudeCode", "Write", { type: "update", filePath: "/p/a.ts", originalFile: "x" }, false],
    ["claudeCode", "Write", "written", undefined],
    ["claudeCode", "Read", { type: "create" }, undefined],
    ["gemini", "write_file", { llmContent: "Successfully created and wrote to new file: /p/a.ts." }, true],
    ["gemini", "write_file", { llmContent: "Successfully overwrote file: /p/a.ts." }, false],
    ["gemini", "write_file", { llmContent: "Error" }, undefined],
    ["opencode", "write", { output: "", metadata: { exists: false } }, true],
    ["opencode", "write", { output: "", metadata: {} }, undefined],
  ])("is known in %s: %s %j", (host, tool, response, isNew) => {
    expect(hosts[host].isNewFile?.(tool, response)).toBe(isNew);
  });

  it("is marked in the whole edit of the moment", () => {
    const common = {
      session: { host: "x", id: "1" },
      project: { id: "p", root: "/p", label: "p" },
      cwd: "/p",
      at: 0,
    };
    const { tool } = toolMoment(common, "Write", { file_path: "a.ts", content: "x" }, claudeCode, {
      type: "create",
    });
    expect(tool.edits?.()).toEqual([
      { path: "a.ts", kind: "whole", isNew: true, hunks: [{ text: "x", line: 1 }] },
    ]);
  });
});

describe("a call that failed", () => {
  it.each<[Host, string, response: unknown, failed: boolean]>([
    [
      "copilot",
      "bash",
      { resultType: "success", textResultForLlm: "hi\n<shellId: 0 completed with exit code 3>" },
      true,
    ],
    [
      "copilot",
      "bash",
      { resultType: "success", textResultForLlm: "hi\n<shellId: 0 completed with exit code 0>" },
      false,
    ],
    ["copilot", "edit", { resultType: "failure", textResultForLlm: "No match found" }, true],
    ["copilot", "edit", { resultType: "denied" }, true],
    ["copilot", "view", { resultType: "success", textResultForLlm: "export const a = 1;\n" }, false],
    [
      "gemini",
      "replace",
      { llmContent: "no", returnDisplay: "no", error: { message: "no", type: "edit_no_occurrence_found" } },
      true,
    ],
    ["gemini", "run_shell_command", { llmContent: "Output: hi\nExit Code: 3\nProcess Group PGID: 7" }, true],
    ["gemini", "run_shell_command", { llmContent: "Output: Exit Code: 3\nProcess Group PGID: 7" }, false],
    [
      "gemini",
      "run_shell_command",
      { llmContent: "Command was cancelled by user before it could complete." },
      true,
    ],
    ["opencode", "bash", { output: "hi", metadata: { exit: 3 } }, true],
    ["opencode", "bash", { output: "hi", metadata: { exit: 0 } }, false],
    ["opencode", "edit", { output: "hi" }, false],
  ])("is known in %s: %s %j", (host, tool, response, failed) => {
    expect(hosts[host].hasFailed?.(tool, response)).toBe(failed);
  });

  it("is known in Codex by the text that the model gets", () => {
    const text = (code: number) =>
      `Chunk ID: b1c3c1\nWall time: 0.0000 seconds\nProcess exited with code ${code}\nOriginal token count: 1\nOutput:\nExit code: 1\n`;
    expect([text(3), text(0)].map(hasFailedCommand)).toEqual([true, false]);
    const old = (code: number) =>
      JSON.stringify({ output: "hi", metadata: { exit_code: code, duration_seconds: 0.1 } });
    expect([old(1), old(0)].map(hasFailedCommand)).toEqual([true, false]);
  });
});
