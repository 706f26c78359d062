import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { indexSearch } from "../../../../src/cli/commands/sessions/pick-index.ts";
import { type PickState, press, startPicking } from "../../../../src/cli/commands/sessions/pick-state.ts";
import type { SearchAnswer } from "../../../../src/sources/sessions/library.ts";
import { candidate, candidates } from "./candidates.ts";

const all = candidates("Fix cart rounding", "Move to pnpm");
const typed = (query: string): PickState =>
  press(startPicking(all, { width: 80, height: 10 }), { name: "text", text: query }) as PickState;

function answerOf(...names: string[]): SearchAnswer {
  const known = [...all, candidate({ name: "Not in the list" }, 99)];
  const found = known.filter(({ name }) => names.includes(name));
  const hits = found.map(({ session }) => ({
    session,
    score: 1,
    textScore: 1,
    matched: [],
    best: undefined,
  }));
  return { hits, total: hits.length, weaker: 0, notices: [] };
}

function setUp(answer: (query: string) => SearchAnswer, tookMs = 1) {
  const asked: string[] = [];
  const found: [string, string[]][] = [];
  let now = 0;
  const search = indexSearch({
    sessions: {
      search(query) {
        asked.push(query);
        now += tookMs;
        return answer(query);
      },
    },
    all,
    found: (query, sessions) => found.push([query, sessions.map(({ name }) => name)]),
    clock: () => now,
  });
  return { search, asked, found };
}

describe("the search of the index while one types", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("begins after a pause, with the last query only, and gives sessions that can be picked", () => {
    const { search, asked, found } = setUp(() => answerOf("Move to pnpm", "Not in the list"));
    for (const query of ["loc", "lock", "lockfile"]) {
      search.typed(typed(query));
      vi.advanceTimersByTime(100);
    }
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(asked).toEqual(["lockfile"]);
    expect(found).toEqual([["lockfile", ["Move to pnpm"]]]);
    search.typed(typed("lo"));
    search.typed(typed("other"));
    search.stop();
    vi.runAllTimers();
    expect(asked).toHaveLength(1);
  });

  it("waits for a longer pause after a slow search, and is not repeated after one that is too slow", () => {
    const slow = setUp(() => answerOf(), 300);
    slow.search.typed(typed("first"));
    vi.advanceTimersByTime(200);
    slow.search.typed(typed("second"));
    vi.advanceTimersByTime(1100);
    expect(slow.asked).toEqual(["first"]);
    vi.advanceTimersByTime(100);
    expect(slow.asked).toEqual(["first", "second"]);
    const late = setUp(() => answerOf("Move to pnpm"), 5000);
    for (const query of ["first", "second"]) {
      late.search.typed(typed(query));
      vi.runAllTimers();
    }
    expect(late.asked).toEqual(["first"]);
    expect(late.found).toEqual([
      ["first", ["Move to pnpm"]],
      ["second", []],
    ]);
  });

  it("an index that fails finds nothing and is not asked again", () => {
    const { search, asked, found } = setUp(() => {
      throw new Error("database is locked");
    });
    for (const query of ["first", "second"]) {
      search.typed(typed(query));
      vi.runAllTimers();
    }
    expect(asked).toEqual(["first"]);
    expect(found).toEqual([
      ["first", []],
      ["second", []],
    ]);
  });
});
