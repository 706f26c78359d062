import { expect, it } from "vitest";
import { nameFromRequest } from "../../../../src/sources/sessions/indexing/name.ts";

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
    "Read theme.md in full, then theme.ts …",
  ],
  [
    "have a look at linear MCP-108 that Alex wrote, we will work on it here, in this branch",
    "Have a look at linear MCP-108 that Alex wrote …",
  ],
  [
    "when running:\n❯ shop enable\n\nI'd like to see more",
    "When running: ❯ shop enable I'd like to see more",
  ],
  ["take a look at: The wrappers are not used. Remove?", "Take a look at: The wrappers are not used"],
  ["can you fix:  1. Critical: Duplicate code", "Fix: 1. Critical: Duplicate code"],
  ["I'm working on linear ENT-98. keep notes", "I'm working on linear ENT-98"],
  ["• by using this software you agree", "By using this software you agree"],
  ["-v is no option of ours?", "-v is no option of ours"],
  ["We are reviewing https://github.com/entire/cli/pull/102 now", "We are reviewing pull/102 now"],
  ["I think we have a bug with the prices …", "I think we have a bug with the prices …"],
  [
    "look at the changes in this branch and update the docs of the parser if that is necessary",
    "Look at the changes in this branch and update the docs …",
  ],
  [
    "calculatePromptAttributionAtStart and CalculateAttributionWithAccumulated disagree",
    "CalculatePromptAttributionAtStart …",
  ],
  [
    "Implement the following plan:\n\n# Disable telemetry by default\n\nFirst",
    "Disable telemetry by default First",
  ],
  ["# Heading\n\n`code` and **bold** words", "Heading code and bold words"],
  ["schöne Grüße an alle", "Schöne Grüße an alle"],
])("a session that begins with %j is named %j", (request, name) => {
  expect(nameFromRequest([request])).toBe(name);
});

it("a session is named after the first meaningful request, never after a command", () => {
  expect(nameFromRequest(["/clear", "go on", "push and PR", "look at the review comment"])).toBe(
    "Look at the review comment",
  );
  expect(nameFromRequest(["go on", "push and PR"])).toBe("Push and PR");
  expect(nameFromRequest(["/clear", "go on"])).toBe("Go on");
  expect(nameFromRequest(["/clear", ""])).toBeUndefined();
});

it("a name is short, whatever the request", () => {
  for (const request of [
    "a".repeat(5000),
    "a/".repeat(3000),
    "so ".repeat(2000),
    `https://${"x/".repeat(2000)}`,
  ])
    expect([...(nameFromRequest([request]) ?? "")].length).toBeLessThanOrEqual(80);
});
