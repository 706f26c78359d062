import { describe, expect, it } from "vitest";
import { checkClaims } from "../../../../src/sources/sessions/answers/cite.ts";
import type { Passage } from "../../../../src/sources/sessions/session.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";

const passage = (turn: string, text: string, more: Partial<Passage> = {}): Passage => ({
  at: 0,
  turn,
  role: "assistant",
  isCalls: false,
  text,
  ...more,
});
const SAID = [
  passage("a", "The **token** is refreshed in `auth.ts`.\nWe decided to retry ", { time: 5 }),
  passage("a", "once, because the gateway is slow.", { time: 5 }),
  passage("b", "Blue.", { role: "user" }),
  passage("b", "Bash npm run build --workspace=payments", { isCalls: true, role: "user" }),
];
const check = (entryId: string, excerpt: string) => checkClaims([{ entryId, excerpt }], SAID);

describe("citations claimed by a model", () => {
  it("get the turn's role and time, also across its passages", () => {
    const excerpt = "We decided to retry once, because the gateway is slow.";
    expect(check("a", excerpt)).toEqual({
      citations: [{ entryId: "a", role: "assistant", at: 5, excerpt }],
      invented: 0,
      misquoted: 0,
    });
  });

  it("match if only case, punctuation or spaces differ or something is omitted, and are shown as in the turn", () => {
    for (const [excerpt, shown] of [
      ["the token is refreshed in auth.ts", "token** is refreshed in `auth.ts`."],
      ["DECIDED TO RETRY once because the gateway", "decided to retry once, because the gateway"],
      ["We decided … because the gateway is slow.", "We decided to retry once, because the gateway is slow."],
    ])
      expect(check("a", String(excerpt)), excerpt).toMatchObject({
        citations: [{ excerpt: expect.stringContaining(String(shown)) }],
        misquoted: 0,
      });
    expect(check("b", "npm run build --workspace=payments")).toMatchObject({ misquoted: 0 });
  });

  it("are dropped if the turn does not exist, and replaced by the turn's words if it says something else", () => {
    expect(check("zzz", "We decided")).toEqual({ citations: [], invented: 1, misquoted: 0 });
    const { citations, misquoted } = check(
      "a",
      "We decided to retry a hundred times, and to delete the gateway",
    );
    expect(misquoted).toBe(1);
    expect(citations[0]?.excerpt).toContain("We decided to retry once, because the gateway is slow.");
    expect(citations[0]?.excerpt).not.toContain("hundred");
    expect(check("b", "")).toMatchObject({ misquoted: 1, citations: [{ entryId: "b" }] });
  });

  it("are limited to 8, each once and within 280 characters", () => {
    const long = Array.from({ length: 40 }, (_, i) => passage(`t${i}`, `${i} ${"word ".repeat(100)}`));
    const claims = long.map(({ turn, text }) => ({ entryId: turn, excerpt: text }));
    const { citations } = checkClaims(
      [claims[0], claims[0], ...claims].filter((one) => one !== undefined),
      long,
    );
    expect(citations.length).toBeLessThanOrEqual(8);
    expect(new Set(citations.map(({ entryId }) => entryId)).size).toBe(citations.length);
    for (const { excerpt } of citations) expect(excerpt.length).toBeLessThanOrEqual(280);
  });

  it("are checked quickly, whatever they contain", () => {
    const hostile = [passage("h", "a ".repeat(12_000))];
    const spent = cpuSeconds(() => {
      expect(checkClaims([{ entryId: "h", excerpt: `${"a ".repeat(275)}b` }], hostile).misquoted).toBe(1);
    });
    expect(spent).toBeLessThan(1);
  });
});
