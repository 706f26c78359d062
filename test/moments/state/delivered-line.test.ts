import { describe, expect, it } from "vitest";
import { readLedgerLine } from "../../../src/moments/state/delivered-line.ts";
import { delivery } from "../../support/ledger-lines.ts";

const line = (change: object): string => JSON.stringify({ ...JSON.parse(delivery(1, 1)), ...change });

describe("reading a ledger line", () => {
  it("gives one row for each item", () => {
    const reading = readLedgerLine(delivery(4, 3));
    expect(reading).toMatchObject({
      items: [
        { kind: "addition", session: "ses_4", item: "rule-0.md", tokens: 10, cost: 50 },
        { item: "rule-1.md", tokens: 11, cost: 50 },
        { item: "rule-2.md", tokens: 12, cost: 50 },
      ],
    });
  });

  it("brings the time to UTC, so that times compare as text", () => {
    expect(readLedgerLine(line({ at: "2026-03-01T01:30:00+02:00" }))).toMatchObject({
      items: [{ at: "2026-02-28T23:30:00.000Z" }],
    });
  });

  it("lets what is not known be absent", () => {
    const bare = line({ project: undefined, fingerprint: undefined, epoch: undefined, tokens: undefined });
    expect(readLedgerLine(bare)).toMatchObject({
      items: [{ project: null, fingerprint: null, epoch: 0, cost: 0 }],
    });
    const items = [{ source: "seed", key: "k" }];
    expect(readLedgerLine(line({ items }))).toMatchObject({
      items: [{ title: null, reason: null, tokens: 0 }],
    });
  });

  it.each([
    ["an empty line", ""],
    ["a line of blanks", " \t\r"],
    ["another kind", line({ kind: "compacted", items: undefined })],
    ["a later version", line({ v: 2, items: "otherwise" })],
    ["a delivery of nothing", line({ items: [] })],
  ])("takes nothing from %s", (_, text) => {
    expect(readLedgerLine(text)).toEqual({ items: [] });
  });

  it.each([
    ["half a line", delivery(1).slice(0, 90)],
    ["two fused lines", delivery(1) + delivery(2)],
    ["no object", "[1]"],
    ["null", "null"],
    ["no version", line({ v: undefined })],
    ["no kind", line({ kind: 7 })],
    ["no time", line({ at: "yesterday" })],
    ["no session", line({ session: "" })],
    ["an unknown what", line({ what: "hint" })],
    ["tokens as text", line({ tokens: "50" })],
    ["half an epoch", line({ epoch: 1.5 })],
    ["a project that is a number", line({ project: 1 })],
    ["items that are no list", line({ items: {} })],
    ["an item that is no object", line({ items: ["x"] })],
    ["an item without key", line({ items: [{ source: "rules" }] })],
    ["an item with a wrong title", line({ items: [{ source: "rules", key: "k", title: 1 }] })],
  ])("calls malformed: %s", (_, text) => {
    expect(readLedgerLine(text)).toBe("malformed");
  });
});
