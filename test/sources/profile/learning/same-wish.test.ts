import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { ContinuoError } from "../../../../src/base/errors.ts";
import { openMeaning } from "../../../../src/search/meaning/embed.ts";
import { similarLearning } from "../../../../src/sources/profile/learning/relevance.ts";
import { compareWishes, wishMeaning } from "../../../../src/sources/profile/learning/same-wish.ts";
import { exampleSeed, learning } from "../seeds.ts";

const meaning = openMeaning();
afterAll(() => meaning.close());
const { isSame, differenceOf, nearness, nearest } = compareWishes((text) => meaning.embed(text));

describe("two wishes", () => {
  it.each([
    ["Use pnpm instead of npm", "Install packages with pnpm rather than npm"],
    ["Use pnpm instead of npm", "We work with pnpm"],
    ["Don't add semicolons", "Write it without semicolons"],
    ["Keep lines under 100 characters", "Lines must not be longer than 100 characters"],
    ["Sort imports alphabetically", "Imports should be in alphabetical order"],
    ["Never sleep in tests", "Tests must not call sleep"],
    ["Every bug fix needs a regression test", "Always add a regression test when you fix a bug"],
    ["Functions take at most three parameters", "No functions with more than 3 parameters"],
  ])("are one in other words: %s / %s", (a, b) => {
    expect(isSame(a, b)).toBe(true);
    expect(isSame(b, a)).toBe(true);
  });

  it.each([
    ["names", "Use pnpm instead of npm", "Use yarn instead of npm"],
    ["names", "Put scripts into `tools/`", "Put scripts into `bin/`"],
    ["names", "Answer in German", "Answer in French"],
    ["names", "Never run git push with --no-verify", "Never run git push with --force"],
    ["numbers", "Use Node 22", "Use Node 24"],
    ["numbers", "Stop after three attempts", "Stop after 5 attempts"],
    ["polarity", "Indent with tabs, not spaces", "Indent with spaces, not tabs"],
    ["polarity", "Ask before deleting files", "Delete files without asking"],
    ["polarity", "Use fetch instead of axios", "Don't use fetch instead of axios"],
    ["opposites", "Write short commit messages", "Write long commit messages"],
    ["replaced", "Don't create new configuration files", "Don't create new documentation files"],
    ["more", "Use Docker", "Use Docker for the database only"],
  ] as const)("are two because of %s, however near: %s / %s", (difference, a, b) => {
    expect(nearness(a, b)).toBeGreaterThan(0.54);
    expect(differenceOf(a, b)).toBe(difference);
    expect(isSame(a, b) || isSame(b, a)).toBe(false);
  });

  it.each([
    ["Don't apologise when you made a mistake", "After an error just fix it, no need to say sorry"],
    ["Ask me before you delete files", "I want to confirm before anything is removed from disk"],
    [
      "Never add comments that repeat the code",
      "Comments which only restate a line are noise, leave them out",
    ],
    ["Schreib Commit-Nachrichten auf Englisch", "Die Nachrichten der Commits sollen englisch sein"],
  ])("are similar, though not surely one: %s / %s", (a, b) => {
    expect(isSame(a, b)).toBe(false);
    expect(nearest(b, ["Use tabs", a])).toBe(a);
  });

  it.each([
    ["Use pnpm instead of npm", "Use yarn instead of npm"],
    ["Use Node 22", "Use Node 24"],
    ["Answer in German", "Answer in French"],
    ["Use tabs", "Ask me before you delete files"],
    ["Answer in German", "Squash commits before merging"],
  ])("are not similar: %s / %s", (a, b) => {
    expect(nearest(b, [a])).toBeUndefined();
    expect(nearest(a, [b])).toBeUndefined();
  });

  it("are similar to the nearest of several, and to none of none", () => {
    const among = ["Write long answers", "Write short commit messages", "Use Docker"];
    expect(nearest("Commit messages are short, one line", among)).toBe("Write short commit messages");
    expect(nearest("Use Docker", [])).toBeUndefined();
  });

  it.each([
    ["Write tests before code", "Write code before tests"],
    ["Run the tests before committing", "Commit before running the tests"],
    ["Rarely use mocks", "Use mocks often"],
    ["Abstain from using emojis", "Use emojis"],
    ["You needn't write docs", "Write docs"],
    ["Exclude generated files from commits", "Commit generated files"],
    ["Deploy on fridays", "Deploy any day but fridays"],
    ["Deploy every day", "Deploy every day except friday"],
    ["Disable telemetry", "Turn telemetry on"],
  ])("are two if one is against what the other is for: %s / %s", (a, b) => {
    expect(nearness(a, b)).toBeGreaterThan(0.54);
    expect(isSame(a, b) || isSame(b, a)).toBe(false);
  });

  it("are not near if one is as long as a book, whose words are not read", () => {
    const long = "prefer short answers to ".repeat(100_000);
    expect(nearness(long, "Keep your answers short")).toBe(0);
    expect(isSame(long, long)).toBe(false);
  });

  it("are two if they are about different things", () => {
    expect(isSame("Keep your answers short", "Use Postgres for new services")).toBe(false);
  });

  it("are two if one is the negation of the other, whatever they are about", () => {
    const verb = fc.constantFrom("use", "write", "add", "run", "commit", "rename", "mock", "log", "delete");
    const object = fc.constantFrom(
      "tests",
      "the cache",
      "default exports",
      "emoji",
      "snapshots",
      "`src/a.ts`",
    );
    const place = fc.constantFrom(
      "",
      " in commits",
      " before a release",
      " instead of classes",
      ", not comments",
    );
    const not = fc.constantFrom("Never", "Don't", "Do not", "Please never", "You must not");
    const so = fc.constantFrom("Always", "Please", "You should", "We");
    fc.assert(
      fc.property(verb, object, place, not, so, (what, of, where, no, yes) => {
        const wish = `${what} ${of}${where}`;
        expect(isSame(`${no} ${wish}`, `${yes} ${wish}`)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it("are compared by their letters alone in other scripts, whose negations are not known", () => {
    expect(isSame("Всегда используй pnpm", "Не используй pnpm")).toBe(false);
    expect(isSame("总是用 pnpm", "不要用 pnpm")).toBe(false);
  });

  it("may be any text", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom("", " ", "a".repeat(1e5)),
    );
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(typeof isSame(a, b)).toBe("boolean");
        expect(Number.isFinite(nearness(a, b))).toBe(true);
      }),
    );
  });
});

describe("wishMeaning", () => {
  const [a, b] = ["Sort imports alphabetically", "Imports should be in alphabetical order"] as const;

  it("opens the table once, at the first comparison", () => {
    let opened = 0;
    const compared = wishMeaning(() => {
      opened++;
      return meaning;
    });
    expect(opened).toBe(0);
    expect([compared.isSame(a, b), compared.isSame(b, a)]).toEqual([true, true]);
    expect(opened).toBe(1);
  });

  it("finds nothing near without a table", () => {
    const { isSame, nearness } = wishMeaning(() => undefined);
    expect([isSame(a, b), nearness(a, b)]).toEqual([false, 0]);
  });

  it("finds nothing near from the moment when the table turns out to be damaged", () => {
    let asked = 0;
    const embed = () => {
      asked++;
      throw new ContinuoError("meaning-damaged", "the table of meaning has a damaged row");
    };
    const { isSame, nearness } = wishMeaning(() => ({ version: "x", embed }));
    expect([isSame(a, b), isSame(a, b), nearness(a, b)]).toEqual([false, false, 0]);
    expect(asked).toBe(1);
  });
});

describe("similarLearning", () => {
  const config = exampleSeed({
    learned: {
      patterns: [
        learning("imports", "Sort imports alphabetically"),
        learning("npm", "Use npm for installing packages"),
      ],
    },
  });

  it("finds a learning by its words, else by its meaning", () => {
    expect(similarLearning(config, "Use pnpm for installing packages", nearness)?.id).toBe("npm");
    expect(similarLearning(config, "Imports should be in alphabetical order")).toBeUndefined();
    expect(similarLearning(config, "Imports should be in alphabetical order", nearness)?.id).toBe("imports");
  });

  it("finds none that is about something else", () => {
    expect(similarLearning(config, "Keep your answers short", nearness)).toBeUndefined();
  });
});
