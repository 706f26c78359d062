import { spawnSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { activityOf, isUnobserved, observe } from "../../../src/moments/state/activity.ts";
import { peekState } from "../../../src/moments/state/session-state.ts";
import { context } from "../../../src/sources/sets/source.ts";
import { thisProcess } from "../../../src/store/host-process.ts";
import { engineWorld } from "../../support/engine.ts";

const SESSION = { host: "claude-code", id: "s1" };
const MINUTE = 60_000;

async function session() {
  const world = engineWorld([context]);
  await world.start();
  const path = join(world.home.state, "claude-code", "s1.json");
  const activity = (now = Date.parse("2026-01-01T00:05:00Z")) => {
    const state = peekState(world.home, SESSION);
    return state && activityOf(state, now);
  };
  return { ...world, path, activity };
}

describe("what a session's agent does", () => {
  it("is working from the prompt on, and idle from then on when it stops", async () => {
    const { activity, prompt, idle } = await session();
    await idle();
    const first = activity();
    expect(first).toMatchObject({ doing: "idle", idleAt: first?.since });
    await prompt("Fix the cart");
    expect(activity()?.doing).toBe("working");
    expect(activity()?.since).toBeGreaterThan(first?.since ?? 0);
    await idle();
    expect(activity()?.doing).toBe("idle");
    expect(activity()?.since).toBeGreaterThan(first?.since ?? 0);
  });

  it("is working from its first prompt on, also if that follows the start at once", async () => {
    const { activity, prompt } = await session();
    expect(activity()?.doing).toBe("idle");
    await prompt("Fix the cart");
    expect(activity()?.doing).toBe("working");
  });

  it("is not changed by a file's time: a backup or a sync sets it too", async () => {
    const { activity, prompt, end, path } = await session();
    await prompt("Fix the cart");
    await end();
    const before = activity();
    const later = Date.parse("2026-01-01T00:04:00Z") / 1000;
    utimesSync(path, later, later);
    expect(activity()).toEqual(before);
    expect(before?.doing).toBe("ended");
  });

  it("is not working if the process that it ran in has ended, as a chat when its server was killed", () => {
    const at = "2026-01-01T00:00:01.000Z";
    const work = (pid: number) => ({ since: at, at, process: { ...thisProcess(), pid } });
    const times = { startedAt: at, seenAt: at };
    const now = Date.parse(at) + MINUTE;
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(activityOf({ ...times, work: work(process.pid) }, now).doing).toBe("working");
    expect(activityOf({ ...times, work: work(pid) }, now).doing).toBe("idle");
    const elsewhere = { ...work(pid), process: { pid, machine: "another" } };
    expect(activityOf({ ...times, work: elsewhere }, now).doing).toBe("working");
  });

  it("is working while tools touch files, and ended after the end", async () => {
    const { activity, tool, idle, end } = await session();
    await idle();
    await tool("Edit", "s1", [{ path: "a.ts", access: "edit" }]);
    expect(activity()?.doing).toBe("working");
    await end();
    expect(activity()?.doing).toBe("ended");
  });

  it("is not working half an hour after the last sign: the host was killed or interrupted", async () => {
    const { activity, prompt, idle } = await session();
    await idle();
    await prompt("Fix the cart");
    expect(activity(Date.parse("2026-01-01T00:40:00Z"))?.doing).toBe("idle");
  });

  it("is idle in a session that is only opened again", async () => {
    const { activity, resume, idle } = await session();
    await idle();
    await resume();
    expect(activity()?.doing).toBe("idle");
  });

  it("is unknown for a session without a state", async () => {
    const { home } = await session();
    expect(peekState(home, { host: "claude-code", id: "../s1" })).toBeUndefined();
  });
});

describe("a session that nobody looked at", () => {
  const SINCE = Date.parse("2026-01-01T00:00:00Z");
  const state = {
    startedAt: "2026-01-01T00:00:01Z",
    seenAt: "2026-01-01T00:10:00Z",
    idleAt: "2026-01-01T00:10:00Z",
  };
  const idleAt = Date.parse(state.idleAt);

  it("went idle after the page was first opened and after it was last looked at", () => {
    const now = idleAt + MINUTE;
    const activity = activityOf(state, now);
    expect(isUnobserved(activity, SINCE)).toBe(true);
    expect(isUnobserved(activity, idleAt)).toBe(false);
    expect(isUnobserved(activity, Number.POSITIVE_INFINITY)).toBe(false);
    const looked = activityOf({ ...state, observedAt: "2026-01-01T00:10:01Z" }, now);
    expect(isUnobserved(looked, SINCE)).toBe(false);
    const earlier = activityOf({ ...state, observedAt: "2026-01-01T00:09:00Z" }, now);
    expect(isUnobserved(earlier, SINCE)).toBe(true);
    const at = new Date(idleAt + 10_000).toISOString();
    const prompted = activityOf({ ...state, work: { since: at, at } }, now);
    expect(isUnobserved(prompted, SINCE)).toBe(false);
    const { idleAt: _, ...neverIdle } = state;
    expect(isUnobserved(activityOf(neverIdle, now), SINCE)).toBe(false);
  });

  it("is observed by looking, which changes nothing else and is no sign of work", async () => {
    const { home, idle, activity } = await session();
    await idle();
    expect(isUnobserved(activity() ?? never(), SINCE)).toBe(true);
    const at = (activity()?.since ?? 0) + 5000;
    await observe(home, SESSION, at, 1000);
    expect(activity()).toMatchObject({ doing: "idle", observedAt: at });
    expect(isUnobserved(activity() ?? never(), SINCE)).toBe(false);
    await observe(home, SESSION, at - 1000, 1000);
    expect(activity()?.observedAt).toBe(at);
    await idle();
    await observe(home, { host: "claude-code", id: "unknown" }, at, 1000);
    expect(activity()?.observedAt).toBe(at);
  });
});

function never(): never {
  throw new Error("there is no activity");
}
