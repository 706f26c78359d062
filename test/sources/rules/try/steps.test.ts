import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Turn } from "../../../../src/moments/ports/turn.ts";
import { stepsOf } from "../../../../src/sources/rules/try/steps.ts";

const BASE = { id: "t", text: "", calls: [], answers: [], offset: 0, marks: {} } as const;

const user = (text = "go on", more: Partial<Turn> = {}): Turn => ({ ...BASE, role: "user", text, ...more });
const said = (text: string, calls: readonly string[] = [], more: Partial<Turn> = {}): Turn => ({
  ...BASE,
  role: "assistant",
  text,
  calls: calls.map((id) => ({ id, name: "Edit", input: {}, files: [] })),
  ...more,
});
const result = (call: string, failed = false, more: Partial<Turn> = {}): Turn => ({
  ...BASE,
  role: "tool",
  answers: [{ call, ...(failed ? { failed: true as const } : {}) }],
  ...more,
});

/** `a` for a call, `a!` for one that failed, `= text` for a stop. */
const steps = (...turns: readonly Turn[]): string[] =>
  [...stepsOf(turns)].map((step) =>
    step.kind === "stop" ? `= ${step.answer}` : `${step.call.id}${step.hasFailed ? "!" : ""}`,
  );

describe("the steps of a past session", () => {
  it("are its calls with their results, and its last answer before each request and at the end", () => {
    const turns = [user(), said("I edit.", ["a"]), result("a"), said("Done."), user(), said("Yes.")];
    expect(steps(...turns)).toEqual(["a", "= Done.", "= Yes."]);
  });

  it("keep the order of calls that are answered in another order", () => {
    expect(steps(user(), said("", ["a", "b", "c"]), result("c"), result("b", true), result("a"))).toEqual([
      "a",
      "b!",
      "c",
    ]);
  });

  it("count a call without a result as done, and give it before the next request", () => {
    expect(steps(user(), said("", ["a"]), user(), said("", ["b"]), result("b"))).toEqual(["a", "b"]);
  });

  it("have no stop where the agent was interrupted in its work", () => {
    expect(steps(user(), said("I edit.", ["a"]), user("wait"), said("", ["b"]))).toEqual(["a", "b"]);
    expect(steps(user(), said("First.", ["a"]), result("a"))).toEqual(["a"]);
  });

  it("have the calls of a subagent, but not its answers", () => {
    const inside = { marks: { sidechain: true } } as const;
    const turns = [
      user(),
      said("", ["a"]),
      user("a task", inside),
      said("", ["b"], inside),
      result("b", false, inside),
      said("Found.", [], inside),
      result("a"),
      said("Done."),
    ];
    expect(steps(...turns)).toEqual(["a", "b", "= Done."]);
  });

  it("leave out what a fork copied from another session", () => {
    const copied = { marks: { copied: true } } as const;
    expect(steps(user("", copied), said("Old.", ["a"], copied), user(), said("New."))).toEqual(["= New."]);
  });

  it("do not wait for ever for a result: not over many calls, not over many bytes", () => {
    const many = Array.from({ length: 500 }, (_, at) => said("", [`c${at}`]));
    const seen: string[] = [];
    let given = 0;
    const counted = function* () {
      for (const turn of many) {
        given++;
        yield turn;
      }
    };
    for (const step of stepsOf(counted())) {
      if (step.kind === "call") seen.push(step.call.id ?? "");
      expect(given - seen.length).toBeLessThanOrEqual(200);
    }
    expect(seen).toHaveLength(500);
    const far = [said("", ["a"]), said("", ["b"], { offset: 40_000_000 })];
    const first = stepsOf(
      (function* () {
        yield* far;
        throw new Error("read on");
      })(),
    ).next();
    expect(first.value).toMatchObject({ call: { id: "a" } });
  });

  it("have every call exactly once, in order, whatever the turns are", () => {
    const turn = fc.oneof(
      fc.constant(user()),
      fc.array(fc.nat(9), { maxLength: 3 }).map((ids) => said("x", ids.map(String))),
      fc.tuple(fc.nat(9), fc.boolean()).map(([id, failed]) => result(String(id), failed)),
    );
    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        const calls = [...stepsOf(turns)].flatMap((step) => (step.kind === "call" ? [step.call.id] : []));
        expect(calls).toEqual(turns.flatMap((one) => one.calls.map(({ id }) => id)));
      }),
    );
  });
});
