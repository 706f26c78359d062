import { describe, expect, it } from "vitest";
import { setsCommand } from "../../../../src/cli/commands/sets/sets.ts";
import { why } from "../../../../src/cli/commands/why.ts";
import { registries } from "../../../../src/entries/registries.ts";
import { recordHealth } from "../../../../src/store/health.ts";
import { engineWorld, puppet } from "../../../support/engine.ts";
import { item, section } from "../../../support/world.ts";

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
  const run = async (positionals: string[] = [], env: NodeJS.ProcessEnv = {}) =>
    why.run(input(env, positionals));
  const sets = async (...words: string[]) => setsCommand.run(input({}, words));
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
    expect(text).toMatch(/^Session s1 \(claude-code, project project\)\nSince the start: \d+ tokens/);
    expect(text).toMatch(/Snapshot at 2026-01-01T00:00:0\d, \d+ tokens:\n.*\n {2}rules +a +\d+ +always on\n/);
    expect(text).toMatch(/Added at .*\n.*\n {2}rules +b +\d+ +prompt says price\n/);
    expect(text).toMatch(/No room for:\n.*\n {2}rules +long +\d+ +too long\n/);
    expect(data).toMatchObject({ session: "s1", epoch: 1, noRoom: [{ key: "long" }], compaction: undefined });
  });

  it("after a compaction shows only the new epoch, and what was not restored", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly."), item("gone", "Until Friday.")]));
    await world.start();
    await world.compacting();
    world.say(section([item("a", "Write plainly.")]));
    await world.compacted();
    const { text } = await world.run();
    expect(text).toContain("After compaction 1");
    expect(text).toMatch(/1 of 2 rules restored after compaction \(.*\), dropped: rules\/gone/);
    expect(text.match(/Snapshot at/g)).toHaveLength(1);
  });

  it("shows context sets and recorded failures", async () => {
    const world = setUp();
    world.say(section([item("a", "Write plainly.")]));
    await world.start();
    await world.sets("set", "ports", "3000");
    expect((await world.run()).text).toContain("Context set ports: 3000\nNo failures");
    const at = "2026-01-01T12:00:00.000Z";
    recordHealth(world.home.logs, {
      at,
      where: "hook",
      code: "late",
      message: "took too long",
      hint: "wait",
    });
    expect((await world.run()).text).toMatch(/Failure: late: took too long .*\n {2}-> wait/);
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
    await expect(world.run(["nobody"])).rejects.toMatchObject({ code: "no-such-session" });
  });
});
