import { afterEach, describe, expect, it, vi } from "vitest";
import type { FoundInSession } from "../../../../src/web/api/conversation.ts";
import type { Continuing, SessionSummary } from "../../../../src/web/api/session-page.ts";
import { answered, asked, pageWorld } from "./page-world.ts";

/** More units than a record or an outline is made from. */
const TURNS = 1600;

async function longSession() {
  const here = pageWorld();
  const lines = Array.from({ length: TURNS }, (_, at) =>
    at === TURNS / 2
      ? answered("We decided to keep the walrus in the middle of the session, for good.", `t${at}`)
      : answered(`Answer ${at}: the parser of invoices reads one more line of the file.`, `t${at}`),
  );
  here.transcript(asked("Port the parser of invoices to streams.", "first"), ...lines);
  await here.sync();
  return here;
}

/** A clock that moves on by this much whenever it is read: what runs in slices then stops after each step. */
function clockOf(stepMs: number): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += stepMs;
    return now;
  });
}

/** How often other work got its turn while a request was answered. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

afterEach(() => vi.restoreAllMocks());

describe("a long session", () => {
  it("is searched in steps, and other requests run between them", async () => {
    const here = await longSession();
    let found: FoundInSession = { hits: [] };
    clockOf(11);
    const turns = await turnsDuring(async () => {
      found = await here.json<FoundInSession>("/conversation/find?q=walrus");
    });
    expect(found.hits[0]).toMatchObject({ turn: `t${TURNS / 2}` });
    expect(found.isPart).toBeUndefined();
    // One step a unit of 16 passages and more.
    expect(turns).toBeGreaterThan(50);
  });

  it("of which a search finds only the newest part in time says so", async () => {
    const here = await longSession();
    clockOf(200);
    const found = await here.json<FoundInSession>("/conversation/find?q=invoices");
    expect(found.isPart).toBe(true);
    const ats = found.hits.map(({ turn }) => Number(turn.slice(1)));
    expect(ats.length).toBeGreaterThan(0);
    expect(Math.min(...ats)).toBeGreaterThan(TURNS / 2);
  });

  it("is outlined and handed over by its beginning and its end, which it says", async () => {
    const here = await longSession();
    const { handoff } = await here.json<Continuing>("/continue");
    expect(handoff).toContain("What follows is quoted from its beginning and its end.");
    expect(handoff).toContain("Port the parser of invoices to streams.");
    expect(handoff).toContain(`Answer ${TURNS - 1}`);
    expect(handoff).not.toContain("walrus");
    const record = await here.json<SessionSummary>("/record");
    expect(record.isPart).toBe(true);
    expect(JSON.stringify(record.parts)).not.toContain("walrus");
  });

  it("that is short is quoted as a whole", async () => {
    const here = pageWorld();
    here.transcript(asked("Port the parser."), answered("We decided to keep the walrus in the parser."));
    await here.sync();
    const { handoff } = await here.json<Continuing>("/continue");
    expect(handoff).toContain("What follows is quoted from it.");
    expect(await here.json<SessionSummary>("/record")).not.toHaveProperty("isPart");
  });
});
