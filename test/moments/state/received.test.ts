import { expect, it } from "vitest";
import { type LedgerLine, readLedger } from "../../../src/moments/state/ledger.ts";
import { receivedOf } from "../../../src/moments/state/received.ts";

const line = (more: object, session = "s1") =>
  readLedger([
    { v: 1, at: "2026-11-19T12:00:00Z", host: "codex", session, project: "/p", epoch: 1, ...more },
  ])[0] as never;
const delivered = (fingerprint: string, items: object[] = [], session = "s1") =>
  line({ kind: "delivered", what: "addition", tokens: 1, dropped: [], fingerprint, items }, session);
const looked = (seen: string[], missing: string[], session = "s1") =>
  line({ kind: "looked", seen, missing }, session);
const broken = (name: string, reaction = "remind") =>
  line({ kind: "broken", rule: "r", check: "c", on: "edits", text: "", name, reaction });
const reminder = (title: string) => ({ source: "rules", key: "broken/x/1", title, reason: "r", tokens: 1 });

const missingIn = (lines: LedgerLine[]) =>
  lines.map((one) => one.kind === "delivered" && receivedOf(lines).isMissing(one));
const toldIn = (lines: LedgerLine[]) =>
  lines.map((one) => one.kind === "broken" && receivedOf(lines).isTold(one));

it("what the transcript did not show is missing, the same text given later is not", () => {
  expect(
    missingIn([delivered("a"), delivered("b"), looked(["b"], ["a"]), delivered("a"), looked(["a"], [])]),
  ).toEqual([true, false, false, false, false]);
});

it("a text that a resume gave again is not missing once the transcript shows it", () => {
  expect(missingIn([delivered("a"), looked([], ["a"]), looked(["a"], [])])).toEqual([false, false, false]);
});

it("what one session misses says nothing about another", () => {
  expect(missingIn([delivered("a"), delivered("a", [], "s2"), looked([], ["a"], "s2")])).toEqual([
    false,
    true,
    false,
  ]);
});

it("the agent was told of a broken rule only if a reminder of it was delivered and reached it", () => {
  const [a, b] = [broken("a.md"), broken("b.md")];
  expect(toldIn([a, b])).toEqual([false, false]);
  expect(toldIn([a, b, delivered("x", [reminder("a.md")])])).toEqual([true, false, false]);
  expect(toldIn([a, delivered("x", [reminder("a.md")]), looked([], ["x"])])).toEqual([false, false, false]);
  expect(toldIn([delivered("x", [reminder("a.md")]), a])).toEqual([false, false]);
  expect(toldIn([a, delivered("x", [{ ...reminder("a.md"), key: "a.md" }])])).toEqual([false, false]);
  expect(toldIn([a, b, delivered("x", [{ ...reminder("more"), key: "broken/x/rest" }])])).toEqual([
    true,
    true,
    false,
  ]);
});
