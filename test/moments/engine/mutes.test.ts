import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionLedger } from "../../../src/moments/state/ledger.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { addMute, type Mute, mutesFile, readMutes, removeMute } from "../../../src/store/mutes.ts";
import { setTrust } from "../../../src/store/trust.ts";
import { engineFor } from "../../support/engine.ts";
import { givenWorld } from "../../support/given-world.ts";
import { configFor, temporaryWorld, write } from "../../support/world.ts";

const at = "2026-01-01T00:00:00.000Z";
const everywhere = (what: string): Mute => ({ what, in: "everywhere", at });
const here = (what: string, session = "s1"): Mute => ({
  what,
  in: "session",
  host: "claude-code",
  session,
  at,
});
const STYLE = "rules/.continuo/rules/style.md";

describe("a mute", () => {
  it("keeps a rule or a note out of the next start, and undoing it brings it back", async () => {
    const world = givenWorld();
    const before = await world.start();
    expect(before).toContain("Use tabs");
    expect(before).toContain("rounds totals");
    for (const [what, gone, stays] of [
      [STYLE, "Use tabs", "rounds totals"],
      ["memory/memory://cart-totals", "rounds totals", "Use tabs"],
      ["memory", "rounds totals", "Use tabs"],
      ["rules", "Use tabs", "rounds totals"],
    ] as const) {
      await addMute(world.home, everywhere(what));
      const text = await world.start(`without ${what}`);
      expect(text).not.toContain(gone);
      expect(text).toContain(stays);
      expect(await removeMute(world.home, everywhere(what))).toBe(true);
    }
    expect(await world.start("after")).toBe(before);
  });

  it("for a session concerns that session and its subagents, for a project that project", async () => {
    const world = givenWorld();
    await addMute(world.home, here(STYLE));
    await addMute(world.home, { what: "memory", in: "project", project: "/another", at });
    expect(await world.start("s1")).not.toContain("Use tabs");
    expect(await world.start("child", "s1")).not.toContain("Use tabs");
    const other = await world.start("s2");
    expect(other).toContain("Use tabs");
    expect(other).toContain("rounds totals");
    await addMute(world.home, { what: STYLE, in: "project", project: world.project.id, at });
    expect(await world.start("s3")).not.toContain("Use tabs");
  });

  it("never changes a text that was given: a resume replays it, and the next prompt withdraws the rule", async () => {
    const world = givenWorld();
    const start = await world.start();
    await addMute(world.home, here(STYLE));
    expect(await world.resume()).toBe(start);
    const added = await world.prompt("go on with it");
    expect(added).toContain("This rule no longer holds.");
    expect(added).toContain("style.md");
    expect(await world.prompt("and on")).toBe("");
    await removeMute(world.home, here(STYLE));
    expect(await world.prompt("once more")).toContain("Use tabs");
  });

  it("holds after a compaction, and the loss report does not call it lost", async () => {
    const world = givenWorld();
    await world.start();
    await world.touch("src/cart.ts");
    await addMute(world.home, here("rules/.continuo/rules/money.md"));
    const text = await world.compacted();
    expect(text).toContain("Use tabs");
    expect(text).not.toContain("cents");
    const report = sessionLedger(world.home, { host: "claude-code", id: "s1" }).find(
      (line) => line.kind === "compacted",
    );
    expect(report).toMatchObject({ muted: ["rules/.continuo/rules/money.md"] });
    expect(report?.kind === "compacted" ? report.lost : []).not.toContain("rules/.continuo/rules/money.md");
  });

  it("reaches a start that was prepared before", async () => {
    const world = givenWorld();
    expect(await world.start()).toContain("rounds totals");
    await world.prepare();
    expect(await world.start("s2")).toContain("rounds totals");
    await addMute(world.home, everywhere("memory/memory://cart-totals"));
    expect(await world.start("s3")).not.toContain("rounds totals");
    await world.prepare();
    expect(await world.start("s4")).not.toContain("rounds totals");
    await removeMute(world.home, everywhere("memory/memory://cart-totals"));
    expect(await world.start("s5")).toContain("rounds totals");
  });

  it("of a note leaves its line to the next note", async () => {
    const world = givenWorld();
    const notes = join(world.home.root, "memory");
    for (let n = 0; n < 12; n++)
      write(notes, {
        [`n${n}.md`]: `---\nproject: project\n---\n# Topic ${n}\n\nThe build needs flag ${n}.\n`,
      });
    const shown = (text: string) => text.split("\n").filter((line) => /^\s*- Topic/.test(line)).length;
    const before = await world.start();
    const [, n] = /- Topic (\d+)/.exec(before) ?? [];
    await addMute(world.home, everywhere(`memory/memory://n${n}`));
    const after = await world.start("s2");
    expect(after).not.toContain(`Topic ${n}`);
    expect(shown(after)).toBeGreaterThanOrEqual(shown(before) - 1);
    expect(after).toMatch(/Topic \d/);
  });

  it("from a repository has no effect: only the file in the home counts", async () => {
    const world = givenWorld();
    const file = JSON.stringify({ version: 1, mutes: [everywhere("rules")] });
    write(world.root, {
      "mutes.json": file,
      ".continuo/mutes.json": file,
      ".continuo/rules/mutes.json": file,
    });
    expect(await world.start()).toContain("Use tabs");
  });
});

describe("guards", () => {
  const GUARD = "---\nguard: { action: deny, tool: Bash, match: rm -rf }\n---\nNever delete folders.\n";
  const KEY = "rules/.continuo/rules/careful.md";

  async function guarded() {
    const world = temporaryWorld({ ".continuo/rules/careful.md": GUARD });
    await setTrust(world.home, world.project.id, "shown", Date.now());
    const verdict = async () => {
      const engine = engineFor({
        sources: SOURCES,
        config: configFor(SOURCES),
        home: world.home,
        env: world.env,
        history: async () => new Map(),
        onFailure: (_, error) => {
          throw error;
        },
      });
      const input = { command: "rm -rf build" };
      return engine.guard({
        name: "tool",
        session: { host: "claude-code", id: "s1" },
        project: world.project,
        cwd: world.root,
        at: Date.now(),
        tool: { name: "Bash", input, files: [] },
      });
    };
    return { ...world, verdict };
  }

  it("of a rule are off only if that rule is muted here or in its project", async () => {
    const { home, project, verdict } = await guarded();
    expect(await verdict()).toMatchObject({ action: "deny" });
    for (const mute of [everywhere("rules"), everywhere(KEY), here(KEY, "another")]) {
      await addMute(home, mute);
      expect(await verdict()).toMatchObject({ action: "deny" });
      await removeMute(home, mute);
    }
    for (const mute of [here(KEY), { what: KEY, in: "project" as const, project: project.id, at }]) {
      await addMute(home, mute);
      expect(await verdict()).toBeUndefined();
      await removeMute(home, mute);
    }
    expect(await verdict()).toMatchObject({ action: "deny" });
  });
});

describe("the file of mutes", () => {
  it("loses nothing when several write at once", async () => {
    const { home } = temporaryWorld();
    await Promise.all(Array.from({ length: 20 }, (_, n) => addMute(home, everywhere(`rules/${n}.md`))));
    expect(readMutes(home).mutes).toHaveLength(20);
    await addMute(home, everywhere("rules/3.md"));
    expect(readMutes(home).mutes).toHaveLength(20);
  });

  it("keeps the newest mutes of sessions, and refuses more than it can hold", async () => {
    const { home } = temporaryWorld();
    const old = Array.from({ length: 300 }, (_, n) => here("rules", `s${n}`));
    write(home.root, { "mutes.json": JSON.stringify({ version: 1, mutes: old }) });
    await addMute(home, here("rules", "new"));
    const kept = readMutes(home).mutes;
    expect(kept).toHaveLength(300);
    expect(kept.at(-1)).toMatchObject({ session: "new" });
    expect(kept.some((one) => one.in === "session" && one.session === "s0")).toBe(false);
    const many = Array.from({ length: 1000 }, (_, n) => everywhere(`rules/${n}`));
    write(home.root, { "mutes.json": JSON.stringify({ version: 1, mutes: many }) });
    await expect(addMute(home, everywhere("memory"))).rejects.toMatchObject({ code: "mutes-full" });
  });

  it("mutes only what can be read of it, is reported at the next start, and a newer one is not touched", async () => {
    const world = givenWorld();
    const entries = [everywhere(STYLE), { what: "memory", in: "nowhere", at }, 5];
    write(world.home.root, { "mutes.json": JSON.stringify({ version: 1, mutes: entries }) });
    const text = await world.start();
    expect(text).not.toContain("Use tabs");
    expect(text).toContain("rounds totals");
    expect(world.trouble).toMatchObject([{ where: "mutes", error: { code: "mutes-damaged" } }]);
    const newer = JSON.stringify({ version: 2, mutes: [] });
    writeFileSync(mutesFile(world.home), newer);
    await expect(addMute(world.home, everywhere("memory"))).rejects.toMatchObject({ code: "mutes-damaged" });
    expect(readFileSync(mutesFile(world.home), "utf8")).toBe(newer);
  });

  it("is not written by moments", async () => {
    const world = givenWorld();
    await world.start();
    await world.prompt("go on");
    expect(existsSync(mutesFile(world.home))).toBe(false);
  });
});
