import { describe, expect, it } from "vitest";
import { branchTopic, makeName } from "../../../../src/sources/sessions/indexing/name.ts";
import { commitSubjects } from "../../../../src/sources/sessions/indexing/own-names.ts";

it.each([
  ["fix the login", "Fix the login"],
  ["okay, so can you please fix the login?", "Fix the login"],
  ["push and PR", "Push and PR"],
  ["ok", "Ok"],
  ["Why, oh why", "Why, oh why"],
  [
    "alright, read @packages/coding-agent/src/main.ts @packages/coding-agent/src/tui/tui-renderer.ts in full. i feel",
    "Read main.ts tui-renderer.ts in full",
  ],
  [
    "read packages/a/docs/theme.md in full, then theme.ts, and then the other selectors and whatever they use",
    "Read theme.md in full, then theme.ts, and then the other selectors …",
  ],
  [
    "have a look at linear MCP-108 that Alex wrote, we will work on it here, in this branch",
    "Linear MCP-108 that Alex wrote, we will work on it here, in this branch",
  ],
  ["when running:\n❯ shop enable\n\nI'd like to see more", "When running: shop enable"],
  ["take a look at: The wrappers are not used. Remove?", "The wrappers are not used"],
  ["I'm working on linear ENT-98. keep notes", "I'm working on linear ENT-98"],
  ["• by using this software you agree", "By using this software you agree"],
  ["-v is no option of ours?", "-v is no option of ours"],
  ["We are reviewing https://github.com/entire/cli/pull/102 now", "We are reviewing PR 102 now"],
  ["I think we have a bug with the prices …", "We have a bug with the prices …"],
  [
    "look at the changes in this branch and update the docs of the parser if that is necessary",
    "Look at the changes in this branch and update the docs of the parser …",
  ],
  [
    "calculatePromptAttributionAtStart and CalculateAttributionWithAccumulated disagree",
    "calculatePromptAttributionAtStart and CalculateAttributionWithAccumulated …",
  ],
  ["schöne Grüße an alle", "Schöne Grüße an alle"],
  ["see @@confirm-button-refactor", "See another session"],
  [
    'how did @@"confirm button refactor"~2 store its theme colours?',
    "How did another session store its theme colours",
  ],
  ["a request that was\nwrapped by its editor", "A request that was wrapped by its editor"],
])("a session that begins with %j is named %j", (request, name) => {
  expect(makeName({ requests: [request] })).toBe(name);
});

describe("a name", () => {
  it.each([
    [
      "Implement the following plan:\n\n# Disable telemetry by default\n\nFirst",
      "Disable telemetry by default",
    ],
    ["# Cart rounding\n\n`code` and **bold** words", "Cart rounding"],
    ["# Plan: Round carts half up\n## Summary\nPrices are rounded down", "Round carts half up"],
  ])("is a heading alone, never run into the next line: %j", (request, name) => {
    expect(makeName({ requests: [request] })).toBe(name);
  });

  it("is never the title of a section of any review", () => {
    expect(makeName({ requests: ["Low Severity\n\nRounding half down loses a cent per basket."] })).toBe(
      "Rounding half down loses a cent per basket",
    );
  });

  it("is what a request announces, not the announcement", () => {
    const request =
      "I got this feedback for the changes: Rounding half down loses a cent per basket.\nCan you check?";
    expect(makeName({ requests: [request] })).toBe("Rounding half down loses a cent per basket");
    const quoted = 'a comment says "Rounding half down loses a cent per basket." is it right?';
    expect(makeName({ requests: [quoted] })).toBe("Rounding half down loses a cent per basket");
  });

  it("has the branch, else a file, if the request could be any session's", () => {
    const review = { requests: ["can you review the changes in this branch?"] };
    expect(makeName({ ...review, branch: "ada/cart-rounding", edited: ["src/cart.ts"] })).toBe(
      "Review the changes in this branch (cart-rounding)",
    );
    expect(makeName({ ...review, branch: "main", edited: ["docs/cart.md", "src/cart.ts"] })).toBe(
      "Review the changes in this branch (cart.ts)",
    );
    expect(makeName({ ...review, branch: "main" })).toBe("Review the changes in this branch");
    expect(makeName({ requests: ["lint", "push"], branch: "fix/cart" })).toBe("Lint (cart)");
    expect(makeName({ requests: ["/clear", "ok"], edited: ["src/cart.ts"] })).toBe("Ok (cart.ts)");
    expect(makeName({ requests: [], edited: ["src/cart.ts"] })).toBe("cart.ts");
  });

  it("is a commit's subject if the request tells nothing, and a telling request otherwise", () => {
    const commits = ["Round carts half up in the basket"];
    expect(makeName({ requests: ["commit this"], commits, branch: "cart" })).toBe(commits[0]);
    expect(makeName({ requests: ["Why does the basket lose a cent per order?"], commits })).toBe(
      "Why does the basket lose a cent per order",
    );
  });

  it("is a telling request of two words rather than a later one of three", () => {
    expect(makeName({ requests: ["Checkout totals", "push and PR", "look at the review comment"] })).toBe(
      "Checkout totals",
    );
    expect(makeName({ requests: ["go on", "push", "The basket loses a cent per order"] })).toBe(
      "The basket loses a cent per order",
    );
  });

  it("is never a command, a confirmation or a text of the host where something else was asked", () => {
    const host =
      "This session is being continued from a previous conversation that ran out of context. Basket and cents.";
    expect(makeName({ requests: ["/clear", host, "ok", "round the basket"] })).toBe("Round the basket");
    expect(makeName({ requests: ["/clear", "go on"] })).toBe("Go on");
    expect(makeName({ requests: ["/clear", ""] })).toBeUndefined();
  });

  it("is short, and made in a short time, whatever the session", () => {
    for (const text of [
      "a".repeat(50_000),
      "a/".repeat(30_000),
      "so ".repeat(20_000),
      "1".repeat(20_000),
      `https://${"x/".repeat(20_000)}`,
      `feedback "${'" '.repeat(20_000)}`,
      "word: \n".repeat(5000),
      "修复登录".repeat(5000),
    ]) {
      const name = makeName({ requests: [text, text], branch: text, commits: [text], edited: [text] }) ?? "";
      expect([...name].length).toBeLessThanOrEqual(80);
    }
  });
});

it("a branch tells its topic without its author; a main branch and a commit id tell nothing", () => {
  expect(branchTopic("ada/ENT-112-cart")).toBe("ENT-112-cart");
  for (const branch of ["main", "origin/master", "HEAD", "0123abc", "", undefined])
    expect(branchTopic(branch)).toBeUndefined();
});

it("subjects of commits and pull requests are found in commands, the latest first", () => {
  const body = "- first thing Co-Authored-By: A <a@b.c>";
  const lines = [
    'Bash git add -A && git commit -m "cart: round half up" && git push',
    `Bash git commit -q -m "$(cat <<'EOF' Fix the basket ${body} EOF )"`,
    "Bash git -C /p commit -am 'say \\\"when\\\"'",
    'shell gh pr create --title "Basket totals" --body "x"',
    "Bash git commit --amend --no-edit",
    "Bash git log --format=commit -m",
    'Bash git commit -m "$(generate)"',
    'Bash git commit -m "cart: round half up"',
  ];
  expect(commitSubjects(lines)).toEqual([
    "cart: round half up",
    "Basket totals",
    'say "when"',
    "Fix the basket",
  ]);
  expect(commitSubjects([`Bash git commit -m "${"long words ".repeat(30)}`])[0]?.length).toBeLessThanOrEqual(
    72,
  );
});
