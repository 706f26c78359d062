import { describe, expect, it } from "vitest";
import { candidatesIn } from "../../../../../src/sources/profile/learning/extraction/candidates.ts";
import { heardIn, turn } from "./said.ts";

describe("what a user says about how they want to work", () => {
  it.each([
    // standing instructions
    ["from now on always use pnpm in this repo", "pattern", "Always use pnpm in this repo"],
    ["From now on, don't touch generated files.", "pattern", "Don't touch generated files"],
    ["ok, please write tests first from now on", "pattern", "Write tests first"],
    ["Always run the tests before you commit!", "pattern", "Always run the tests before you commit"],
    ["never push to main", "pattern", "Never push to main"],
    [
      "Thanks. You should always ask before deleting files.",
      "pattern",
      "You should always ask before deleting files",
    ],
    ["make sure you always format with biome", "pattern", "Make sure you always format with biome"],
    ["don't commit to main again", "pattern", "Don't commit to main again"],
    ["Don't ever amend published commits", "pattern", "Don't ever amend published commits"],
    ["Run the linter after every change", "pattern", "Run the linter after every change"],
    [
      "Every time you add a migration, update the schema docs",
      "pattern",
      "Every time you add a migration, update the schema docs",
    ],
    [
      "When writing tests, always use real databases",
      "pattern",
      "When writing tests, always use real databases",
    ],
    ["don't add dependencies without asking", "pattern", "Don't add dependencies without asking"],
    [
      "we should use strong types instead of strings wherever we can",
      "pattern",
      "We should use strong types instead of strings wherever we can",
    ],
    // corrections
    ["no, use pnpm", "pattern", "Use pnpm"],
    ["No! Please run vitest instead of jest", "pattern", "Run vitest instead of jest"],
    ["use ripgrep instead of grep", "pattern", "Use ripgrep instead of grep"],
    ["Instead of npm use pnpm.", "pattern", "Instead of npm use pnpm"],
    ["don't use yarn", "pattern", "Don't use yarn"],
    ["stop adding comments to obvious code", "pattern", "Stop adding comments to obvious code"],
    // preferences
    ["I prefer small commits with one purpose", "pattern", "I prefer small commits with one purpose"],
    [
      "I like it when you explain the trade-offs briefly",
      "pattern",
      "I like it when you explain the trade-offs briefly",
    ],
    ["I want you to always show the diff first", "pattern", "I want you to always show the diff first"],
    [
      "I'd rather you asked before installing packages",
      "pattern",
      "I'd rather you asked before installing packages",
    ],
    // conventions
    ["In this repo we use tabs.", "insight", "In this repo we use tabs"],
    ["we use uv, not pip", "insight", "We use uv, not pip"],
    // remember
    ["Remember that staging has no cron jobs", "self_knowledge", "Staging has no cron jobs"],
    ["Remember that there are two staging servers", "self_knowledge", "There are two staging servers"],
    [
      "Always write comments so that a newcomer understands",
      "pattern",
      "Always write comments so that a newcomer understands",
    ],
    ["please remember: deploys happen on Tuesdays", "self_knowledge", "Deploys happen on Tuesdays"],
  ])("%j becomes a %s", (said, type, content) => {
    expect(heardIn(said).map((one) => [one.type, one.content])).toEqual([[type, content]]);
  });

  it("comes with its sentence, turn and time", () => {
    expect(heardIn("That works. No, please use pnpm here! And go on.")).toMatchObject([
      {
        content: "Use pnpm here",
        evidence: "No, please use pnpm here!",
        turn: "t1",
        saidAt: 1_000,
        method: "regex",
      },
    ]);
  });

  it("may be several things in one prompt, in order", () => {
    const said =
      "Always squash before merging. Can you look at the parser? I prefer rebase over merge commits.";
    expect(heardIn(said).map((one) => one.content)).toEqual([
      "Always squash before merging",
      "I prefer rebase over merge commits",
    ]);
  });
});

describe("nothing is proposed for", () => {
  it.each([
    // questions
    "should we always use pnpm?",
    "do you always run the tests first",
    "why do we never squash commits?",
    "can you always format with biome",
    "always fill in the whole list?",
    // suppositions
    "maybe always use pnpm",
    "if there is an error, always exit with 1",
    "always use pnpm would be one way",
    "I guess we always use tabs",
    // one task, one day, one place
    "don't forget to add the test for the parser in this PR",
    "always write steps_count now, and use steps in the messages",
    "never mind",
    "don't use npm for now",
    "from now on use the new name in this file",
    "use pnpm instead of npm in this script",
    "always link to #123",
    "never touch ENT-112 again",
    "I prefer option 2",
    "I'd prefer that",
    "I prefer the second one",
    "remember to use pagination",
    // no antecedent
    "don't do that again",
    "never do this again",
    "always do it like that",
    "stop doing that",
    "remember that",
    "from now on do the same",
    "always use those",
    "don't redefine it again",
    // what others say, and quotations
    "the reviewer says always use pnpm",
    'the message should be "always use pnpm in this repo"',
    "she wants us to never squash",
    "remember that Copilot also says so about tests",
    "according to the docs, always use pnpm",
    // not an instruction
    "the field is set but never read in main",
    "never called anywhere",
    "it always lists these twice",
    "I don't remember which error it was",
    "you always forget the tests",
    "I never said to use npm",
    "it's not that I prefer tabs",
    // items of a specification
    "Please build it:\n1. if it fails, retry\n2. always exit with code 1\n- never print the stack",
    // code
    "never call parseConfig from loadState",
    "always getUserId()",
    "always `foo`",
    // other languages, hidden characters, secrets
    "всегда используй pnpm, always используй pnpm",
    "always use p\u200bnpm",
    "always use \u202epnpm",
    "always use the token ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "remember that the api_key=sk-ant-abcdefghijkl works",
  ])("%j", (said) => {
    expect(heardIn(said)).toEqual([]);
  });

  it("a sentence that is too long for an instruction", () => {
    expect(heardIn(`always use ${"very ".repeat(50)}short names`)).toEqual([]);
  });
});

it("an instruction that may be for one task only is weak", () => {
  expect(candidatesIn(turn("Don't commit without running the linter"))).toMatchObject([
    { isWeak: true, content: "Don't commit without running the linter" },
  ]);
});
