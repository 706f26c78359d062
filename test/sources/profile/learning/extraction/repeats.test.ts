import { describe, expect, it } from "vitest";
import { candidatesIn } from "../../../../../src/sources/profile/learning/extraction/candidates.ts";
import {
  addRepeats,
  formatRepeats,
  parseRepeats,
  type Repeat,
  SESSIONS_NEEDED,
} from "../../../../../src/sources/profile/learning/extraction/repeats.ts";
import { turn } from "./said.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Runs sessions one after the other and returns those in which something became due. */
function say(sessions: readonly { said: string; project?: string; turn?: string; session?: string }[]) {
  let memory: readonly Repeat[] = [];
  const due = sessions.map(({ said, project = "p", turn: id, session }, place) => {
    const found = candidatesIn({ ...turn(said), id: id ?? `t${place}` });
    const after = addRepeats(memory, found, { session: session ?? `s${place}`, project, at: place });
    memory = after.memory;
    return after.due.map((one) => one.content);
  });
  return { due, memory };
}

describe("an instruction that is repeated", () => {
  it("is due from the third session on, whatever its case and punctuation; the seed skips what it has", () => {
    const { due } = say([
      { said: "don't commit without running the linter" },
      { said: "Don't commit, without running the linter!" },
      { said: "please don't commit without running the linter" },
      { said: "don't commit without running the linter" },
    ]);
    expect(SESSIONS_NEEDED).toBe(3);
    expect(due.map((one) => one.length)).toEqual([0, 0, 1, 1]);
  });

  it("counts once per session, and once for all copies of a turn", () => {
    const said = "keep the fixtures small";
    expect(say([1, 2, 3].map(() => ({ said, session: "s" }))).due.flat()).toEqual([]);
    expect(say([1, 2, 3].map(() => ({ said, turn: "t" }))).due.flat()).toEqual([]);
  });

  it("counts in one project only", () => {
    const said = "keep the fixtures small";
    expect(say(["a", "b", "c"].map((project) => ({ said, project }))).due.flat()).toEqual([]);
  });

  it("is forgotten after a while, or when there are many newer ones", () => {
    const [found] = candidatesIn(turn("keep the fixtures small"));
    if (found === undefined) throw new Error("it should be found");
    const place = { session: "s", project: "p" };
    const { memory } = addRepeats([], [found], { ...place, at: 0 });
    expect(addRepeats(memory, [], { ...place, at: 119 * DAY }).memory).toHaveLength(1);
    expect(addRepeats(memory, [], { ...place, at: 121 * DAY }).memory).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, i) => ({ ...found, content: `keep ${i} small` }));
    const full = addRepeats(memory, many, { ...place, at: 1 }).memory;
    expect(full).toHaveLength(300);
    expect(full.some((one) => one.value === "keep the fixtures small")).toBe(false);
  });

  it("is read back from its file, which skips a damaged line", () => {
    const { memory } = say([{ said: "keep the fixtures small" }]);
    expect(parseRepeats(`{"half\n${formatRepeats(memory)}null\n{"value":1}\n`)).toEqual(memory);
  });
});
