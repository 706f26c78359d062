import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EntryBody, LedgerLine } from "../../../../src/moments/state/ledger.ts";
import {
  createFigures,
  createNumbers,
  type RuleFigures,
  WEEK_MS,
} from "../../../../src/sources/rules/report/figures.ts";
import { broken as brokenRule, delivered as deliveredItems } from "../../../support/ledger-lines.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const KEY = ".continuo/rules/no-any.md";
const OWN = "CONTINUO_HOME/rules/mine.md";

interface Place {
  readonly session?: string;
  readonly project?: string;
  readonly at?: number;
}

function line(body: EntryBody, { session = "s1", project = "/p", at = NOW - 1000 }: Place = {}): LedgerLine {
  return { host: "pi", session, project, epoch: 0, at: new Date(at).toISOString(), ...body };
}

const delivered = (key: string, place?: Place, more: object = {}): LedgerLine =>
  line(deliveredItems([{ source: "rules", key, title: "no-any", ...more }]), place);

const broken = (more: object = {}, place?: Place): LedgerLine =>
  line(brokenRule(KEY, { name: "no-any", ...more }), place);

const checked = (counts: Record<string, number>, place?: Place): LedgerLine =>
  line({ kind: "checked", counts }, place);

function sum(lines: readonly LedgerLine[]) {
  const figures = createFigures({ now: NOW, projectOf: (id) => id });
  for (const one of lines) figures.add(one, Date.parse(one.at));
  return figures.sum();
}

const only = (lines: readonly LedgerLine[]): RuleFigures | undefined => sum(lines).rules[0];

describe("figures of rules from the ledger", () => {
  it("count each session once, however often the rule was delivered to it", () => {
    const lines = ["a", "b", "a", "a"].map((session) => delivered(KEY, { session }));
    expect(only(lines)).toMatchObject({ key: KEY, name: "no-any", project: "/p", sessions: 2 });
  });

  it("leave out items that are no rules: other sources, withdrawals, lines about rules on request", () => {
    const { rules } = sum([
      delivered(KEY, {}, { source: "memory" }),
      delivered(KEY, {}, { withdraws: true }),
      delivered(`on-request/${KEY}`),
    ]);
    expect(rules).toEqual([]);
  });

  it("count occasions by rule, also if a file's name has the separator in it", () => {
    const odd = ".continuo/rules/c#.md";
    const { rules } = sum([checked({ [`${KEY}#c1`]: 3, [`${KEY}#c2`]: 2, [`${odd}#c1`]: 4 })]);
    expect(rules.map(({ key, occasions }) => [key, occasions])).toEqual([
      [KEY, 5],
      [odd, 4],
    ]);
  });

  it("count several places of one call as one broken occasion and one refused call", () => {
    const deny = { reaction: "deny" };
    const lines = [
      broken(deny),
      broken(deny),
      broken({ ...deny, more: 10 }),
      broken(deny, { at: NOW - 500 }),
    ];
    expect(only(lines)).toMatchObject({ broken: 2, breaches: 14, refused: 2 });
  });

  it("count each check of a call once, whatever the order of its entries is", () => {
    const lines = ["c1", "c2", "c1"].map((check) => broken({ check }));
    expect(only(lines)).toMatchObject({ broken: 2, breaches: 3 });
  });

  it("count a call that was refused as an occasion, because nothing looks at it later, but not a refused stop", () => {
    const lines = [
      checked({ [`${KEY}#c1`]: 3 }),
      broken({ reaction: "deny", tool: "Edit" }),
      broken({ reaction: "deny" }, { at: NOW - 700 }),
      broken({ reaction: "ask", tool: "Edit" }, { at: NOW - 600 }),
    ];
    expect(only(lines)).toMatchObject({ occasions: 4, broken: 3, refused: 2, asked: 1 });
  });

  it("count breaches after a compaction and after a reminder", () => {
    const lines = [
      broken({ isAfterCompaction: true }),
      broken({ isAfterReminder: true }, { at: NOW - 900 }),
      broken({}, { at: NOW - 800 }),
    ];
    expect(only(lines)).toMatchObject({ breaches: 3, afterCompaction: 1, afterReminder: 1 });
  });

  it("put each breach and occasion into its week, counted back from now", () => {
    const at = NOW - WEEK_MS - 1;
    const rule = only([
      checked({ [`${KEY}#c1`]: 2 }),
      broken(),
      checked({ [`${KEY}#c1`]: 4 }, { at }),
      broken({}, { at }),
    ]);
    expect(rule?.weeks).toEqual([
      { occasions: 2, broken: 1, breaches: 1 },
      { occasions: 4, broken: 1, breaches: 1 },
    ]);
  });

  it("keep the rules of two projects apart, and count a rule of the user once", () => {
    const { rules } = sum(
      ["/p", "/q"].flatMap((project) => [
        delivered(KEY, { project, session: project }),
        delivered(OWN, { project, session: project }),
      ]),
    );
    expect(rules.map(({ key, project, sessions }) => [key, project, sessions])).toEqual([
      [KEY, "/p", 1],
      [OWN, undefined, 2],
      [KEY, "/q", 1],
    ]);
  });

  it("do not fail on entries that are damaged", () => {
    const odd = [
      line({ kind: "checked", counts: null } as unknown as EntryBody),
      line({ kind: "checked", counts: { [`${KEY}#c`]: "many" } } as unknown as EntryBody),
      line({ kind: "delivered", items: "none" } as unknown as EntryBody),
      broken({ rule: 7 }),
      broken({ more: -3 }),
    ];
    expect(sum(odd).rules.map(({ occasions, breaches }) => [occasions, breaches])).toEqual([[0, 1]]);
  });
});

describe("a set of numbers", () => {
  it("has the size that a set has", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000)), (numbers) => {
        const set = createNumbers();
        for (const one of numbers) set.add(one);
        expect(set.size()).toBe(new Set(numbers).size);
      }),
    );
  });
});
