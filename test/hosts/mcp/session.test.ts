import { describe, expect, it } from "vitest";
import { sessionOf } from "../../../src/hosts/mcp/session.ts";

const codex = (value: unknown) => ({ "x-codex-turn-metadata": value });

describe("whose call it is", () => {
  it("is Claude Code's by the variable, Codex's by the call, else the process's own", () => {
    const claude = { CLAUDE_CODE_SESSION_ID: "c" };
    expect(sessionOf(claude, undefined, undefined, "own")).toEqual({ host: "claude-code", id: "c" });
    expect(sessionOf({}, codex({ session_id: "s", thread_id: "t" }), undefined, "own")).toEqual({
      host: "codex",
      id: "s",
    });
    expect(sessionOf({}, codex({ thread_id: "t" }), undefined, "own")).toEqual({ host: "codex", id: "t" });
    expect(sessionOf({}, codex('{"session_id":"s"}'), undefined, "own")).toEqual({ host: "codex", id: "s" });
    expect(sessionOf(claude, codex({ session_id: "s" }), undefined, "own")).toEqual({
      host: "codex",
      id: "s",
    });
    expect(sessionOf({}, {}, undefined, "own")).toEqual({ host: "mcp", id: "own" });
  });

  it("is the client's own, even if one host was started from within another", () => {
    const both = { CLAUDE_CODE_SESSION_ID: "c", COPILOT_AGENT_SESSION_ID: "p" };
    const of = (client: string | undefined, env: NodeJS.ProcessEnv = both) =>
      sessionOf(env, {}, client, "own");
    expect(of("claude-code")).toEqual({ host: "claude-code", id: "c" });
    expect(of("copilot-cli")).toEqual({ host: "copilot", id: "p" });
    expect(of("gemini-cli-mcp-client")).toEqual({ host: "mcp", id: "own" });
    expect(of("codex-mcp-client")).toEqual({ host: "mcp", id: "own" });
    expect(of("copilot-cli", { CLAUDE_CODE_SESSION_ID: "c" })).toEqual({ host: "mcp", id: "own" });
    expect(of("test", { COPILOT_AGENT_SESSION_ID: "p" })).toEqual({ host: "copilot", id: "p" });
  });

  it("ignores what is no id", () => {
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
      expect(sessionOf({}, codex(value), undefined, "own"), JSON.stringify(value)).toEqual({
        host: "mcp",
        id: "own",
      });
    expect(sessionOf({ CLAUDE_CODE_SESSION_ID: "" }, "meta", undefined, "own")).toEqual({
      host: "mcp",
      id: "own",
    });
  });
});
