import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
