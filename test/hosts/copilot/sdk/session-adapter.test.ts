import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Hooks, SessionEvent, Tool } from "../../../../src/hosts/copilot/sdk/api.ts";
import { configurator } from "../../../../src/hosts/copilot/sdk/wrap-client.ts";
import { loadHistory } from "../../../../src/hosts/index.ts";
import type { Source } from "../../../../src/moments/ports/source.ts";
import { OFFERED } from "../../../support/offered.ts";
import { item, section, temporaryWorld } from "../../../support/world.ts";

const { tools: TOOLS } = OFFERED;

const rules: Source = {
  name: "rules",
  answersChildren: true,
  settings: {},
  answers: {
    start: () => ({ sections: [{ ...section([item("a", "MARK")]), summary: () => "1 rule" }] }),
    compacted: () => ({ sections: [section([item("a", "MARK")])] }),
    prompt: () => ({ sections: [section([item("a", "MARK")])] }),
  },
};

interface Configured {
  readonly hooks: Hooks;
  readonly tools: readonly Tool[];
  onEvent(event: SessionEvent): void;
}

/** A session as the SDK would have it, by the id that it gives. */
function sessionIn(world = temporaryWorld(), idPrefix = "", env: NodeJS.ProcessEnv = world.env) {
  const configure = configurator(
    { sources: [rules], tools: TOOLS, history: loadHistory, env, now: Date.now },
    idPrefix,
  );
  const config = configure({ workingDirectory: world.root }, undefined) as unknown as Configured;
  const say = async (prompt: string) =>
    (await config.hooks.onUserPromptSubmitted({ prompt, sessionId: "s" }, { sessionId: "s" }))
      ?.additionalContext;
  return { ...config, say };
}

describe("a session in a program", () => {
  it("gives the program the lines for its user; what the program does with them is its own matter", async () => {
    const world = temporaryWorld();
    const seen: unknown[] = [];
    const configure = configurator(
      { sources: [rules], tools: TOOLS, history: loadHistory, env: world.env, now: Date.now },
      "",
      (lines, id) => {
        seen.push([id, ...lines]);
        throw new Error("no screen");
      },
    );
    const { hooks } = configure({ workingDirectory: world.root }, undefined) as unknown as Configured;
    const ask = () => hooks.onUserPromptSubmitted({ prompt: "hi", sessionId: "s" }, { sessionId: "s" });
    expect((await ask())?.additionalContext).toContain("MARK");
    await ask();
    expect(seen).toEqual([["s", expect.stringMatching(/^Continuo: 1 rule \(\d+ tokens\)$/)]]);
  });

  it("delivers the snapshot again after a compaction, but not after one that failed", async () => {
    const { say, onEvent } = sessionIn();
    const compaction = (success: boolean) => {
      onEvent({ type: "session.compaction_start" });
      onEvent({ type: "session.compaction_complete", data: { success, summaryContent: "…" } });
    };
    expect(await say("hello")).toContain("MARK");
    compaction(false);
    expect(await say("again")).toBeUndefined();
    compaction(true);
    expect(await say("go on")).toContain("MARK");
    expect(await say("and on")).toBeUndefined();
  });

  it("delivers the snapshot again if a second compaction fails before any prompt", async () => {
    const { say, onEvent } = sessionIn();
    await say("hello");
    for (const success of [true, false]) {
      onEvent({ type: "session.compaction_start" });
      onEvent({ type: "session.compaction_complete", data: { success, summaryContent: "…" } });
    }
    expect(await say("go on")).toContain("MARK");
  });

  it("ignores a subagent's compaction", async () => {
    const { say, onEvent } = sessionIn();
    await say("hello");
    onEvent({ type: "session.compaction_start", agentId: "child" });
    expect(await say("again")).toBeUndefined();
  });

  it("holds itself and its subagents until it ends, and leaves no file behind", async () => {
    const world = temporaryWorld();
    const { say, onEvent } = sessionIn(world);
    const held = () =>
      readdirSync(join(world.home.state, "copilot")).filter((name) => name.endsWith(".held"));
    await say("hello");
    onEvent({ type: "assistant.turn_start" });
    onEvent({ type: "tool.execution_start", agentId: "child" });
    expect(held()).toHaveLength(2);
    onEvent({ type: "session.shutdown" });
    expect(held()).toEqual([]);
  });

  it("separates sessions of one id by their programs' prefixes", async () => {
    const world = temporaryWorld();
    for (const prefix of ["", "one/", "two/"])
      expect(await sessionIn(world, prefix).say("hello")).toContain("MARK");
    const states = readdirSync(join(world.home.state, "copilot")).filter((name) => name.endsWith(".json"));
    expect(states).toHaveLength(3);
  });

  it("throws nothing without a home: hooks deliver what needs none, tools report that they failed", async () => {
    const world = temporaryWorld();
    const folder = world.env["TMPDIR"] ?? "";
    vi.stubEnv("TMPDIR", folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { say, tools, onEvent } = sessionIn(world, "", {});
    expect(await say("hello")).toContain("<continuo>");
    expect(await say("again")).toBeUndefined();
    onEvent({ type: "session.compaction_start" });
    expect(await tools[0]?.handler({ setName: "ports", items: ["1"] }, { sessionId: "s" })).toMatchObject({
      resultType: "failure",
    });
  });
});

describe("a session's config", () => {
  it("keeps the program's system message as it is: where nothing applies, Continuo adds no text", () => {
    const { env } = temporaryWorld();
    const configure = configurator(
      { sources: [rules], tools: TOOLS, history: loadHistory, env, now: Date.now },
      "",
    );
    expect(configure({}, undefined)).not.toHaveProperty("systemMessage");
    const systemMessage = { mode: "replace", content: "Theirs." };
    expect(configure({ systemMessage }, undefined)).toHaveProperty("systemMessage", systemMessage);
  });
});
