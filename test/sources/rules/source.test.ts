import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import { stateFile } from "../../../src/moments/state/session-state.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { engineFor, engineWorld } from "../../support/engine.ts";
import { configFor, temporaryWorld, write } from "../../support/world.ts";

const started = async (files: Record<string, string>) => {
  const world = engineWorld([rules], {}, temporaryWorld(files));
  return { world, text: await world.start() };
};

describe("the rules source", () => {
  it("matches a file that was only written, at the tool call that wrote it", async () => {
    const { world } = await started({ ".continuo/rules/docs.md": "---\nglobs: 'docs/**'\n---\nDocs rule." });
    expect(await world.tool("Write", "s1", [{ path: "docs/new.md", access: "edit" }])).toContain(
      "Docs rule.",
    );
    expect(await world.tool("Write", "s1", [{ path: "docs/other.md", access: "edit" }])).toBe("");
  });

  it("matches a file that a prompt mentions, with that prompt, once, and after a compaction", async () => {
    const { world } = await started({ ".continuo/rules/ts.md": "---\nglobs: 'src/**'\n---\nTs rule." });
    const mentioned = [
      { path: "src/a.ts", access: "read" },
      { path: "/outside/src/b.ts", access: "read" },
    ] as const;
    expect(
      await world.prompt("see @other.md", "s1", { mentioned: [{ path: "other.md", access: "read" }] }),
    ).toBe("");
    expect(await world.prompt("see @src/a.ts", "s1", { mentioned })).toContain("Ts rule.");
    expect(await world.prompt("see @src/a.ts", "s1", { mentioned })).toBe("");
    expect(await world.tool("Read", "s1", [{ path: "src/a.ts", access: "read" }])).toBe("");
    const options = { lockWaitMs: 100, onDamaged: () => undefined };
    const state = stateFile(world.home, { host: "claude-code", id: "s1" }, options).read();
    expect(state?.workingSet.map(({ path, edited }) => [path, edited])).toEqual([
      ["other.md", false],
      ["/outside/src/b.ts", false],
      ["src/a.ts", false],
    ]);
    expect(await world.compacted()).toContain("Ts rule.");
  });

  it("matches a file that the first prompt mentions where a session begins with its prompt", async () => {
    const files = { ".continuo/rules/ts.md": "---\nglobs: '*.ts'\n---\nTs rule." };
    const world = engineWorld([rules], {}, temporaryWorld(files));
    const mentioned = [{ path: "a.ts", access: "read" }] as const;
    expect(await world.prompt("see @a.ts", "s1", { mentioned })).toMatch(/^<continuo>[\s\S]*Ts rule\./);
    expect(await world.prompt("see @a.ts", "s1", { mentioned })).toBe("");
    // The conversation lost everything: the snapshot has it, and the addition does not repeat it.
    const again = await world.prompt("see @a.ts", "s1", { mentioned, stillHolds: () => false });
    expect(again.split("Ts rule.")).toHaveLength(2);
  });

  it("ignores paths in prose and keywords in injected blocks", async () => {
    const { world } = await started({
      ".continuo/rules/k.md": "---\nkeywords: kubernetes\n---\nK rule.",
      ".continuo/rules/g.md": "---\nglobs: '**/*.py'\n---\nG rule.",
    });
    expect(await world.prompt("see src/main.py <system-reminder>kubernetes</system-reminder>")).toBe("");
    expect(await world.prompt("now kubernetes")).toContain("K rule.");
  });

  it("says once that a rule no longer holds if its file was removed, emptied or made invalid, and not after a compaction", async () => {
    const { world } = await started({
      ".continuo/rules/a.md": "---\nname: money\n---\nRule A.",
      ".continuo/rules/b.md": "Rule B.",
      ".continuo/rules/c.md": "Rule C.",
      ".continuo/rules/d.md": "Rule D.",
    });
    rmSync(join(world.root, ".continuo/rules/a.md"));
    write(world.root, { ".continuo/rules/b.md": "---\nglobs: 5\n---\nRule B.", ".continuo/rules/c.md": "" });
    const text = await world.prompt("hello");
    for (const name of ["money", "b.md", "c.md"])
      expect(text).toContain(
        `<continuo-item name="${name}" replaces="its earlier text">\nThis rule no longer holds.`,
      );
    expect(text).not.toContain("d.md");
    expect(await world.tool("Read")).toBe("");
    write(world.root, { ".continuo/rules/a.md": "---\nname: money\n---\nRule A is back." });
    expect(await world.prompt("hello")).toContain('replaces="its earlier text">\nRule A is back.');
    rmSync(join(world.root, ".continuo/rules/a.md"));
    const after = await world.compacted();
    expect(after).not.toMatch(/no longer holds|Rule [ABC]/);
    expect(await world.prompt("hello")).toBe("");
  });

  it("does not say that a rule no longer holds because it does not apply, or because its folder cannot be read", async () => {
    const { world } = await started({
      ".continuo/rules/c.md": "---\ncommand: [/plan]\n---\nPlan rule.",
      ".continuo/rules/a.md": "Rule A.",
    });
    expect(await world.prompt("/plan this")).toContain("Plan rule.");
    expect(await world.prompt("go on")).toBe("");
    const folder = join(world.root, ".continuo/rules");
    chmodSync(folder, 0o000);
    try {
      expect(await world.prompt("go on")).toBe("");
    } finally {
      chmodSync(folder, 0o755);
    }
  });

  it("does not treat a file outside the project as one of the project's", async () => {
    const { world } = await started({ ".continuo/rules/ts.md": "---\nglobs: '*.ts'\n---\nTs rule." });
    expect(await world.tool("Read", "s1", [{ path: "/usr/lib/other/a.ts", access: "read" }])).toBe("");
    expect(await world.tool("Read", "s1", [{ path: "..dir/a.ts", access: "read" }])).toContain("Ts rule.");
  });

  it("delivers a long rule that starts to match later", async () => {
    const { world } = await started({
      ".continuo/rules/long.md": `---\nglobs: '*.ts'\n---\n${"word ".repeat(1600)}`,
    });
    expect(await world.tool("Read", "s1", [{ path: "a.ts", access: "read" }])).toContain("word word");
  });

  it("applies a rule for a slash command at that prompt", async () => {
    const { world } = await started({ ".continuo/rules/c.md": "---\ncommand: [/plan]\n---\nPlan rule." });
    expect(await world.prompt("plan this")).toBe("");
    expect(await world.prompt("/plan this")).toContain("Plan rule.");
  });

  it("delivers to a child session the rules that match its own agent and files", async () => {
    const place = temporaryWorld({
      ".continuo/rules/explore.md": "---\nagent: Explore\n---\nExplore rule.",
      ".continuo/rules/ts.md": "---\nglobs: '*.ts'\n---\nTs rule.",
    });
    const engine = engineFor({
      sources: [rules],
      config: configFor([rules]),
      home: place.home,
      history: loadHistory,
      env: {},
      onFailure: (_, error) => {
        throw error;
      },
    });
    const common = { project: place.project, cwd: place.root, at: Date.now() };
    const child = { host: "claude-code", id: "child", parent: "s1" } as const;
    await engine.at({ ...common, session: { host: "claude-code", id: "s1" }, name: "start" });
    await engine.at({
      ...common,
      session: { host: "claude-code", id: "s1" },
      name: "tool",
      tool: { name: "Read", input: {}, files: [{ path: "a.ts", access: "read" }] },
    });
    const first = await engine.at({ ...common, session: child, agent: "Explore", name: "start" });
    expect(first).toContain("Explore rule.");
    expect(first).not.toContain("Ts rule.");
    const read = { name: "Read", input: {}, files: [{ path: "b.ts", access: "read" as const }] };
    expect(await engine.at({ ...common, session: child, name: "tool", tool: read })).toContain("Ts rule.");
  });

  it("drops whole rules over budget, by priority, and names them", async () => {
    const { text } = await started({
      ".continuo/rules/big.md": `---\npriority: -1\n---\n${"word ".repeat(13_000)}`,
      ".continuo/rules/small.md": "Small rule.",
    });
    expect(text).toContain("Small rule.");
    expect(text).toContain("1 left out for lack of room (Rules: big.md)");
  });
});
