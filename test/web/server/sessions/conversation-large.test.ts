import { closeSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ShownTurn } from "../../../../src/web/api/conversation.ts";
import { heldMemory } from "../../../support/held-memory.ts";
import { answered, asked, line, pageWorld, said } from "./page-world.ts";

type Here = ReturnType<typeof pageWorld>;

async function backwards(here: Here, limit: number): Promise<ShownTurn[]> {
  let page = await here.conversation({ limit: String(limit) });
  const turns = [...page.turns];
  for (let pages = 0; page.before !== null && pages < 2000; pages++) {
    page = await here.conversation({ limit: String(limit), before: page.before });
    turns.unshift(...page.turns);
  }
  return turns;
}

/** A line of exactly this many bytes. */
const sized = (text: string, bytes: number): string => {
  const short = asked(text, text);
  return asked(`${text}${" ".repeat(bytes - short.length)}`, text);
};

describe("a large transcript", () => {
  it("of 200 MB opens at its end, pages back, and begins at its beginning, with little memory", async () => {
    const here = pageWorld();
    mkdirSync(dirname(here.path), { recursive: true });
    const file = openSync(here.path, "w");
    const filler = "x".repeat(100_000);
    const result = (at: number) => asked(`${at} ${filler}`, `f${at}`);
    writeSync(file, asked("the very first", "first"));
    for (let at = 0; at < 2000; at++) writeSync(file, result(at));
    writeSync(file, answered("the very last", "last"));
    closeSync(file);
    expect(statSync(here.path).size).toBeGreaterThan(200_000_000);
    // Known by its first lines only: nobody waits until it is indexed.
    await (await here.web.sessions()).sync({ sliceMs: 1 });
    const before = heldMemory();
    const page = await here.conversation({ limit: "20" });
    expect(said(page.turns).at(-1)).toBe("the very last");
    expect(page.turns).toHaveLength(20);
    expect(page.turns[0]?.said.text).toMatch(/^1981 x/);
    const earlier = await here.conversation({ limit: "20", before: page.before ?? "" });
    expect(earlier.turns.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => `f${1961 + i}`));
    const begin = await here.conversation({ limit: "5", after: "start" });
    expect(said(begin.turns)[0]).toBe("the very first");
    const middle = await here.conversation({ limit: "5", around: "f1000" });
    expect(middle.turns.map(({ id }) => id)).toContain("f1000");
    expect(heldMemory() - before).toBeLessThan(50_000_000);
  });

  it("whose lines begin exactly where windows begin loses none of them", async () => {
    const here = pageWorld();
    const turns = Array.from({ length: 700 }, (_, at) => sized(`t${at}`, 1024));
    here.transcript(...turns);
    await here.sync();
    expect((await backwards(here, 60)).map(({ id }) => id)).toEqual(turns.map((_, at) => `t${at}`));
  });

  it("with long stretches that hold no conversation is read across them", async () => {
    const here = pageWorld();
    const state = Array.from({ length: 900 }, () =>
      line("progress", { data: "y".repeat(1000) }).padEnd(1023),
    );
    here.transcript(asked("before", "a"), ...state, asked("after", "b"));
    await here.sync();
    expect((await backwards(here, 10)).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("is the same, whatever its lines and however many are asked for", async () => {
    const lineOf = fc.record({
      kind: fc.constantFrom("user", "answer", "same answer", "state"),
      bytes: fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 2000, max: 300_000 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(lineOf, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 9 }),
        async (lines, limit) => {
          const here = pageWorld();
          let answer = 0;
          const written = lines.map(({ kind, bytes }, at) => {
            const text = "z".repeat(bytes);
            if (kind === "user") return asked(text, `i${at}`);
            if (kind === "state") return line("progress", { text });
            if (kind === "answer") answer++;
            const message = { id: `m${answer}`, role: "assistant", content: [{ type: "text", text }] };
            return line("assistant", { message }, `i${at}`);
          });
          here.transcript(...written);
          const library = await here.web.sessions();
          await library.sync();
          const key = { host: "claude-code", id: "6a1d3c52-9c1f-4c35-8a7e-0d5f4b7f2e11" };
          const expected = [...library.turns(key)].map(({ id, text }) => [id, text.length]);
          if (expected.length === 0) return;
          const found = await backwards(here, limit);
          expect(found.map(({ id, said }) => [id, said.of ?? said.text.length])).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });
});
