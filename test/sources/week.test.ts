import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryBody, ledgerJournal } from "../../src/moments/state/ledger.ts";
import { recentDeliveries } from "../../src/moments/state/recent-deliveries.ts";
import { weeksUntil } from "../../src/sources/week.ts";
import { broken as brokenRule, delivered as deliveredItems } from "../support/ledger-lines.ts";
import { temporaryWorld } from "../support/world.ts";

/** Files that nothing was written to for two weeks are not opened, so it is the real time. */
const NOW = Date.now();
const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const KEY = ".continuo/rules/money.md";

interface Line {
  readonly at: number;
  readonly session: string;
  readonly body: EntryBody;
}

const delivered = (tokens: number, items: readonly { source: string; key: string }[], more: object = {}) =>
  deliveredItems(items, { tokens, ...more });

const LEFT_OUT = { source: "sessions", key: "left-out" };

const broken = (reaction: "remind" | "report" | "deny" | "ask", check = "c1"): EntryBody =>
  brokenRule(KEY, { check, reaction });

function homeWith(lines: readonly Line[]) {
  const { home } = temporaryWorld();
  const { folder, prefix } = ledgerJournal(home);
  mkdirSync(folder, { recursive: true });
  const text = lines.map(({ at, session, body }) =>
    JSON.stringify({
      v: 1,
      at: new Date(at).toISOString(),
      host: "pi",
      session,
      project: "/p",
      epoch: 1,
      ...body,
    }),
  );
  appendFileSync(join(folder, `${prefix}-000001.jsonl`), text.map((one) => `${one}\n`).join(""));
  return home;
}

describe("the numbers of the week", () => {
  it("leave out what did not reach the agent, in the same sum as the list of sessions", async () => {
    const rule = { source: "rules", key: KEY };
    const looked = { kind: "looked", seen: [], missing: ["lost"] } as unknown as EntryBody;
    const home = homeWith([
      { at: NOW - 3 * HOUR, session: "a", body: delivered(30, [rule], { fingerprint: "lost" }) },
      { at: NOW - 2 * HOUR, session: "a", body: looked },
      { at: NOW - HOUR, session: "b", body: delivered(20, [rule]) },
    ]);
    const { lastWeek } = await weeksUntil(home, NOW);
    expect([lastWeek.given, lastWeek.tokens]).toEqual([1, 20]);
    expect(recentDeliveries(home).sessions.map(({ session, tokens }) => [session, tokens])).toEqual([
      ["b", 20],
      ["a", 0],
    ]);
  });

  it("say nothing of a week before of which nothing is recorded", async () => {
    expect(await weeksUntil(homeWith([]), NOW)).toEqual({
      lastWeek: { given: 0, broken: 0, stopped: 0, resumed: 0, tokens: 0 },
    });
  });

  it("count a session that went on with earlier work once: resumed, or with a past session that a prompt names", async () => {
    const last = { source: "sessions", key: "left-off/0" };
    const unknown = { source: "sessions", key: "unresolved/@@cart" };
    const named = { source: "sessions", key: "claude-code/0015f929?x" };
    const home = homeWith([
      { at: NOW - HOUR, session: "a", body: delivered(10, [last]) },
      { at: NOW - HOUR, session: "a", body: { kind: "replayed", fingerprint: "f" } },
      { at: NOW - HOUR, session: "b", body: { kind: "replayed", fingerprint: "f" } },
      { at: NOW - HOUR, session: "c", body: delivered(10, [], { moment: "resume" }) },
      { at: NOW - HOUR, session: "d", body: delivered(10, [named], { moment: "prompt" }) },
      { at: NOW - HOUR, session: "was only shown the last one", body: delivered(10, [last]) },
      { at: NOW - HOUR, session: "named none that is known", body: delivered(10, [unknown, LEFT_OUT]) },
    ]);
    expect((await weeksUntil(home, NOW)).lastWeek).toMatchObject({ resumed: 4, tokens: 50 });
  });

  it("count a call that was refused as broken and stopped, and a reminder as broken only", async () => {
    const home = homeWith([
      { at: NOW - 3 * HOUR, session: "a", body: broken("deny") },
      { at: NOW - 2 * HOUR, session: "a", body: broken("ask") },
      { at: NOW - HOUR, session: "a", body: broken("remind") },
    ]);
    expect((await weeksUntil(home, NOW)).lastWeek).toMatchObject({ broken: 3, stopped: 2 });
  });

  it("are what the lines of the ledger add up to, each in its own week", async () => {
    const line = fc.record({
      age: fc.integer({ min: 0, max: 20 * 24 }),
      session: fc.constantFrom("a", "b", "c"),
      kind: fc.constantFrom("rule", "last session", "named", "replayed", "deny", "remind", "other"),
      tokens: fc.nat(5000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), async (given) => {
        const lines = given
          // Of two at the same time in one session the ledger tells as one call.
          .map((one, i) => ({ ...one, at: NOW - one.age * HOUR - i }))
          .sort((a, b) => a.at - b.at);
        const bodyOf = ({ kind, tokens }: (typeof lines)[number]): EntryBody => {
          if (kind === "rule") return delivered(tokens, [{ source: "rules", key: KEY }]);
          if (kind === "last session") return delivered(tokens, [{ source: "sessions", key: "left-off/0" }]);
          if (kind === "named") return delivered(tokens, [{ source: "sessions", key: "pi/x" }]);
          if (kind === "replayed") return { kind, fingerprint: "f" };
          if (kind === "other") return { kind: "ended", why: "exit" };
          return broken(kind);
        };
        const home = homeWith(lines.map((one) => ({ at: one.at, session: one.session, body: bodyOf(one) })));
        const { lastWeek, weekBefore } = await weeksUntil(home, NOW);
        const expected = (from: number, to: number) => {
          const those = lines.filter(({ at }) => at > NOW - to && at <= NOW - from);
          const of = (...kinds: string[]) => those.filter(({ kind }) => kinds.includes(kind));
          const sessions = (some: typeof those) => new Set(some.map(({ session }) => session)).size;
          return {
            given: sessions(of("rule")),
            broken: of("deny", "remind").length,
            stopped: of("deny").length,
            resumed: sessions(of("named", "replayed")),
            tokens: of("rule", "last session", "named").reduce((sum, { tokens }) => sum + tokens, 0),
          };
        };
        const none = { given: 0, broken: 0, stopped: 0, resumed: 0, tokens: 0 };
        expect(lastWeek).toEqual(expected(0, WEEK));
        expect(weekBefore ?? none).toEqual(expected(WEEK, 2 * WEEK + 1));
      }),
      { numRuns: 40 },
    );
  });

  it("are not disturbed by damaged lines and entries of another version", async () => {
    const home = homeWith([
      { at: NOW - HOUR, session: "a", body: delivered(7, [{ source: "rules", key: KEY }]) },
    ]);
    const odd = ["{", "null", '{"v":1,"at":"x","kind":"delivered","session":"a","items":{},"tokens":"9"}'];
    const { folder, prefix } = ledgerJournal(home);
    const recent = JSON.stringify({
      ...{
        v: 1,
        at: new Date(NOW - HOUR).toISOString(),
        kind: "delivered",
        host: "pi",
        session: "z",
        project: "/p",
      },
      ...{ items: [null, 3, { source: "rules" }], tokens: -5 },
    });
    appendFileSync(
      join(folder, `${prefix}-000001.jsonl`),
      [...odd, recent].map((one) => `${one}\n`).join(""),
    );
    expect((await weeksUntil(home, NOW)).lastWeek).toMatchObject({ given: 1, tokens: 7 });
  });
});
