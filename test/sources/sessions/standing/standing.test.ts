import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestIn } from "../../../../src/sources/sessions/standing/slots.ts";
import { standingOf } from "../../../../src/sources/sessions/standing/standing.ts";
import type { Step } from "../../../../src/sources/sessions/standing/steps.ts";

const user = (text: string): Step => ({ by: "user", text });
const agent = (text: string): Step => ({ by: "agent", text });
const calls: Step = { by: "calls", text: "", calls: [] };
const standing = (...steps: Step[]) => standingOf({ steps, edited: ["a.ts"], isWhole: true });
const texts = (all: readonly { readonly text: string }[] = []) => all.map(({ text }) => text);

describe("the sentences of a session", () => {
  it("are causes also if they stand before a tool call, with the sentence that an announcement promises", () => {
    const made = standing(
      user("why is the cart wrong?"),
      agent("Now I see the root cause. `roundCents` runs before the discount is subtracted."),
      calls,
      agent("The cart rounds after the discount now."),
    );
    expect(texts(made?.said.causes)).toEqual([
      "Now I see the root cause. `roundCents` runs before the discount is subtracted.",
    ]);
    expect(texts(made?.said.results)).toEqual(["The cart rounds after the discount now."]);
  });

  it("are open only if nothing was done after them in the same answer", () => {
    const made = standing(
      user("fix the tests"),
      agent("`test_refund` still fails, so I look at it."),
      calls,
      agent("`test_tax` was failing before this branch and is not fixed yet."),
    );
    expect(texts(made?.said.open)).toEqual([
      "`test_tax` was failing before this branch and is not fixed yet.",
    ]);
  });

  it("are no announcements, offers, narration or commands, with either apostrophe", () => {
    const noise = [
      "I’m loading the rules because you asked for them.",
      "Let me know if you'd like more because of this.",
    ];
    const made = standing(user("go through the cart"), ...noise.map(agent), agent("`npm test -- --because`"));
    expect([made?.said.causes, made?.said.results]).toEqual([[], []]);
  });

  it("fade with each request after them", () => {
    const made = standing(
      user("fix the cart"),
      agent("The root cause is the rounding in `roundCents`."),
      user("and the refunds"),
      agent("The root cause is the sign in `refundLines`."),
    );
    const [first = { weight: 0 }, second = { weight: 0 }] = made?.said.causes ?? [];
    expect(first.weight).toBeLessThan(second.weight);
  });
});

describe("what was asked", () => {
  it("is, of a pasted plan or a review, its heading and what stands before it", () => {
    const plan = `Implement the following plan:\n\n# Round half to even\n\n${"Each price is rounded. ".repeat(60)}`;
    expect(requestIn(plan)).toBe("Implement the following plan: Round half to even.");
  });

  it("is, of a long text without a heading, its beginning and a question at its end", () => {
    const text = `The checkout is slow.\n${"It takes three seconds on a phone. ".repeat(40)}\nCan you find out why?`;
    expect(requestIn(text)).toBe("The checkout is slow. Can you find out why?");
  });

  it("is open if nothing or a tool call follows it, and a question of the agent's at the end is kept", () => {
    expect(standing(user("add a test for refunds"), calls)?.isOpen).toBe(true);
    const asked = standing(user("add a test"), agent("I added it. Should refunds of zero be allowed?"));
    expect(asked).toMatchObject({ isOpen: false, question: "Should refunds of zero be allowed?" });
  });
});

describe("what a model wrote itself", () => {
  const SUMMARY = [
    "1. Primary Request and Intent:\n   The user wants prices rounded half to even.",
    "7. Pending Tasks:\n   - Add a test for refunds",
    "8. Current Work:\n   `roundCents` is done, `refundLines` is half done.",
  ].join("\n\n");

  it("is the summary of a compaction, by its headings", () => {
    const made = standing(
      { by: "summary", text: SUMMARY },
      agent("I go on with the refunds now, as planned."),
    );
    expect(made?.written).toMatchObject({
      goal: ["The user wants prices rounded half to even."],
      open: ["Add a test for refunds"],
      now: ["`roundCents` is done, `refundLines` is half done."],
    });
  });

  it("keeps only its goal once much was done after it", () => {
    const made = standing({ by: "summary", text: SUMMARY }, ...Array.from({ length: 40 }, () => calls));
    expect(made?.written).toMatchObject({ open: [], now: [] });
    expect(made?.written?.goal).toHaveLength(1);
  });

  it("is a handoff in an answer, and the newest one counts", () => {
    const handoff = (what: string) =>
      agent(`${"Everything is rounded now. ".repeat(20)}\n\n## Next steps\n- ${what}`);
    const made = standing(
      user("write a handoff"),
      handoff("Rounding of refunds"),
      handoff("Rounding of taxes"),
    );
    expect(made?.written?.open).toEqual(["Rounding of taxes"]);
  });
});

it("is made of any steps, in time that does not explode", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.constantFrom(
      "## ",
      "**",
      "1. A:",
      "<<E\n",
      '"',
      "'",
      "root cause",
      "because ",
      "\n",
      "`",
      "{",
      "=".repeat(500),
    ),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((all) => all.join(""));
  const step: fc.Arbitrary<Step> = fc.record({
    by: fc.constantFrom("user" as const, "agent" as const, "calls" as const, "summary" as const),
    text,
    calls: fc.array(
      fc.record({
        tool: text,
        input: fc.dictionary(fc.string(), fc.anything()),
        command: text,
        edits: fc.boolean(),
        output: text,
      }),
      { maxLength: 2 },
    ),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      const made = standing(...steps);
      for (const one of [...(made?.said.causes ?? []), ...(made?.said.open ?? [])])
        expect(one.text.length).toBeLessThanOrEqual(8_000);
    }),
    { numRuns: 200 },
  );
  const long = "a ".repeat(50_000);
  for (const repeated of ["<<E ", "a=b ", "[x](", "because ", "## a", "1. A:", "--- FAIL: ", "1 error "])
    standing(user(repeated.repeat(20_000)), agent(repeated.repeat(2_000)), {
      by: "calls",
      text: "",
      calls: [
        { tool: "x", input: { plan: long }, command: repeated.repeat(20_000), edits: true, output: long },
      ],
    });
});
