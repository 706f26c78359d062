import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../src/moments/ports/source.ts";
import { puppet } from "../../../support/engine.ts";
import { hookWith } from "../../../support/hooks.ts";
import { item, section, temporaryWorld, write } from "../../../support/world.ts";

const RULES = {
  ...section([item("a", "Rule A."), item("b", "Rule B.")]),
  summary: (n: number) => `${n} rules`,
};

/** A host whose only source answers like this; `later`: at prompts and tool calls. */
function wired(host: string, given: () => Answer, config: object = {}, later: Answer = {}) {
  const world = temporaryWorld();
  write(world.home.root, { "config.json": JSON.stringify(config) });
  const { source } = puppet({
    answers: { start: given, compacted: given, prompt: () => later, tool: () => later },
  });
  return {
    ...world,
    async run(event: string, payload: object = {}, entry = 1): Promise<Record<string, unknown> | string> {
      const given = { session_id: "s1", sessionId: "s1", cwd: world.root, prompt: "hello", ...payload };
      const out = await hookWith([source], world, host, event, given, { entry });
      return out.startsWith("{") ? JSON.parse(out) : out;
    },
  };
}

const SUGGESTIONS = "2 suggestions to review: continuo review";
const GIVEN = () => ({ sections: [RULES], notices: [SUGGESTIONS] });

describe("the lines that a user sees when a session begins", () => {
  it.each([
    ["claude-code", "SessionStart"],
    ["codex", "SessionStart"],
    ["gemini", "BeforeAgent"],
  ])("%s: say at %s what was delivered, and stay out of the model's text", async (host, event) => {
    const answer = await wired(host, GIVEN).run(event, { source: "startup" });
    expect(answer).toEqual({
      systemMessage: expect.stringMatching(
        /^Continuo: 2 rules \(\d+ tokens\)\n2 suggestions to review: continuo review$/,
      ),
      hookSpecificOutput: { hookEventName: event, additionalContext: expect.stringContaining("Rule A.") },
    });
    expect(JSON.stringify(answer).split("suggestions")).toHaveLength(2);
  });

  it("are left out for Copilot CLI, which shows nothing of a hook to its user", async () => {
    const answer = await wired("copilot", GIVEN).run("userPromptSubmitted");
    expect(answer).toEqual({ additionalContext: expect.stringContaining("Rule A.") });
  });

  it("are printed by the first hook entry only, and not again at a resume", async () => {
    const host = wired("claude-code", GIVEN);
    expect(await host.run("SessionStart", { source: "startup" })).toHaveProperty("systemMessage");
    expect(await host.run("SessionStart", { source: "startup" }, 2)).toBe("");
    expect(await host.run("SessionStart", { source: "resume" })).not.toHaveProperty("systemMessage");
    expect(await host.run("UserPromptSubmit")).toBe("");
  });

  it("say what a compaction restored; what goes to the summariser has no line", async () => {
    const host = wired("claude-code", GIVEN);
    await host.run("SessionStart", { source: "startup" });
    expect(await host.run("PreCompact", { trigger: "manual" })).not.toContain("Continuo: 2 rules");
    expect(await host.run("SessionStart", { source: "compact" })).toMatchObject({
      systemMessage: expect.stringMatching(/^Continuo: restored 2 rules \(\d+ tokens\)/),
    });
  });

  it("say once per project that there is nothing yet", async () => {
    const host = wired("claude-code", () => ({}));
    const nothing = { systemMessage: "Continuo: no rules, notes or past sessions for this project yet" };
    expect(await host.run("SessionStart", { source: "startup" })).toEqual(nothing);
    expect(await host.run("SessionStart", { source: "startup", session_id: "s2" })).toBe("");
  });

  it("are turned off by quiet", async () => {
    const host = wired("claude-code", GIVEN, { quiet: true });
    const answer = await host.run("SessionStart", { source: "startup" });
    expect(answer).toEqual({
      hookSpecificOutput: expect.objectContaining({ additionalContext: expect.stringContaining("Rule A.") }),
    });
    const empty = wired("claude-code", () => ({ notices: [SUGGESTIONS] }), { quiet: true });
    expect(await empty.run("SessionStart", { source: "startup" })).toBe("");
  });

  it("are not for a subagent", async () => {
    const host = wired("claude-code", GIVEN);
    expect(await host.run("SubagentStart", { agent_id: "a1" })).not.toHaveProperty("systemMessage");
  });

  it("are one short line each, harmless on a terminal, whatever a source wrote", async () => {
    const hostile = `\u001b[2J${"x".repeat(500)}\n\u202eevil`;
    const host = wired("claude-code", () => ({
      sections: [{ ...RULES, summary: () => hostile }],
      notices: [hostile],
    }));
    const { systemMessage } = (await host.run("SessionStart", { source: "startup" })) as {
      systemMessage: string;
    };
    const lines = systemMessage.split("\n");
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(200);
    expect(systemMessage).not.toMatch(/[\u001b\u202e]/);
  });
});

describe("the line that a user sees when a prompt or a tool call brings something in", () => {
  const LATER = { sections: [section([item("c", "Rule C.", { name: "c.md", noun: "rule" })])] };
  const EVENTS = [
    ["claude-code", "SessionStart", "UserPromptSubmit"],
    ["claude-code", "SessionStart", "PostToolUse"],
    ["codex", "SessionStart", "UserPromptSubmit"],
    ["codex", "SessionStart", "PostToolUse"],
    ["gemini", "BeforeAgent", "BeforeAgent"],
    ["gemini", "BeforeAgent", "AfterTool"],
  ] as const;

  it.each(EVENTS)(
    "%s: is shown once, and stays out of the model's text (%s, %s)",
    async (name, first, then) => {
      const host = wired(name, GIVEN, {}, LATER);
      await host.run(first, { source: "startup" });
      expect(await host.run(then, { prompt: "go on" })).toEqual({
        systemMessage: "Continuo: rule c.md",
        hookSpecificOutput: { hookEventName: then, additionalContext: expect.stringContaining("Rule C.") },
      });
      expect(await host.run(then, { prompt: "and on" })).toBe("");
    },
  );

  it("is turned off by quiet", async () => {
    const host = wired("claude-code", GIVEN, { quiet: true }, LATER);
    await host.run("SessionStart", { source: "startup" });
    expect(await host.run("PostToolUse")).not.toHaveProperty("systemMessage");
  });
});
