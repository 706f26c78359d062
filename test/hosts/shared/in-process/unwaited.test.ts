import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { loadHistory } from "../../../../src/hosts/index.ts";
import { createBase } from "../../../../src/hosts/shared/in-process/base.ts";
import type { IdleMoment } from "../../../../src/moments/types.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { puppet } from "../../../support/engine.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

it("work after the agent's stop that takes longer than a moment may is done, and no failure", async () => {
  const world = temporaryWorld();
  write(world.home.root, { "config.json": '{"momentDeadlineMs":100,"sourceDeadlineMs":50}' });
  let isDone = false;
  const idle = async () => {
    await sleep(500);
    isDone = true;
    return {};
  };
  const base = createBase("pi", {
    env: world.env,
    now: Date.now,
    sources: [puppet({ answers: { idle, tool: idle } }).source],
    history: loadHistory,
  });
  const { project, root: cwd } = world;
  const moment: IdleMoment = {
    session: { host: "pi", id: "s1" },
    project,
    cwd,
    at: Date.now(),
    name: "idle",
  };
  expect(await base.followUnwaited("agent_end", moment)).toEqual({ text: "" });
  expect(isDone).toBe(true);
  expect(readHealth(world.home.logs).records).toEqual([]);
  // Where somebody waits, nothing changes.
  await base.follow("agent_end", () => ({ kind: "moment", moment }));
  expect(readHealth(world.home.logs).records.map(({ code }) => code)).toEqual(["source-late"]);
});
