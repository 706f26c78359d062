import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Section } from "../../../src/compose/section.ts";
import { claudeCode } from "../../../src/hosts/claude-code/hook.ts";
import { ledgerJournal } from "../../../src/moments/state/ledger.ts";
import { LONG_START, markLongStart, markWaiting, WAITING } from "../../../src/moments/state/part-marks.ts";
import { readHealth } from "../../../src/store/health.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { puppet } from "../../support/engine.ts";
import { hookWith } from "../../support/hooks.ts";
import { item, section, temporaryWorld } from "../../support/world.ts";

const LINE = "An instruction of one line that says how to write code in this project.\n";
/** As long as a real instruction that was found: 14.7 KB. */
const BIG = item("big", LINE.repeat(201));
const RULES = Array.from({ length: 30 }, (_, i) =>
  item(`rule-${10 + i}`, `RULE-${10 + i} `.padEnd(1000, "word ")),
);

/** Claude Code's way with hooks: all entries of an event at once, and what ends first is shown first. */
function claude(...sections: Section[]) {
  const world = temporaryWorld();
  const { source, say } = puppet();
  say(...sections);
  let seconds = Date.parse("2026-01-01T00:00:00Z");
  const env = { ...world.env, CLAUDE_PROJECT_DIR: world.root };
  const has = (mark: string) => existsSync(join(world.home.root, mark));
  let processes = 0;
  /** The next event comes at once. */
  let isSoon = false;
  async function event(name: string, more: Record<string, unknown> = {}, isTwice = false): Promise<string[]> {
    if (!isSoon) seconds += 60_000;
    const now = () => seconds;
    const payload = { session_id: "s1", cwd: world.root, ...more };
    const mark = name === "UserPromptSubmit" ? WAITING : LONG_START;
    const wired = Array.from({ length: claudeCode.events[name]?.entries ?? 1 }, (_, i) => i + 1);
    const entries = wired.filter((entry) => entry === 1 || has(`${mark}/${entry}`));
    const shown: string[] = [];
    const run = async (entry: number) => {
      processes++;
      const place = { root: world.root, env };
      const out = await hookWith([source], place, "claude-code", name, payload, { now, entry });
      if (out === "") return;
      const text = name === "PreCompact" ? out : JSON.parse(out).hookSpecificOutput.additionalContext;
      expect(text.length).toBeLessThanOrEqual(10_000);
      shown.push(text);
    };
    await Promise.all([...entries, ...(isTwice ? entries : [])].map(run));
    return shown;
  }
  return {
    ...world,
    say,
    has,
    processes: () => processes,
    start: (source = "startup", more = {}) => event("SessionStart", { source, ...more }),
    prompt: (prompt: string, more = {}) => event("UserPromptSubmit", { prompt, ...more }),
    /** As where the hooks are in the settings and in a plugin. */
    twice: (name: string, more = {}) => event(name, more, true),
    tool: (more = {}) => event("PostToolUse", { tool_name: "Bash", tool_input: {}, ...more }),
    announce: () => event("PreCompact", { trigger: "auto" }),
    soon: (name: string, more = {}) => {
      isSoon = true;
      return event(name, more);
    },
    end: () => event("SessionEnd", { reason: "other" }),
    child: (agent: string) => event("SubagentStart", { agent_id: agent }),
    ledger: () => readRecords(ledgerJournal(world.home)).records as Record<string, unknown>[],
    trouble: () => readHealth(world.home.logs).records,
  };
}

const once = (texts: readonly string[], ...marks: string[]) => {
  for (const mark of marks) expect(texts.join("\n").split(mark), mark).toHaveLength(2);
};
const ALL = RULES.map((one) => one.text.trim());

describe("a snapshot that is longer than one output of Claude Code", () => {
  it("arrives whole with the first prompt at the latest: a rule of 14.7 KB and two of one line", async () => {
    const host = claude(section([BIG, item("one", "Use pnpm."), item("two", "No default exports.")]));
    const shown = [...(await host.start()), ...(await host.prompt("hello"))];
    once(shown, "Use pnpm.", "No default exports.");
    expect(shown).toHaveLength(2);
    expect(shown.join("\n").split(LINE.trim())).toHaveLength(202);
    expect(await host.prompt("again")).toEqual([]);
    expect(host.trouble()).toEqual([]);
  });

  it("arrives whole at the second start, and once: 30 rules of 1,000 characters", async () => {
    const host = claude(section(RULES));
    const first = [await host.start(), await host.prompt("hello")];
    expect(first.map((shown) => shown.length)).toEqual([1, 3]);
    once(first.flat(), ...ALL);
    expect(await host.prompt("go on")).toEqual([]);
    const other = await host.start("startup", { session_id: "s2" });
    once(other, ...ALL);
    expect(other.map((text) => text.slice(0, 24)).toSorted()).toEqual(
      [1, 2, 3, 4].map((part) => `<continuo part="${part} of 4">`),
    );
    expect(await host.prompt("hello", { session_id: "s2" })).toEqual([]);
    expect(host.trouble()).toEqual([]);
  });

  it("arrives whole right after a compaction, and a resume says the same bytes again", async () => {
    const host = claude(section(RULES));
    await host.start();
    await host.prompt("hello");
    await host.announce();
    const after = await host.start("compact");
    once(after, ...ALL);
    expect(await host.tool()).toEqual([]);
    expect((await host.start("resume")).toSorted()).toEqual(after.toSorted());
    expect(await host.prompt("on")).toEqual([]);
    expect(host.ledger().filter((line) => line["kind"] === "compacted")).toMatchObject([
      { lost: [], noRoom: [], waiting: expect.any(Array) },
    ]);
    expect(host.trouble()).toEqual([]);
  });

  it("arrives whole after each of two compactions within seconds, whose events look the same", async () => {
    const host = claude(section(RULES));
    await host.start();
    await host.prompt("hello");
    for (let i = 0; i < 3; i++) {
      await host.announce();
      once(await host.soon("SessionStart", { source: "compact" }), ...ALL);
    }
  });

  it("is not said again at a resume where it came with a prompt, which the host keeps", async () => {
    const host = claude(section(RULES));
    const first = await host.start();
    await host.prompt("hello");
    expect(await host.start("resume")).toEqual(first);
  });

  it("goes on with tool calls where further entries are not called", async () => {
    const host = claude(section(RULES));
    const shown = await host.start();
    for (let i = 0; i < 3; i++) shown.push(...(await host.tool({ tool_use_id: `t${i}` })));
    once(shown, ...ALL);
    expect(await host.tool({ tool_use_id: "t4" })).toEqual([]);
  });

  it("leaves room at the same prompt for what the prompt adds", async () => {
    const host = claude(section(RULES));
    await host.start();
    host.say(section([...RULES, item("new", "ADDED-NOW.")]));
    once(await host.prompt("hello"), "ADDED-NOW.", ...ALL.slice(9));
  });

  it("arrives whole in a subagent whose parent had it in parts", async () => {
    const host = claude(section(RULES));
    await host.start();
    await host.prompt("hello");
    once(await host.child("a1"), ...ALL);
  });

  it("is recorded part by part, when an output shows it", async () => {
    const host = claude(section([BIG, item("one", "Use pnpm.")]));
    await host.start();
    const titles = () =>
      host.ledger().flatMap((line) => ((line["items"] as { title: string }[]) ?? []).map((one) => one.title));
    expect(titles()).toEqual(["big (part 1 of 2)"]);
    await host.prompt("hello");
    expect(titles()).toEqual(["big (part 1 of 2)", "big (part 2 of 2)", "one"]);
  });

  it("counts in the loss report only what the model was shown", async () => {
    const host = claude(section(RULES));
    await host.start();
    await host.announce();
    const [first] = await host.start("compact");
    const [report] = host.ledger().filter((line) => line["kind"] === "compacted") as {
      active: string[];
      waiting: string[];
    }[];
    expect(report?.active).toHaveLength(first?.match(/RULE-\d+ /g)?.length ?? 0);
    expect(report?.waiting).toEqual([]);
  });

  it("is shown once where two installations call us twice for each event", async () => {
    const host = claude(section(RULES));
    const source = "startup";
    const first = await host.twice("SessionStart", { source });
    once([...first, ...(await host.twice("UserPromptSubmit", { prompt: "hello" }))], ...ALL);
    once(await host.twice("SessionStart", { source, session_id: "s2" }), ...ALL);
  });
});

describe("further hook entries", () => {
  it("are not called for a snapshot of one part", async () => {
    const host = claude(section([item("a", "Rule A.")]));
    await host.start();
    await host.prompt("hello");
    await host.tool();
    expect(host.processes()).toBe(3);
    expect(existsSync(join(host.home.root, "parts"))).toBe(false);
  });

  it("are called at prompts only while something waits", async () => {
    const host = claude(section(RULES));
    await host.start();
    expect([3, 4, 5, 6].map((entry) => host.has(`${WAITING}/${entry}`))).toEqual([true, true, false, false]);
    await host.prompt("hello");
    expect(host.has(`${WAITING}/2`)).toBe(false);
    const before = host.processes();
    await host.prompt("again");
    expect(host.processes() - before).toBe(1);
  });

  it("are no longer called once the session has ended, and are when it is resumed", async () => {
    const host = claude(section(RULES));
    const shown = await host.start();
    await host.end();
    expect(host.has(`${WAITING}/2`)).toBe(false);
    expect(await host.start("resume")).toEqual(shown);
    once([...shown, ...(await host.prompt("hello"))], ...ALL);
  });

  it("are not called for ever because a session with parts was killed", async () => {
    const host = claude(section([item("a", "Rule A.")]));
    const long = { host: "claude-code", id: "killed" } as const;
    markWaiting(host.home, long, 3, Date.parse("2025-12-30T00:00:00Z"));
    markLongStart(host.home, 3, Date.parse("2025-12-01T00:00:00Z"));
    await host.prompt("hello");
    expect(host.has(`${WAITING}/2`)).toBe(false);
    await host.start("startup", { session_id: "s2" });
    expect(host.has(`${LONG_START}/2`)).toBe(false);
    expect(host.trouble()).toEqual([]);
  });

  it("print nothing, and wait no longer than their deadline, when the first one never comes", async () => {
    const host = claude(section(RULES));
    const payload = { session_id: "s1", cwd: host.root, source: "startup" };
    expect(await hookWith([], host, "claude-code", "SessionStart", payload, { entry: 2 })).toBe("");
  });
});
