import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeCheck } from "../../../../src/sources/rules/checks/describe.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";
import { readChecks } from "../../../../src/sources/rules/parsing/read-checks.ts";
import type { Check } from "../../../../src/sources/rules/rule.ts";

const EVERY_FILE = { include: [], exclude: [] };
const read = (checks: unknown) => readChecks({ checks }, { name: "r", body: "Text.", files: EVERY_FILE });
const withoutId = ({ id: _, ...check }: Check) => check;

const RULE = `---
globs: src/**/*.ts
exclude: src/generated/**
checks:
  edits:
    - never: '\\bany\\b'
      files: src/**/*.ts, "!**/*.test.ts"
      except: 'any-ok'
      reaction: deny
      message: Use unknown and narrow it.
    - must: 'SPDX-License-Identifier'
      new: true
  commands:
    - never: 'git push.*--force'
      reaction: deny
    - ask: 'terraform apply'
    - before: 'git commit'
      ran: npm test
    - before: done
      ran: npm test
  answer:
    - never: "You're absolutely right"
    - must: '^Tests: '
  run:
    command: npx eslint --rule "a 1"
    timeout: 5
---
Never use \`any\`.
`;

describe("checks in a rule's frontmatter", () => {
  it("are read with their files, reactions and messages", async () => {
    const parsed = await parseRule(RULE, { name: "no-any.md", dialect: "continuo" });
    if (parsed.kind !== "rule") throw new Error(parsed.message);
    expect(parsed.lints).toEqual([]);
    expect(parsed.rule.body).toBe("Never use `any`.");
    expect(parsed.rule.checks.map((one) => `${one.on} ${one.reaction}: ${describeCheck(one)}`)).toEqual([
      "edits deny: edits of src/**/*.ts but not **/*.test.ts must not add /\\bany\\b/ except /any-ok/",
      "edits remind: new files of src/**/*.ts but not src/generated/** must add /SPDX-License-Identifier/",
      "commands deny: commands must not match /git push.*--force/",
      "commands ask: commands need your consent if they match /terraform apply/",
      "commands remind: commands that match /git commit/ only after /npm test/",
      "done remind: done only after /npm test/, if files of src/**/*.ts but not src/generated/** were edited",
      "answer remind: the answer must not have /You're absolutely right/",
      "answer remind: the answer must have /^Tests: /",
      "run remind: runs npx eslint --rule 'a 1' on changed files of src/**/*.ts but not src/generated/**",
    ]);
    expect(parsed.rule.checks[0]).toMatchObject({ message: "Use unknown and narrow it." });
    expect(parsed.rule.checks.at(-1)).toMatchObject({
      command: ["npx", "eslint", "--rule", "a 1"],
      timeoutMs: 5000,
    });
    expect(new Set(parsed.rule.checks.map(({ id }) => id)).size).toBe(9);
  });

  it("are plain JSON, because they are cached", async () => {
    const parsed = await parseRule(RULE, { name: "no-any.md", dialect: "continuo" });
    const checks = parsed.kind === "rule" ? parsed.rule.checks : [];
    expect(JSON.parse(JSON.stringify(checks))).toEqual(checks);
  });

  it("of each kind may be a map or a list of maps", async () => {
    const one = await read({ edits: { never: "x" }, answer: { never: "y" } });
    const list = await read({ edits: [{ never: "x" }], answer: [{ never: "y" }] });
    expect(one).toEqual(list);
    expect(one.checks.map(withoutId)).toEqual([
      { on: "edits", reaction: "remind", never: "x", files: EVERY_FILE },
      { on: "answer", reaction: "remind", never: "y" },
    ]);
  });

  it("have an id that stays while their text stays, and two equal ones are one", async () => {
    const ids = async (...edits: unknown[]) => (await read({ edits })).checks.map(({ id }) => id);
    const [id] = await ids({ never: "x" });
    expect(await ids({ never: "x" }, { never: "x" })).toEqual([id]);
    expect(await ids({ never: "y" }, { never: "x" })).toEqual([expect.not.stringMatching(`^${id}$`), id]);
    expect(await ids({ never: "x", files: "*.ts" })).not.toEqual([id]);
    expect(await ids({ never: "x", reaction: "deny" })).not.toEqual([id]);
  });

  it("without files look at the rule's files; not if these could not be read", async () => {
    const checks = { edits: { never: "x" } };
    const { lints, checks: none } = await readChecks({ checks }, { name: "r", body: "", files: undefined });
    expect(none).toEqual([]);
    expect(lints).toMatchObject([{ code: "check-files", hint: expect.stringContaining("src/**/*.ts") }]);
    // alwaysApply keeps a rule whose globs are wrong.
    const text = "---\nalwaysApply: true\nglobs: ['a[']\nchecks: { edits: { never: x } }\n---\nText.";
    const parsed = await parseRule(text, { name: "r.md", dialect: "continuo" });
    expect(parsed).toMatchObject({ kind: "rule", rule: { checks: [] } });
  });

  it("with `(?i)` at the beginning of a pattern do not distinguish case", async () => {
    expect((await read({ edits: { never: "(?i)todo" } })).lints).toEqual([]);
  });
});

describe("a check with a mistake is left out, and its author is told how to fix it", () => {
  it.each<[unknown, string, RegExp]>([
    ["x", "check-shape", /map with edits/],
    [[], "check-shape", /map with edits/],
    [{ edit: { never: "x" } }, "check-shape", /did you mean "edits"/],
    [{ edits: "x" }, "check-shape", /give a map/],
    [{ run: "npm test" }, "check-shape", /map, such as { command: /],
    [{ edits: {} }, "check-shape", /exactly one/],
    [{ edits: { never: "x", must: "y" } }, "check-shape", /exactly one/],
    [{ edits: { nevr: "x" } }, "check-shape", /did you mean "never"/],
    [{ edits: { never: "x", reaction: "warn" } }, "check-shape", /give remind, deny, ask or report/],
    [{ edits: { must: "x", except: "y" } }, "check-shape", /except goes with never/],
    [{ edits: { never: "x", new: "yes" } }, "check-shape", /true or false/],
    [{ edits: { never: "x", message: 5 } }, "check-shape", /text in quotes/],
    [{ edits: { never: "(" } }, "check-pattern", /regular expression/],
    [{ edits: { never: "" } }, "check-pattern", /regular expression/],
    [{ edits: { never: 5 } }, "check-pattern", /regular expression/],
    [{ edits: { never: "(a)\\1" } }, "check-pattern", /back-references/],
    [{ edits: { never: "a(?!b)" } }, "check-pattern", /lookaround/],
    [{ edits: { never: "((a{99}){99}){99}" } }, "check-pattern", /regular expression/],
    [{ edits: { never: "x".repeat(1001) } }, "check-pattern", /1000 characters/],
    [{ edits: { never: "\bany\b" } }, "check-pattern", /single quotes/],
    [{ edits: { never: "a\\nb" } }, "check-pattern", /each line is searched/],
    [{ edits: { never: "x", except: "(" } }, "check-pattern", /regular expression/],
    [{ edits: { never: "x", files: "a[" } }, "check-files", /files of the check/],
    [{ edits: { never: "x", files: [] } }, "check-files", /files of the check/],
    [{ edits: { never: "x", files: 5 } }, "check-files", /files of the check/],
    [{ commands: { never: "x", ran: "y" } }, "check-shape", /give both/],
    [{ commands: { before: "x" } }, "check-shape", /give both/],
    [{ commands: { never: "x", before: "y", ran: "z" } }, "check-shape", /exactly one/],
    [{ commands: { ask: "x", reaction: "deny" } }, "check-shape", /only be ask: leave it out/],
    [{ commands: { never: "x", files: "*.ts" } }, "check-shape", /files goes with ran/],
    [
      { commands: { before: "done", ran: "x", reaction: "ask" } },
      "check-shape",
      /give remind, deny or report/,
    ],
    [{ commands: { before: "done", ran: "x", except: "y" } }, "check-shape", /leave except out/],
    [{ answer: { never: "x", reaction: "ask" } }, "check-shape", /give remind, deny or report/],
    [{ answer: { never: "x", files: "*.ts" } }, "check-shape", /the keys are/],
    [{ run: { command: "npm test", reaction: "deny" } }, "check-shape", /give remind or report/],
    [{ run: { command: "npm test", reaction: "ask" } }, "check-shape", /give remind or report/],
    [{ run: { command: "npm test", timeout: 601 } }, "check-shape", /up to 600/],
    [{ run: { command: "npm test", timeout: 0 } }, "check-shape", /up to 600/],
    [{ run: { files: "*.ts" } }, "check-shape", /one program/],
    ...["a | b", "a; b", "a && b", "a > b", "echo $HOME", "a `b`", "a $(b)", "a <b", "a 'b", "''"].map(
      (command): [unknown, string, RegExp] => [{ run: { command } }, "check-shape", /one program/],
    ),
  ])("%j", async (checks, code, hint) => {
    const { checks: accepted, lints } = await read(checks);
    expect(accepted).toEqual([]);
    expect(lints).toMatchObject([{ code, message: expect.stringMatching(/left out/) }]);
    expect(lints[0]?.hint).toMatch(hint);
  });

  it.each([
    ["(", "has an open ("],
    ["a)", "has a ) without a ("],
    ["[a", "has an open ["],
    ["*a", "has a *, + or ? after nothing"],
    ["(?i)+", "has a *, + or ? after nothing"],
    ["a\\", "ends with a \\"],
    ["a{2,1}", "has {} with a larger number before a smaller one"],
    ["[b-a]", "has a range in [] that begins after its end"],
    ["a(?!b)", "has a lookahead or lookbehind: (?=, (?!, (?<= or (?<!"],
    ["(a)\\1", "has a back-reference, such as \\1"],
    ["x".repeat(1001), "has more than 1000 characters"],
    ["((a{99}){99}){99}", "is too large, or has something that checks cannot search for"],
  ])("the reason why the pattern %j cannot be used is said in plain words", async (never, why) => {
    const [lint] = (await read({ edits: { never } })).lints;
    expect(lint?.message).toBe(
      `a check of edits has never: ${JSON.stringify(never.slice(0, 80))}, which ${why}; the check is left out`,
    );
  });

  it("and its neighbours and the rule's text stay", async () => {
    const text = "---\nchecks:\n  edits:\n    - never: '('\n    - never: good\n---\nText.";
    const parsed = await parseRule(text, { name: "r.md", dialect: "continuo" });
    expect(parsed).toMatchObject({
      kind: "rule",
      rule: { body: "Text.", checks: [{ never: "good" }] },
      lints: [{ code: "check-pattern" }],
    });
  });

  it("a misspelt key for checks refuses the rule, as other misspelt keys do", async () => {
    const parsed = await parseRule("---\ncheck: { edits: { never: x } }\n---\nText.", {
      name: "r.md",
      dialect: "continuo",
    });
    expect(parsed).toMatchObject({ kind: "refused", message: expect.stringContaining('"checks"') });
  });
});

describe("hostile frontmatter", () => {
  it("has at most 50 checks a rule, guards and hooks among them", async () => {
    const edits = Array.from({ length: 1000 }, (_, i) => ({ never: `x${i}` }));
    const guard = Array.from({ length: 30 }, (_, i) => ({ action: "deny", tool: `t${i}` }));
    const many = await readChecks({ checks: { edits }, guard }, { name: "r", body: "", files: EVERY_FILE });
    expect(many.checks).toHaveLength(50);
    expect(many.lints).toMatchObject([{ message: expect.stringContaining("more than 50") }]);
    expect(many.cost).toBeLessThan(50 * 5000 + 2000);
  });

  it("pays for the patterns of its globs, in all checks together", async () => {
    const files = `{${Array.from({ length: 200 }, (_, i) => `a${i}`).join()}}/**/*.ts`;
    const edits = Array.from({ length: 40 }, (_, i) => ({ never: `x${i}`, files }));
    const { checks, lints, cost } = await read({ edits });
    expect(checks.length).toBeLessThan(40);
    expect(lints[0]).toMatchObject({ code: "check-files", message: expect.stringContaining("too many") });
    expect(cost).toBeGreaterThan(64 * 1024);
  });

  it("is never thrown at the caller, whatever YAML it is", async () => {
    const key = fc.constantFrom(
      ..."edits commands answer run never must ask before ran except files new reaction message command timeout x".split(
        " ",
      ),
    );
    const leaf = fc.oneof(
      fc.constantFrom(
        "x",
        "done",
        "deny",
        "(",
        "(?i)a",
        "npm test",
        "*.ts",
        "!*.ts",
        "a{",
        true,
        5,
        null,
        Number.NaN,
      ),
      fc.string(),
      fc.double(),
      fc.constant(new Date(0)),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "medium" }, leaf, tie("map"), tie("list")),
      map: fc.dictionary(key, tie("value"), { maxKeys: 6 }),
      list: fc.array(tie("value"), { maxLength: 4 }),
    }));
    const nearly = fc.record(
      {
        never: fc.string({ minLength: 1, maxLength: 3 }),
        reaction: fc.constantFrom("deny", "x"),
        files: leaf,
      },
      { requiredKeys: ["never"] },
    );
    const groups = fc.dictionary(
      fc.constantFrom("edits", "commands", "answer", "run"),
      fc.oneof(value, fc.dictionary(key, leaf, { maxKeys: 3 }), nearly),
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, groups), value, async (checks, guard) => {
        const result = await readChecks({ checks, guard }, { name: "r", body: "", files: EVERY_FILE });
        for (const one of result.checks) {
          accepted++;
          expect(one.id).toMatch(/^[\da-f]{8}$/);
          expect(describeCheck(one)).not.toContain("undefined");
        }
        for (const { code, message } of result.lints) expect(`${code} ${message}`).not.toContain("undefined");
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });
});
