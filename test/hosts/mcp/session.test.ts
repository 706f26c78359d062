import { describe, expect, it } from "vitest";
import { sessionOf } from "../../../src/hosts/mcp/session.ts";

const codex = (value: unknown) => ({ "x-codex-turn-metadata": value });

describe("whose call it is", () => {
  it("is Claude Code's by the variable, Codex's by the call, else the process's own", () => {
    const claude = { CLAUDE_CODE_SESSION_ID: "c" };
    expect(sessionOf(claude, undefined, "own")).toEqual({ host: "claude-code", id: "c" });
    expect(sessionOf({}, codex({ session_id: "s", thread_id: "t" }), "own")).toEqual({
      host: "codex",
      id: "s",
    });
    expect(sessionOf({}, codex({ thread_id: "t" }), "own")).toEqual({ host: "codex", id: "t" });
    expect(sessionOf({}, codex('{"session_id":"s"}'), "own")).toEqual({ host: "codex", id: "s" });
    expect(sessionOf(claude, codex({ session_id: "s" }), "own")).toEqual({ host: "codex", id: "s" });
    expect(sessionOf({}, {}, "own")).toEqual({ host: "mcp", id: "own" });
  });

  it("is nobody's by what is no id", () => {
    const wrong = [
      null,
      1,
      [],
      "",
      "{",
      "null",
      { session_id: 1 },
      { session_id: "" },
      { session_id: "x".repeat(201) },
    ];
    for (const value of wrong)
      expect(sessionOf({}, codex(value), "own"), JSON.stringify(value)).toEqual({ host: "mcp", id: "own" });
    expect(sessionOf({ CLAUDE_CODE_SESSION_ID: "" }, "meta", "own")).toEqual({ host: "mcp", id: "own" });
  });
});
