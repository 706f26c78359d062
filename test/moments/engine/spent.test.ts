import { expect, it } from "vitest";
import { sessionLedger } from "../../../src/moments/state/ledger.ts";
import { engineFor, engineWorld, puppet } from "../../support/engine.ts";
import { configFor, item, section } from "../../support/world.ts";

/** An engine as in one process: every moment takes as long as the test says. */
function timed() {
  const { source, say } = puppet();
  const world = engineWorld([source]);
  const id = `s-${world.root}`;
  const common = (at: number) => ({
    session: { host: "claude-code", id },
    project: world.project,
    cwd: world.root,
    at: Date.UTC(2026, 0, 1) + at,
  });
  const engine = (ms: number) =>
    engineFor({
      sources: [source],
      config: configFor([source]),
      home: world.home,
      env: world.env,
      history: async () => {
        throw new Error("not needed");
      },
      elapsedMs: () => ms,
      onFailure: (_, error) => {
        throw error;
      },
    });
  const spent = () =>
    sessionLedger(world.home, { host: "claude-code", id }).map((line) =>
      "spent" in line ? line.spent : undefined,
    );
  return { say, engine, common, spent };
}

it("a delivery says how long the host waited, and the next one counts what wrote nothing in between", async () => {
  const { say, engine, common, spent } = timed();
  say(section([item("a", "Use tabs.")]));
  const first = engine(30);
  const start = { ...common(0), name: "start" as const };
  await first.at(start);
  for (const ms of [4, 5]) {
    const silent = engine(ms);
    const moment = { ...common(ms), name: "prompt" as const, prompt: "go on" };
    expect(await silent.at(moment)).toBe("");
  }
  say(section([item("a", "Use tabs."), item("b", "Money is in cents.")]));
  const last = engine(6);
  const prompt = { ...common(20), name: "prompt" as const, prompt: "money" };
  expect(await last.at(prompt)).toContain("cents");
  expect(spent()).toEqual([
    { moments: 1, ms: 30 },
    { moments: 3, ms: 15 },
  ]);
});

it("what only changed the state is counted at the session's end", async () => {
  const { say, engine, common, spent } = timed();
  say(section([item("a", "Use tabs.")]));
  await engine(10).at({ ...common(0), name: "start" });
  await engine(7).at({
    ...common(1),
    name: "tool",
    tool: { name: "Edit", input: {}, files: [{ path: "a.ts", access: "edit" }] },
  });
  await engine(8).at({ ...common(2), name: "end", why: "exit" });
  expect(spent()).toEqual([
    { moments: 1, ms: 10 },
    { moments: 2, ms: 15 },
  ]);
});
