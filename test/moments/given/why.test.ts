import { describe, expect, it } from "vitest";
import type { Command, Input } from "../../../src/cli/command.ts";
import { loadCommand } from "../../../src/cli/commands/index.ts";
import { registries } from "../../../src/entries/registries.ts";
import type { History } from "../../../src/moments/ports/history.ts";
import { recordHealth } from "../../../src/store/health.ts";
import { engineWorld, puppet } from "../../support/engine.ts";
import { item, section } from "../../support/world.ts";

const why = (await loadCommand("why")) as Command;

function setUp() {
  const { source, say } = puppet();
  const world = engineWorld([source], { tokenLimit: 200, snapshotAim: 200, additionLimit: 200 });
  const input = (env: NodeJS.ProcessEnv, positionals: string[]) => ({
    env: { ...world.env, ...env },
    cwd: world.root,
    now: () => Date.parse("2026-01-02T00:00:00Z"),
    packageRoot: "",
    stdin: 0,
    ...registries,
    values: {},
    positionals,
  });
  const run = async (positionals: string[] = [], env: NodeJS.ProcessEnv = {}, more: Partial<Input> = {}) =>
    why.run({ ...input(env, positionals), ...more });
  const sets = async (...words: string[]) => (await loadCommand("sets"))?.run(input({}, words));
  return { ...world, say, run, sets };
}

describe("continuo why", () => {
  it("shows each item of the current epoch with reason and cost, and what had no room", async () => {
    const world = setUp();
    const always = item("a", "Write plainly.", { reason: "always on" });
    world.say(section([always, item("long", "many words ".repeat(300), { reason: "too long" })]));
    await world.start();
    world.say(section([always, item("b", "Prices are in cents.", { reason: "prompt says price" })]));
    await world.prompt("the price");
    const { text, data } = await world.run();
    expect(text).toMatch(
      /^Session s1 \(Claude Code, project project\)\nCost: about \d+ tokens, less than 0\.1% of a 200,000-token context \(assumed\)\n/,
    );
    expect(text).toMatch(
      /Added at the start \(yesterday, \d+ tokens with headings\)\n.*\n {2}a +rules +\d+ +always on\n/,
    );
    expect(text).toMatch(/Added later .*\n.*\n {2}b +rules +\d+ +prompt says price\n/);
    expect(text).toMatch(/No room for\n.*\n {2}long +rules +\d+ +too long\n/);
    expect(data).toMatchObject({ session: "s1", epoch: 1, noRoom: [{ key: "long" }], compaction: undefined });
  });

  it("counts the cost against the context that the transcript tells", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly.")]));
    await world.start();
    const file = { host: "claude-code", id: "s1", path: "/t.jsonl", modified: 0, size: 0 };
    const reader = { discover: () => [file], contextWindow: (path: string) => path.length * 1_000 };
    const history = async () => new Map([["claude-code", reader]]) as unknown as History;
    const { text } = await world.run([], {}, { history });
    expect(text).toMatch(/\nCost: about \d+ tokens, .*% of a 8,000-token context\n/);
  });

  it("after a compaction shows only the new epoch, and what was not restored", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly."), item("gone", "Until Friday.")]));
    await world.start();
    await world.compacting();
    world.say(section([item("a", "Write plainly.")]));
    await world.compacted();
    const { text, data } = await world.run();
    expect(text).toMatch(/^Cost: about \d+ tokens, .*, since compaction 1; \d+ in all$/m);
    expect(data).toMatchObject({ tokens: expect.any(Number), sessionTokens: expect.any(Number) });
    expect(text).toMatch(/1 of 2 rules from before the compaction restored \(.*\); not restored: gone/);
    expect(text.match(/Added after the compaction/g)).toHaveLength(1);
  });

  it("names what was not restored as people know it", async () => {
    const world = setUp();
    world.say(section([item("memory://refunds", "Refunds go back to the card.", { name: "Refunds" })]));
    await world.start();
    await world.compacting();
    world.say();
    await world.compacted();
    const { text } = await world.run();
    expect(text).toContain("not restored: Refunds");
    expect(text).not.toContain("memory://");
  });

  it("shows context sets and recorded failures", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly.")]));
    await world.start();
    await world.sets("set", "ports", "3000");
    expect((await world.run()).text).toContain("Sets\n  ports: 3000\n\nNo failures");
    const at = "2026-01-01T12:00:00.000Z";
    recordHealth(world.home.logs, {
      at,
      where: "hook",
      code: "late",
      message: "took too long",
      hint: "wait",
    });
    expect((await world.run()).text).toMatch(/Failure: took too long \(late, hook;.*\n {2}-> wait/);
  });

  it("uses the named session, else the one it runs in, else the latest of the project", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly.")]));
    await world.start("s1");
    await world.start("s2");
    await world.start("s2_child", "s2");
    const inside = { CLAUDE_CODE_SESSION_ID: "s1" };
    expect((await world.run(["s2"], inside)).text).toMatch(/^Session s2 /);
    expect((await world.run([], inside)).text).toMatch(/^Session s1 /);
    const unheard = await world.run([], { CLAUDE_CODE_SESSION_ID: "never-seen" });
    expect(unheard.text).toMatch(/^Session never-seen .*\nContinuo has added nothing to this session/);
    await world.start("5d0c2f7e-9a41");
    await world.start("5d0c2f7e-9b41");
    expect((await world.run(["5d0c2f7e-9b"])).text).toMatch(/^Session 5d0c2f7e-9b41 /);
    await expect(world.run(["5d0c2f7e"])).rejects.toMatchObject({ code: "session-ambiguous" });
    await expect(world.run(["nobody"])).rejects.toMatchObject({ code: "no-such-session" });
  });

  it("in a project that only has sessions from before it was connected says that", async () => {
    await expect(setUp().run()).rejects.toMatchObject({
      code: "no-such-session",
      message: expect.stringMatching(/^there has been no session in .* since Continuo was connected$/),
    });
  });
});
