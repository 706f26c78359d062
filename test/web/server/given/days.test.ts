import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordModelCall } from "../../../../src/store/model-calls.ts";
import type { GivenDays } from "../../../../src/web/api/given.ts";
import { given } from "../../../../src/web/server/given/routes.ts";
import { dayOf } from "../../../../src/web/server/given/usage.ts";
import { givenWorld, wholeSession } from "../../../support/given-world.ts";
import { deliveries, delivery } from "../../../support/ledger-lines.ts";
import { temporaryWeb } from "../../../support/web.ts";

/** The engine of tests lives on this day. */
const DAY = Date.parse("2026-01-01T00:00:00Z");

it("sums up each day: tokens, deliveries, time and model calls, also days without anything", async () => {
  const place = temporaryWeb({}, [given], { now: () => DAY + 3_600_000 });
  const engine = givenWorld(place);
  await wholeSession(engine);
  const { days } = await place.get<GivenDays>("/api/given/days?days=7");
  expect(days).toHaveLength(7);
  expect(days.slice(0, 6).every(({ tokens, sessions }) => tokens + sessions === 0)).toBe(true);
  expect(days[6]).toMatchObject({
    day: dayOf(DAY),
    sessions: 1,
    snapshots: 2,
    additions: 2,
    replays: 1,
    compactions: 1,
    modelCalls: 0,
  });
  expect(days[6]?.tokens).toBeGreaterThan(20);
});

it("counts what is appended later, no line twice, and skips half a line until it is whole", async () => {
  const place = temporaryWeb({}, [given], { now: () => Date.UTC(2026, 0, 1, 12) });
  mkdirSync(place.home.ledger, { recursive: true });
  const file = join(place.home.ledger, "ledger-000001.jsonl");
  const today = async () => (await place.get<GivenDays>("/api/given/days?days=1")).days[0];
  appendFileSync(file, deliveries(0, 10));
  expect(await today()).toMatchObject({ tokens: 500 });
  const line = delivery(10);
  appendFileSync(file, line.slice(0, 40));
  expect(await today()).toMatchObject({ tokens: 500 });
  appendFileSync(file, `${line.slice(40)}\nnot json\n`);
  expect(await today()).toMatchObject({ tokens: 550, sessions: 5 });
  appendFileSync(join(place.home.ledger, "ledger-000002.jsonl"), deliveries(11, 5));
  expect(await today()).toMatchObject({ tokens: 800 });
  const both = await Promise.all([today(), today()]);
  expect(both.map((day) => day?.tokens)).toEqual([800, 800]);
});

it("a large ledger never holds the server", async () => {
  const place = temporaryWeb({}, [given], { now: () => Date.UTC(2026, 0, 1, 12) });
  mkdirSync(place.home.ledger, { recursive: true });
  for (let n = 0; n < 5; n++)
    appendFileSync(join(place.home.ledger, `ledger-00000${n + 1}.jsonl`), deliveries(n * 16_000, 16_000));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const answer = await place.app.request("/api/given/days?days=30");
  isDone = true;
  expect(((await answer.json()) as GivenDays).days.at(-1)?.tokens).toBe(80_000 * 50);
  // The event loop went on between slices; without them it would turn a few times per file.
  expect(turns).toBeGreaterThan(15);
});

it("model calls are counted by day", async () => {
  const place = temporaryWeb({}, [given]);
  recordModelCall(place.env, "text", "anthropic/some");
  recordModelCall(place.env, "vectors", "other");
  const { days } = await place.get<GivenDays>("/api/given/days?days=2");
  expect(days.at(-1)?.modelCalls).toBe(2);
});
