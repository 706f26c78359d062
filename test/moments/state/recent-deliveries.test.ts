import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recentDeliveries } from "../../../src/moments/state/recent-deliveries.ts";
import { deliveries, delivery } from "../../support/ledger-lines.ts";
import { temporaryWorld } from "../../support/world.ts";

function ledgerOf(files: Readonly<Record<string, string>>) {
  const { home } = temporaryWorld();
  mkdirSync(home.ledger, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.ledger, name), text);
  return home;
}

describe("recent deliveries", () => {
  it("sums up what the last sessions were given", () => {
    const home = ledgerOf({
      "ledger-000001.jsonl": deliveries(0, 300),
      "ledger-000002.jsonl": deliveries(100_000, 1).replace('"/p"', '"/q"'),
    });
    const { sessions, ...rest } = recentDeliveries(home);
    expect(rest).toEqual({ skipped: 0, malformed: 0, unreadable: [] });
    expect(sessions.slice(0, 2)).toEqual([
      {
        host: "opencode",
        session: "ses_0",
        project: "/q",
        first: "2026-01-01T00:00:00.000Z",
        last: "2026-01-02T03:46:40.000Z",
        // All are of one epoch: parts of one snapshot.
        snapshots: 1,
        additions: 41,
        items: 122,
        tokens: 3050,
      },
      expect.objectContaining({ session: "ses_4", items: 120 }),
    ]);
    expect(sessions).toHaveLength(5);
  });

  it("has nothing where there is no ledger", () => {
    expect(recentDeliveries(temporaryWorld().home).sessions).toEqual([]);
  });

  it("counts malformed lines and goes on after them; a line that is being written does not count", () => {
    const home = ledgerOf({
      "ledger-000001.jsonl": `${delivery(1)}\nnonsense\n\n${delivery(2).slice(9)}\n${delivery(1)}\n${delivery(1).slice(0, 40)}`,
    });
    const { sessions, malformed } = recentDeliveries(home);
    expect(malformed).toBe(2);
    expect(sessions).toMatchObject([{ session: "ses_1", items: 4 }]);
  });

  it("returns the first sessions of the whole list, in whatever order and form the lines are", () => {
    const line = fc
      .record({
        of: fc.integer({ min: 0, max: 12 }),
        second: fc.integer({ min: 0, max: 40 }),
        form: fc.constantFrom(
          "as written",
          "other keys first",
          "another kind",
          "no items",
          "cut",
          "local time",
        ),
      })
      .map(({ of, second, form }) => {
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
        const { v, at: _, host, session: __, ...rest } = JSON.parse(delivery(of));
        // The order of Continuo's own lines.
        const text = JSON.stringify({ v, at, host, session: `ses_${of}`, ...rest });
        if (form === "other keys first") return text.replace('{"v":1,', '{"w":"\\u0041","v":1,');
        if (form === "another kind") return text.replace('"delivered"', '"another"');
        if (form === "no items") return text.replace(/"items":\[.*\]/, '"items":[]');
        if (form === "cut") return text.slice(0, -20);
        return form === "local time" ? text.replace(at, at.replace("Z", "+00:00")) : text;
      });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.integer({ min: 1, max: 14 }), (lines, most) => {
        const home = ledgerOf({ "ledger-000001.jsonl": `${lines.join("\n")}\n` });
        expect(recentDeliveries(home, { most }).sessions).toEqual(
          recentDeliveries(home).sessions.slice(0, most),
        );
      }),
      { numRuns: 100 },
    );
  });

  it("reads the newest files first, stops at the limit and says how many it left", () => {
    const old = deliveries(0, 10);
    const home = ledgerOf({
      "ledger-000001.jsonl": old,
      "ledger-000002.jsonl": deliveries(10, 10),
      "ledger-000003.jsonl": deliveries(20, 10),
    });
    const items = (maxBytes: number) => {
      const { sessions, skipped } = recentDeliveries(home, { maxBytes });
      return [sessions.reduce((sum, one) => sum + one.items, 0), skipped];
    };
    expect(items(1)).toEqual([20, 2]);
    expect(items(old.length * 2.5)).toEqual([40, 1]);
    expect(items(old.length * 4)).toEqual([60, 0]);
  });

  it("names files that cannot be read and reads the others", () => {
    const home = ledgerOf({ "ledger-000001.jsonl": deliveries(0, 1) });
    mkdirSync(join(home.ledger, "ledger-000002.jsonl"));
    expect(recentDeliveries(home)).toMatchObject({
      sessions: [{ session: "ses_0" }],
      unreadable: ["ledger-000002.jsonl"],
    });
  });
});
