import { describe, expect, it } from "vitest";
import { RERANKED, rerank } from "../../../../src/search/rank/rerank.ts";
import { NGRAMS } from "../../../../src/sources/sessions/search/search.ts";
import { rankWithin } from "../../../../src/sources/sessions/search/within.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

const TOGETHER = "So the shadow branch goes to the worktree.";
const APART = "So the branch goes to the shadow worktree.";

describe("a search of sessions", () => {
  it("ranks the session first whose words are in the query's order, if the words alone are equal", async () => {
    const here = place();
    for (const id of ["a", "c"]) here.write(id, [ask("Go on"), answer(APART)]);
    here.write("b", [ask("Go on"), answer(TOGETHER)]);
    for (const id of ["d", "e"]) here.write(id, [ask("Go on"), answer(APART)]);
    const sessions = here.open();
    await sessions.sync();
    const { hits } = sessions.search("shadow branch");
    expect(hits.map(({ session }) => session.id)[0]).toBe("b");
    expect(hits[0]?.best?.text).toBe(TOGETHER);
  });

  it("gives for a short list the beginning of a longer one, best score first", async () => {
    const here = place();
    for (let at = 0; at < RERANKED + 10; at++)
      here.write(`s${at}`, [
        ask(`Step ${at}`),
        answer(at % 3 === 0 ? TOGETHER : `${APART} ${"More. ".repeat(at)}`),
      ]);
    const sessions = here.open();
    await sessions.sync();
    const all = sessions.search("shadow branch", { limit: 100 }).hits;
    expect(all).toHaveLength(RERANKED + 10);
    const few = sessions.search("shadow branch", { limit: 5 }).hits;
    expect(few.map(({ session }) => session.id)).toEqual(all.slice(0, 5).map(({ session }) => session.id));
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("finds a session by its name alone, without a passage if there is no table of meaning", async () => {
    const here = place({ meaning: () => undefined });
    here.write("one", [ask("Go on"), answer("Nothing of it is said.")]);
    const sessions = here.open();
    await sessions.sync();
    await sessions.rename({ host: CLAUDE, id: "one" }, "pangolin work");
    expect(sessions.search("pangolin").hits).toMatchObject([{ session: { id: "one" } }]);
    expect(sessions.search("pangolin").hits[0]?.best).toBeUndefined();
  });
});

describe("reranking by n-grams", () => {
  const texts = [APART, APART, TOGETHER];

  it("moves similar texts up, and keeps those that score much higher", () => {
    const order = (strengths: readonly number[]) =>
      rerank(
        "shadow branch",
        strengths.map((strength, at) => ({ strength, text: texts[at] ?? "" })),
        ({ text }) => text,
        NGRAMS,
      ).map(({ one }) => one.text);
    expect(order([0.3, 0.3, 0.3])).toEqual([TOGETHER, APART, APART]);
    expect(order([1, 0.3, 0.2])[0]).toBe(APART);
  });

  it("never moves a hit up from behind those that are compared", () => {
    const ranked = Array.from({ length: RERANKED + 1 }, (_, at) => ({
      strength: 0.5,
      text: at === RERANKED ? TOGETHER : "other",
    }));
    expect(rerank("shadow branch", ranked, ({ text }) => text, NGRAMS).at(-1)?.one.text).toBe(TOGETHER);
  });
});

describe("the passages of one session", () => {
  it("are ordered by n-grams too, which count in their scores", () => {
    const passages = [APART, TOGETHER, "Else."].map((text, at) => ({
      at,
      turn: `t${at}`,
      role: "assistant" as const,
      isCalls: false,
      text,
    }));
    const [one, two] = rankWithin(passages, "shadow branch", 5);
    expect([one?.text, two?.text]).toEqual([TOGETHER, APART]);
    expect(one?.score).toBeGreaterThan(two?.score ?? 1);
    expect(two?.score).toBeGreaterThan(0);
    expect(one?.score).toBeLessThan(1);
  });
});
