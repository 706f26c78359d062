import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../../src/base/errors.ts";
import { propose } from "../../../../src/sources/profile/learning/propose.ts";
import { failure, recordHealth } from "../../../../src/store/health.ts";
import type { Overview, PaletteHit } from "../../../../src/web/api/overview.ts";
import { overview } from "../../../../src/web/server/overview/routes.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { workAt } from "../../../support/many-sessions.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const iso = (at: number) => new Date(at).toISOString();

function world(files: Record<string, string> = {}) {
  const made = temporaryWeb(files, [overview], { now: () => NOW });
  const { user } = made;
  made.env["PATH"] = join(user, "bin");
  return {
    ...made,
    overview: () => made.get<Overview>("/api/overview"),
    palette: async (q: string) =>
      (await made.get<{ hits: readonly PaletteHit[] }>(`/api/palette?q=${encodeURIComponent(q)}`)).hits,
    /** A session as Claude Code keeps it, and indexed. */
    async session(id: string, prompt: string, at: number, more: object = {}) {
      const line = {
        ...more,
        type: "user",
        uuid: "u1",
        sessionId: id,
        timestamp: iso(at),
        cwd: made.root,
        message: { role: "user", content: prompt },
      };
      write(user, { [`.claude/projects/-w/${id}.jsonl`]: `${JSON.stringify(line)}\n` });
      await (await made.web.sessions()).sync();
    },
    /** What hooks store of a session: it began, and its agent worked or went idle. */
    state(id: string, more: { seen: number; idle?: number; parent?: string }) {
      const state = {
        version: 1,
        session: { host: "claude-code", id },
        project: { id: made.root, root: made.root, label: "shop" },
        startedAt: iso(more.seen - 60_000),
        seenAt: iso(more.seen),
        ...(more.idle === undefined ? { work: workAt(more.seen) } : { idleAt: iso(more.idle) }),
        epoch: 1,
        snapshot: null,
        delivered: {},
        workingSet: [],
        memos: {},
      };
      write(made.home.state, { [`claude-code/${id}.json`]: JSON.stringify(state) });
    },
  };
}

const A = "0f8fad5b-d9cb-469f-a165-70867728950e";
const B = "1f8fad5b-d9cb-469f-a165-70867728950e";

describe("GET /api/overview", () => {
  it("answers before anything is indexed, connected or decided", async () => {
    expect(await world().overview()).toEqual({
      active: [],
      recent: [],
      waiting: { proposals: 0, unobserved: 0, problems: [] },
      isConnected: false,
    });
  });

  it("has the sessions in which an agent works, with the last request and since when", async () => {
    const w = world();
    await w.session(A, "Please add a discount code to the cart", NOW - 120_000);
    w.state(A, { seen: NOW - 60_000 });
    w.state(B, { seen: NOW - 30_000 });
    const { active, recent } = await w.overview();
    expect(active.find(({ id }) => id === A)).toMatchObject({
      host: "claude-code",
      lastRequest: "Please add a discount code to the cart",
      workingSince: NOW - 60_000,
    });
    // Not indexed yet: only its hooks have told of it.
    expect(active.find(({ id }) => id === B)).toMatchObject({ name: "New session", project: "shop" });
    expect(recent).toMatchObject([{ id: A }]);
  });

  it("shows a session that went idle a moment ago as waiting for the person", async () => {
    const w = world();
    await w.session(A, "Please add a discount code", NOW - 120_000);
    w.state(A, { seen: NOW - 60_000, idle: NOW - 60_000 });
    const { active } = await w.overview();
    expect(active).toMatchObject([{ id: A }]);
    expect(active[0]).not.toHaveProperty("workingSince");
  });

  it("lets a session that a script started wait for nobody, in no list and no count", async () => {
    const w = world();
    await w.overview(); // sessions count from the first look at the page
    await w.session(A, "Write the commit message", NOW + 1000, { entrypoint: "sdk-cli" });
    w.state(A, { seen: NOW + 1000, idle: NOW + 2000 });
    await w.session(B, "Please add a discount code", NOW + 1000);
    w.state(B, { seen: NOW + 1000, idle: NOW + 2000 });
    w.web.publish({ type: "session", session: { host: "claude-code", id: B }, reason: "idle" });
    const { active, recent, waiting } = await w.overview();
    expect(active.map(({ id }) => id)).toEqual([B]);
    expect(waiting.unobserved).toBe(1);
    expect(recent.map(({ id, unobserved }) => [id, unobserved]).sort()).toEqual([
      [A, false],
      [B, true],
    ]);
  });

  it("counts suggestions and tells failures with how to fix them, each kind once", async () => {
    const w = world();
    const place = { seed: join(w.user, ".pai/seed.json"), home: w.home.root };
    await propose([{ type: "pattern", content: "Use pnpm", evidence: "use pnpm" }], {
      place,
      sessionId: "s1",
      now: NOW,
    });
    const late = new ContinuoError("rules-late", "rules took too long", {
      hint: "run: continuo rules check",
    });
    for (const minutes of [3, 2, 1]) recordHealth(w.home.logs, failure("hook", late, NOW - minutes * 60_000));
    const { waiting } = await w.overview();
    expect(waiting.proposals).toBe(1);
    expect(waiting.problems).toEqual([
      { message: "rules took too long (3 times)", hint: "run: continuo rules check", at: NOW - 60_000 },
    ]);
  });

  it("tells a damaged seed as a problem and answers everything else", async () => {
    const w = world();
    write(w.user, { ".pai/seed.json": "{ broken" });
    const { waiting } = await w.overview();
    expect(waiting.proposals).toBe(0);
    expect(waiting.problems).toMatchObject([{ hint: expect.stringContaining("continuo seed repair") }]);
  });
});

describe("GET /api/weeks", () => {
  it("has the same numbers as continuo status", async () => {
    const { app, home, env, root } = temporaryWeb({}, [overview]);
    const line = { v: 1, at: iso(Date.now() - 1000), host: "pi", session: "s", project: "/p", epoch: 1 };
    const items = [{ source: "rules", key: ".continuo/rules/a.md", title: "a", reason: "", tokens: 5 }];
    const body = { kind: "delivered", what: "snapshot", tokens: 1200, fingerprint: "f", items, dropped: [] };
    write(home.ledger, { "ledger-000001.jsonl": `${JSON.stringify({ ...line, ...body })}\n` });
    const answer: unknown = await (await app.request("/api/weeks")).json();
    expect(answer).toEqual({ lastWeek: { given: 1, broken: 0, stopped: 0, resumed: 0, tokens: 1200 } });
    const json = await runInProcess(["status", "--json"], { env, cwd: root });
    expect((JSON.parse(json.stdout) as { data: { weeks: unknown } }).data.weeks).toEqual(answer);
    const { stdout } = await runInProcess(["status"], { env, cwd: root });
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "Last 7 days: rules given 1 time, broken 0 times, 0 of these stopped; 0 sessions went on with earlier work; 1,200 tokens added.",
    );
  });
});

describe("GET /api/palette", () => {
  it("finds sessions by name, notes by title and rules by name", async () => {
    const w = world({ ".continuo/rules/discount-codes.md": "Codes are case-insensitive.\n" });
    await w.session(A, "Please add a discount code to the cart", NOW);
    write(w.home.root, { "memory/discounts.md": "# Discount rules\n\nSee [[cart]].\n" });
    const { openMemory } = await import("../../../../src/sources/notes/memory.ts");
    const { memorySettings } = await import("../../../../src/sources/notes/settings.ts");
    const memory = openMemory({ home: w.home, env: w.env, settings: memorySettings(w.home, w.env) });
    await memory.recent();
    memory.close();
    const hits = await w.palette("DISCOUNT");
    expect(hits.map(({ kind }) => kind)).toEqual(["Session", "Note", "Rule"]);
    expect(hits[0]?.address).toBe(`/sessions/claude-code/${A}`);
    expect(hits[1]?.address).toBe("/memory/discounts");
    expect(hits[2]?.address).toMatch(/^\/rules\?rule=/);
    expect(await w.palette("discount nowhere")).toEqual([]);
  });

  it("takes what is typed as text, not as a pattern, and refuses too much of it", async () => {
    const w = world();
    await w.session(A, "Please add a discount code to the cart", NOW);
    for (const typed of ["%", "_", "\\", "' OR 1=1 --", "   "]) expect(await w.palette(typed)).toEqual([]);
    expect((await w.app.request(`/api/palette?q=${"x".repeat(201)}`)).status).toBe(400);
  });
});
