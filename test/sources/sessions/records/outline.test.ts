import { describe, expect, it } from "vitest";
import { tagsOf, ticketsIn } from "../../../../src/sources/sessions/records/make-record.ts";
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

  it.each([
    ["of a summary", "summary", "We decided to keep the old names for one more release."],
    [
      "that a report gives of the code",
      "assistant",
      "`InstallHooks()` now uses the root instead of the folder.",
    ],
    ["to go on", "assistant", "User decided to move on to the next file of the parser."],
    ["to go on with the work", "user", "Let's commit the parser and let's go with whatever follows."],
    ["without its subject", "user", "let's go with option 1 then."],
    ["in a line of code", "assistant", 't.Error("the parser must not show the whole file")'],
    ["about a decision to come", "assistant", "Final decision: whether a commit would be triggered."],
    ["that an agent only saw", "assistant", "The parser should not show whole files here."],
  ] as const)("but not one %s", (_, role, text) => {
    const said = [...passages("> hello there you"), { at: 1, turn: "t1", role, isCalls: false, text }];
    expect(outlineOf(said, []).decisions).toEqual([]);
  });

  it("what a person forbids", () => {
    const all = passages("> the parser should never show whole files");
    expect(outlineOf(all, []).decisions).toEqual([
      { text: "the parser should never show whole files", turn: "t0" },
    ]);
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

  it("ends with the last report, not with a remark after it", () => {
    const report =
      "All tests pass. The parser reads nested lists now, and the old reader is removed from the package.";
    const all = passages("> port the parser to lists", report, "> ls", "You typed `ls`, so I ran it.");
    expect(outlineOf(all, []).outcome).toEqual([{ text: report, turn: "t1" }]);
    const only = passages("> which shell is this", "It is a plain POSIX shell, started by the host.");
    expect(texts(outlineOf(only, []).outcome)).toEqual(["It is a plain POSIX shell, started by the host."]);
  });

  it("ends with the beginning of a long report, which has several passages", () => {
    const [asked, ...parts] = passages(
      "> port the parser",
      "Fixed: the parser reads nested lists.",
      "Details of it.",
    );
    const all = [...(asked ? [asked] : []), ...parts.map((one) => ({ ...one, turn: "t1" }))];
    const more = "The readers of both old formats were removed from the package as well.";
    const said = all.map((one, at) => (at === 2 ? { ...one, text: `\n\n${more}` } : one));
    expect(texts(outlineOf(said, []).outcome)).toEqual(["Fixed: the parser reads nested lists.", more]);
  });

  it("begins with the first request that asks for something", () => {
    const host = "> This session is being continued from a previous conversation that ran out of context.";
    const all = passages(
      "> /clear",
      "> hello there",
      host,
      "> port the parser to lists",
      "Fine.",
      "> thanks!",
    );
    expect(texts(outlineOf(all, []).goal)).toEqual(["port the parser to lists"]);
  });

  it("has a heading of a request as a sentence of its own", () => {
    const all = passages(
      "> Implement the following plan:\n\n# Port the parser\n\n## Summary\nIt reads lists.",
    );
    expect(texts(outlineOf(all, []).goal)).toEqual([
      "Implement the following plan: Port the parser. Summary. It reads lists.",
    ]);
  });

  it("has the most telling requests between the first and the last", () => {
    const all = passages(
      "> port the parser to lists",
      "> yes",
      "> Sort the baskets by price before the totals are rounded",
      "> Show currency symbols behind amounts in German invoices",
      "> can we commit this?",
      "> Hide empty baskets from the monthly report of the warehouse",
      "> Sort the baskets by price before the totals are rounded",
      "> Store VAT rates per country and year in rates.json",
      "> and the docs too",
    );
    expect(texts(outlineOf(all, []).goal)).toEqual([
      "port the parser to lists",
      "Also asked: Show currency symbols behind amounts in German invoices",
      "Also asked: Hide empty baskets from the monthly report of the warehouse",
      "Also asked: Store VAT rates per country and year in rates.json",
      "Last asked: and the docs too",
    ]);
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

it.each([
  ["ada/ent-112-cart", "Cart", ["ENT-112"]],
  ["ENT-7", "ENT-7 and ENT-8, then ENT-8 again", ["ENT-7", "ENT-8"]],
  ["main", "we work on linear ent-53 today", ["ENT-53"]],
  ["main", "bytes are no UTF-8, SHA-256 or ISO-8859 of GPT-4", []],
  ["fix-2", "do #1, #2 and #6 of the list, then step-3", []],
  ["main", "closes #4, like #112 in #283228", ["#112", "#4"]],
])("tickets of branch %j and %j are %j", (branch, text, tickets) => {
  expect(ticketsIn(branch, text)).toEqual(tickets);
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
