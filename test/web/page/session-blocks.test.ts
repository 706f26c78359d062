import { describe, expect, it } from "vitest";
import type { Conversation, ShownTurn } from "../../../src/web/api/conversation.ts";
import { blocksOf, summaryOf } from "../../../src/web/page/conversation/blocks.ts";
import { asList, MOST_TURNS, withEarlier, withLater } from "../../../src/web/page/session/turn-list.ts";

const turn = (id: string, more: Partial<ShownTurn> = {}): ShownTurn => ({
  id,
  place: `00000000.${id}`,
  role: "user",
  said: { text: `text of ${id}` },
  calls: [],
  answers: [],
  images: [],
  marks: [],
  ...more,
});
const call = (id: string, verb = "Read") => ({
  id,
  name: verb,
  verb,
  about: id,
  files: [],
  input: { text: "{}" },
});
const calling = (id: string, ...calls: string[]) =>
  turn(id, { role: "assistant", said: { text: "" }, calls: calls.map((one) => call(one)) });
const result = (id: string, of: string, failed = false) =>
  turn(id, { role: "tool", answers: [{ call: of, ...(failed && { failed: true as const }) }] });
const page = (turns: readonly ShownTurn[], more: Partial<Conversation> = {}): Conversation => ({
  ...{ source: "transcript", turns, before: null, after: "end", isEnd: true, notices: [] },
  ...more,
});

describe("blocks of a conversation", () => {
  it("join calls that follow each other, and put results to their calls", () => {
    const blocks = blocksOf([
      turn("p"),
      calling("a", "c1", "c2"),
      result("r1", "c1"),
      result("r2", "c2", true),
      calling("b", "c3"),
    ]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["message", "calls"]);
    const [, calls] = blocks;
    if (calls?.kind !== "calls") throw new Error("no calls");
    expect(calls.calls.map(({ call, result, isFailed }) => [call.id, result?.id, isFailed])).toEqual([
      ["c1", "r1", false],
      ["c2", "r2", true],
      ["c3", undefined, false],
    ]);
    expect(summaryOf(calls.calls)).toBe("Read 3");
  });

  it("tell a call that the person rejected from one that failed", () => {
    const no = turn("r", { role: "tool", answers: [{ call: "c1", failed: true, rejected: true }] });
    const [calls] = blocksOf([calling("a", "c1"), no]);
    if (calls?.kind !== "calls") throw new Error("no calls");
    expect(calls.calls).toMatchObject([{ isFailed: false, isRejected: true }]);
  });

  it("show a result whose call is further up, and compactions, asides and errors at their place", () => {
    const blocks = blocksOf([
      result("r", "unknown"),
      turn("s", { role: "summary", marks: ["compaction"] }),
      turn("o", { role: "other", marks: ["injected", "ours"] }),
      turn("m", { marks: ["machineMade"] }),
      turn("e", { role: "other", marks: ["error"] }),
    ]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["result", "compaction", "aside", "aside", "message"]);
  });

  it("mark where an abandoned branch begins and where the session continues", () => {
    const blocks = blocksOf([
      turn("1"),
      turn("2", { marks: ["otherBranch"] }),
      turn("3", { marks: ["otherBranch"] }),
      turn("4"),
    ]);
    expect(blocks.map((block) => (block.kind === "boundary" ? block.what : block.kind))).toEqual([
      "message",
      "abandoned",
      "message",
      "message",
      "current",
      "message",
    ]);
  });
});

describe("the loaded part of a conversation", () => {
  it("takes a turn that comes again at its old place, with its new text", () => {
    const list = withLater(
      asList(page([turn("1"), turn("2")])),
      page([turn("2", { said: { text: "more" } }), turn("3")]),
    );
    expect(list.turns.map(({ id, said }) => [id, said.text])).toEqual([
      ["1", "text of 1"],
      ["2", "more"],
      ["3", "text of 3"],
    ]);
  });

  it("drops what is far away, and knows from where to load it again", () => {
    const many = Array.from({ length: MOST_TURNS }, (_, at) => turn(`n${at}`));
    const list = asList(page(many, { before: "earlier" }));
    const later = withLater(list, page([turn("new")]));
    expect(later.turns).toHaveLength(MOST_TURNS);
    expect(later.before).toBe("00000000.n1");
    const earlier = withEarlier(list, page([turn("old")], { before: "older" }));
    expect(earlier.turns).toHaveLength(MOST_TURNS);
    expect(earlier).toMatchObject({ before: "older", after: `00000000.n${MOST_TURNS - 1}`, isEnd: false });
  });
});
