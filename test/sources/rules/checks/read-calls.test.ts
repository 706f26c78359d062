import { describe, expect, it } from "vitest";
import { readChecks } from "../../../../src/sources/rules/parsing/read-checks.ts";

const rule = { name: "safety", body: "# Never delete\n\nReally." };
const read = async (front: Record<string, unknown>, around = rule) => {
  const { checks, lints } = await readChecks(front, { ...around, files: { include: [], exclude: [] } });
  return { checks: checks.map(({ id: _, ...check }) => check), lints };
};
const codes = async (front: Record<string, unknown>) => (await read(front)).lints.map(({ code }) => code);

describe("guard", () => {
  it("is a map or a list of maps", async () => {
    const guard = { action: "deny", tool: "Bash", match: "rm -rf" };
    const expected = {
      on: "calls",
      reaction: "deny",
      tools: ["Bash"],
      pattern: "rm -rf",
      message: "Never delete",
    };
    expect(await read({ guard })).toEqual({ checks: [expected], lints: [] });
    expect((await read({ guard: [guard, { action: "warn", tools: ["Write", "Edit"] }] })).checks).toEqual([
      expected,
      { on: "calls", reaction: "remind", tools: ["Write", "Edit"], message: "Never delete" },
    ]);
  });

  it("without a tool applies to all tools", async () => {
    expect((await read({ guard: { action: "ask", match: "x" } })).checks).toMatchObject([{ tools: ["*"] }]);
  });

  it("has its own message, or the first line of the rule, or the rule's name", async () => {
    const message = async (front: Record<string, unknown>, body: string) => {
      const guard = { action: "ask", tool: "Bash", ...front };
      return (await read({ guard }, { name: "n", body })).checks[0]?.message;
    };
    expect(await message({ message: " Ask me. " }, "Body")).toBe("Ask me.");
    expect(await message({}, "- Body\nmore")).toBe("Body");
    expect(await message({}, "")).toBe("n");
  });

  it.each([
    ["deny", "guard-shape"],
    [{ action: "stop", tool: "Bash" }, "guard-shape"],
    [{ action: "deny" }, "guard-shape"],
    [{ action: "deny", tols: "Bash", match: "x" }, "guard-shape"],
    [{ action: "deny", tool: [] }, "guard-shape"],
    [{ action: "deny", tool: 5 }, "guard-shape"],
    [{ action: "deny", tool: "Bash", match: "(" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: 5 }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "(a)\\1" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "a(?=b)" }, "guard-pattern"],
    [{ action: "deny", tool: "Bash", match: "((a{99}){99}){99}" }, "guard-pattern"],
  ])("that is %j is left out and told", async (guard, code) => {
    expect((await read({ guard })).checks).toEqual([]);
    expect(await codes({ guard })).toEqual([code]);
  });
});

describe("hooks of opencode-rules", () => {
  const hook = { type: "PreToolUse", tool: "bash", match: "push --force", block: true };

  it("that block become checks that deny", async () => {
    const { checks, lints } = await read({ hooks: [hook, { ...hook, tool: "*", block: "No." }] });
    expect(lints).toEqual([]);
    expect(checks).toEqual([
      { on: "calls", reaction: "deny", tools: ["bash"], pattern: "push --force", message: "Never delete" },
      { on: "calls", reaction: "deny", tools: ["*"], pattern: "push --force", message: "No." },
    ]);
  });

  it("that run a command are never run", async () => {
    expect((await read({ hooks: [{ ...hook, run: "echo" }] })).checks).toHaveLength(1);
    expect(await codes({ hooks: [{ ...hook, run: "echo" }] })).toEqual(["hook-run-ignored"]);
    expect(await codes({ hooks: [{ ...hook, block: undefined, run: "echo" }] })).toEqual([
      "hook-run-ignored",
    ]);
  });

  it.each([[{ ...hook, type: "PostToolUse" }], [{ ...hook, block: false }], ["x"]])(
    "%j is ignored",
    async (one) => {
      expect((await read({ hooks: [one] })).checks).toEqual([]);
      expect(await codes({ hooks: [one] })).toEqual(["hook-ignored"]);
    },
  );
});
