import { describe, expect, it } from "vitest";
import { tagsOf } from "../../../../src/sources/sessions/records/make-record.ts";
import { outlineOf } from "../../../../src/sources/sessions/records/outline.ts";
import { descriptionOf } from "../../../../src/sources/sessions/records/texts.ts";
import type { Passage, PastSession } from "../../../../src/sources/sessions/session.ts";

/** Prompts begin with ">", calls with "$"; all other lines are answers. */
function passages(...texts: readonly string[]): Passage[] {
  return texts.map((text, at) => ({
    at,
    turn: `t${at}`,
    role: text.startsWith(">") ? "user" : "assistant",
    isCalls: text.startsWith("$"),
    text: text.replace(/^[>$] ?/, ""),
  }));
}
const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);

describe("an outline counts as a decision", () => {
  it.each([
    "We decided to keep the old names for one more release.",
    "Let's go with the second option, it is shorter.",
    "Invalid themes must never crash the app.",
    "Use `queueMessage` instead of `appendMessage` while streaming.",
    "Instead of opening a new repo, I pass the one that is open already.",
    "Key design decision: shell out to the CLI.",
  ])("%s", (sentence) => {
    expect(texts(outlineOf(passages("> hello there you", sentence), []).decisions)).toEqual([sentence]);
  });

  it.each([
    "`toolText` is defined in the theme but never used.",
    "Created summarize.go with an interface of its own.",
    "Four sessions were condensed instead of two, it seems.",
    "Should we use a heap instead of a map?",
    "Now let me update the method to queue instead of append.",
    "That is a separate design decision.",
  ])("but not: %s", (sentence) => {
    expect(outlineOf(passages("> hello there you", sentence), []).decisions).toEqual([]);
  });

  it("a decision once, however often it is repeated with other punctuation", () => {
    const all = passages(
      "Use a heap instead of a map.",
      '"Use a heap instead of a map."',
      "> use a heap instead of a map!!",
    );
    expect(outlineOf(all, []).decisions).toHaveLength(1);
  });
});

describe("an outline", () => {
  it("has a line above a list only with the list", () => {
    const { next, outcome } = outlineOf(
      passages(
        "> please tidy up here",
        "All tests pass. Here is what changed:\n\n- the parser\n- the docs\n\nFiles modified:\n\n```\na.ts\n```\n\nNext steps when you are ready:\n- Delete the old code\n- Rename main-new.ts",
      ),
      [],
    );
    expect(texts(next)).toEqual(["Next steps when you are ready: Delete the old code; Rename main-new.ts"]);
    expect(texts(outcome)[0]).toBe("All tests pass. Here is what changed: the parser; the docs");
    expect(texts(outcome).join()).not.toContain("Files modified");
  });

  it("has no headings, rules and bold lines in the outcome, and sub-items after a colon", () => {
    const { next, outcome } = outlineOf(
      passages(
        "> please tidy up here",
        "All tests pass. Here is the summary:\n\n## Summary\n\nThe parser is new.\n\n---\n\n**Test coverage**\n\n### Behaviour\nIt is faster:\n- for files:\n  - large ones\n  - small ones\n\nStill to do:\n1. Fix the errors:\n   - `a.ts`\n   - `b.ts`",
      ),
      [],
    );
    expect(texts(outcome)).toEqual([
      "All tests pass. Here is the summary: The parser is new.",
      "It is faster: for files: large ones; small ones",
      "Still to do: Fix the errors: `a.ts`; `b.ts`",
    ]);
    expect(texts(next)).toEqual(["Still to do: Fix the errors: `a.ts`; `b.ts`"]);
  });

  it("has the last of several questions of the agent, without the list marker", () => {
    const all = passages("> and now the docs", "Should I:\n- delete the file?\n- or leave it as it is?");
    expect(texts(outlineOf(all, []).next)).toEqual(["The agent asked: or leave it as it is?"]);
  });

  it("says what is open: an unanswered request or a question of the agent", () => {
    expect(texts(outlineOf(passages("Done.", "> and now the docs"), []).next)).toEqual([
      "Not answered yet: and now the docs",
    ]);
    expect(
      texts(outlineOf(passages("> and now the docs", "Created them. Want me to commit it?"), []).next),
    ).toEqual(["The agent asked: Want me to commit it?"]);
  });

  it("ends with what was done, not with an announcement", () => {
    const all = passages(
      "> start the server",
      "The server runs in the background now.\n\nLet me check the status of it.",
    );
    expect(texts(outlineOf(all, []).outcome)).toEqual(["The server runs in the background now."]);
  });

  it("has commands without their folder and the filters of their output", () => {
    const all = passages(
      "$ Bash cd /work/shop && npm run check 2>&1 | grep -E error | head -10",
      "$ bash git commit -m 'x'",
    );
    expect(texts(outlineOf(all, []).commands)).toEqual(["npm run check", "git commit -m 'x'"]);
  });

  it("cuts a long request at the end of a sentence", () => {
    const long = `> ${"This is one sentence of it. ".repeat(20)}`;
    expect(texts(outlineOf(passages(long), []).goal)[0]).toMatch(/of it\. …$/);
  });
});

const SESSION = {
  host: "pi",
  id: "x",
  name: "x",
  started: 0,
  counts: { prompts: 1, turns: 2 },
} as unknown as PastSession;

it("a description consists of sentences", () => {
  const outline = outlineOf(passages("> push it to the branch", "All tests pass and it is pushed"), []);
  expect(descriptionOf(SESSION, outline)).toBe(
    "push it to the branch. Ended with: All tests pass and it is pushed. 1 prompt, 2 turns, 1970-01-01.",
  );
});

it("tags are the session's topics: no colours as tickets, no words of every session", () => {
  const all = passages(
    "> please look at something in the theme, the color #283228 and ticket #42",
    "The theme is loaded late.",
    "The theme has colors.",
  );
  const tags = tagsOf(SESSION, all, []);
  expect(tags).toContain("ticket:#42");
  expect(tags).toContain("theme");
  expect(tags.join()).not.toMatch(/283228|something|please|look/);
});
