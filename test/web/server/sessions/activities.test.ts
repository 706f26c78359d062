import { afterEach, expect, it, vi } from "vitest";
import { activitiesOf } from "../../../../src/web/server/sessions/activities.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const STATES = 200;

afterEach(() => vi.restoreAllMocks());

it("looking at the states of many sessions lets other work run in between", async () => {
  const { web } = temporaryWeb();
  const now = new Date().toISOString();
  const work = { since: now, at: now };
  const state = (id: string) =>
    JSON.stringify({ session: { host: "claude-code", id }, startedAt: now, seenAt: now, work });
  write(
    web.home.state,
    Object.fromEntries(
      Array.from({ length: STATES }, (_, at) => [`claude-code/s${at}.json`, state(`s${at}`)]),
    ),
  );
  // Each look at the clock is later than a slice is long.
  let clock = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    clock += 11;
    return clock;
  });
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const working = await activitiesOf(web).working();
  isDone = true;
  expect(working).toHaveLength(STATES);
  expect(turns).toBeGreaterThan(STATES);
});
