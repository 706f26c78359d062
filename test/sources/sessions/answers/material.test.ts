import { describe, expect, it } from "vitest";
import { MOST_RANKED, materialFor } from "../../../../src/sources/sessions/answers/request.ts";
import { rankWithin } from "../../../../src/sources/sessions/search/within.ts";
import type { Passage } from "../../../../src/sources/sessions/session.ts";

const passages = (...texts: (string | Partial<Passage>)[]): Passage[] =>
  texts.map((one, at) => ({
    at,
    turn: `t${at}`,
    role: at % 2 === 0 ? "user" : "assistant",
    isCalls: false,
    ...(typeof one === "string" ? { text: one } : { text: "", ...one }),
  }));

describe("the material for a model's answer", () => {
  it("is the whole session with its tool calls if that fits", () => {
    const { text, truncated, bytes } = materialFor(
      passages(
        "Build it",
        { turn: "t0b", text: "Done. " },
        { turn: "t0b", role: "assistant", isCalls: true, text: "Bash npm run build" },
      ),
      [],
      5_000,
    );
    expect(truncated).toBe(false);
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(text).toContain('<continuo-turn by="user" id="t0">\nBuild it');
    expect(text).toContain("Done. \nTools used:\nBash npm run build");
    expect(text).not.toContain("left out");
  });

  it("marks turns on abandoned branches", () => {
    const { text } = materialFor(passages("Begin", { text: "Use JWT", isLeft: true }), [], 5_000);
    expect(text).toContain('<continuo-turn by="assistant" id="t1" left="yes">\nUse JWT');
    expect(text).toContain('<continuo-turn by="user" id="t0">');
  });

  it("of a huge session is the matches with what follows, summaries, the beginning and the end", () => {
    const many = Array.from({ length: 3_000 }, (_, i) => `turn number ${i} ${"of no matter ".repeat(60)}`);
    const all = passages("GOAL of it all", ...many, "THE END");
    const at = (place: number, more: Partial<Passage>) => Object.assign(all[place] as object, more);
    at(1500, { text: "Why does the zeppelin crash?" });
    at(1501, { text: "FOLLOWING: because of hydrogen." });
    at(700, { text: "SUMMARY-OLD", role: "summary" });
    at(2000, { text: "SUMMARY-NEW", role: "summary" });
    const { text, truncated, bytes } = materialFor(
      all,
      rankWithin(all, "zeppelin crash", MOST_RANKED),
      20_000,
    );
    expect(truncated).toBe(true);
    expect(bytes).toBeLessThanOrEqual(20_000);
    expect(bytes).toBeGreaterThan(15_000);
    const places = [
      "GOAL",
      "SUMMARY-OLD",
      "zeppelin",
      "FOLLOWING",
      "SUMMARY-NEW",
      "number 2999",
      "THE END",
    ].map((one) => text.indexOf(one));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toMatch(/\(\d+ passages left out here\)\nSUMMARY-OLD/);
  });

  it("is bounded even if one turn, or everything, matches the question", () => {
    const log = `zeppelin ${"ü".repeat(700)} `;
    const same = passages(
      ...Array.from({ length: 500 }, () => ({ turn: "one", role: "user" as const, text: log })),
    );
    for (const all of [same, passages(...same.map(({ text }) => text))])
      expect(materialFor(all, rankWithin(all, "zeppelin", MOST_RANKED), 10_000).bytes).toBeLessThanOrEqual(
        10_000,
      );
  });
});
