import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeDraft } from "../../../../src/sources/rules/drafts/describe.ts";
import { checkKey, draftsFrom } from "../../../../src/sources/rules/drafts/drafts-from.ts";
import { newRuleText } from "../../../../src/sources/rules/drafts/rule-file.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";

const said = (text: string) => draftsFrom(text, { as: "said" }).map(({ check }) => check);
const ruled = (text: string, globs?: string[]) =>
  draftsFrom(text, { as: "rule", ...(globs === undefined ? {} : { globs }) }).map(({ check }) => check);
const literals = (text: string) => said(text).map(({ on, literal }) => `${on}: ${literal}`);

describe("a draft from a sentence", () => {
  it.each([
    ["I told you not to use any", "edits: any"],
    ["I told you a hundred times: no `any`!", "edits: any"],
    ["Stop using console.log", "edits: console.log"],
    ["never use default exports", "edits: export default"],
    ["No, don't add TODO comments", "edits: TODO"],
    ["In TypeScript, never use `as any`.", "edits: as any"],
    ["Never call `setwd()`; prefer here::here()", "edits: setwd()"],
    ["avoid using `Thread.Sleep` because it blocks", "edits: Thread.Sleep"],
    ["Never use `async void` — exceptions become unobserved.", "edits: async void"],
    ["Strict mode, never `any` (use `unknown`)", "edits: any"],
    ["Do not import `lodash`", "edits: import lodash"],
    ["never run `git push --force`", "commands: git push --force"],
    ["don't run git push", "commands: git push"],
    ["Never use `--no-verify`", "commands: --no-verify"],
    ["Always run npm test before committing", "commands: git commit|npm test"],
    ["Never push without running `make check`", "commands: git push|make check"],
    ["run `npm test` before you say you're done", "done: npm test"],
    ['Never say "You\'re absolutely right!"', "answer: You're absolutely right"],
    ["Verwende nie `any`", "edits: any"],
    ["Kein `var` mehr verwenden", "edits: var"],
    ["n'utilise jamais `any`", "edits: any"],
    ["No uses `console.log`", "edits: console.log"],
    ["Não use `any`", "edits: any"],
    ["不要使用 `any`", "edits: any"],
    ["`any` は使わないでください", "edits: any"],
  ])("%s", (text, expected) => {
    expect(literals(text)).toEqual([expected]);
  });

  it("has one check for each thing of a list, or none", () => {
    expect(literals("Never use `any` or `as any`")).toEqual(["edits: any", "edits: as any"]);
    expect(literals("Run `npm test` and `npm run lint` before every commit")).toEqual([
      "commands: git commit|npm test",
      "commands: git commit|npm run lint",
    ]);
    expect(literals("Never use `any` or `words`")).toEqual([]);
  });

  it.each([
    "don't use any external library",
    "never use any of these",
    "never use `any` unless you must",
    "Avoid `any` where possible",
    "Never use `useState` in server components",
    "When you write tests, never use `setTimeout()`",
    "Should I never use `any`?",
    "Avoid `latest` tags",
    "Do not use `#`",
    "Avoid names like `util`",
    "never edit `package-lock.json`",
    "don't use `src/legacy.ts`",
    "Don't use `foo.bar()`",
    "Never return `null`",
    "It never uses `any`",
    "He said to never use eval at work",
    "Avoid deep nesting, e.g. avoid `Grid.Row` in lists",
    "Run the tests before committing",
    "Never use console.log in production",
    "Never use `setState()` in `useEffect`",
    "Never use eval in components/Button.tsx",
    "Never use console.log in src when the server runs",
    "Never run go test ./...",
    "Don't say so",
    "Prefer `unknown` over `any`",
    'Return `redirect("/")`, never `Page()`',
  ])("gives none in doubt: %s", (text) => {
    expect(said(text)).toEqual([]);
  });

  it("knows in which files a word means that", () => {
    expect(said("never use any")[0]?.files).toContain("**/*.ts");
    expect(said("never use `print()`")[0]?.files).toEqual(["**/*.py"]);
    expect(said("never use `setwd()`")[0]?.files).toContain("!**/*.md");
    // A rule's own globs hold, and a rule about other languages means something else by the word.
    expect(ruled("Never use `any`.", ["src/**/*.ts"])[0]).toMatchObject({ ruleFiles: ["src/**/*.ts"] });
    expect(ruled("Never use `any`.", ["src/**/*.ts"])[0]?.files).toBeUndefined();
    expect(ruled("Avoid `eval`.", ["**/*.sh"])).toEqual([]);
    expect(ruled("Never use `any`.", ["**/*"])[0]?.files).toContain("**/*.ts");
  });

  it("is the same check in other words", () => {
    const keys = ["Never use `any`", "I told you not to use any", "Verwende nie `any`"].map((text) =>
      said(text).map(checkKey),
    );
    expect(new Set(keys.flat()).size).toBe(1);
  });
});

describe("a draft from a rule's text", () => {
  it("reads sentences, not code, tables, quotations, or what holds only somewhere", () => {
    const text = [
      "# Style",
      "- **Never use `any`.** It hides mistakes.",
      "```ts",
      "Never use `var`.",
      "```",
      "> Never use `eval`.",
      "| Never use `goto` | no |",
      "## When you write tests",
      "- Never use `console.log`.",
      "## Commits",
      "In server components:",
      "- Never use `useState()`.",
    ].join("\n");
    expect(ruled(text).map(({ literal }) => literal)).toEqual(["any"]);
  });

  it("is bounded and takes linear time for any text", () => {
    const many = Array.from({ length: 500 }, (_, i) => `- Never use \`some.thing${i}\`.`).join("\n");
    expect(ruled(many)).toHaveLength(20);
    const hostile = [
      "never use ".repeat(20_000),
      "`".repeat(50_000),
      "a, ".repeat(30_000),
      `${"(".repeat(9_000)}`,
    ];
    for (const text of hostile) expect(ruled(text)).toEqual([]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        ruled(text);
        said(`never use \`${text}\``);
      }),
    );
  });
});

describe("every draft", () => {
  const SENTENCES = [
    "Never use `any`",
    "never use `it's.odd()`",
    "Never use `==`",
    "avoid `SELECT *`",
    "never run `git push --force`",
    "Never use `--no-verify`",
    "Always run `npm test` before committing",
    "run `cargo test` before you say you're done",
    'Never say "You\'re absolutely right"',
    "Do not import `@scope/name`",
    "never use `!important`",
    "never use `$scope`",
  ];

  it.each(SENTENCES)("is read as one check without a hint for its author: %s", async (sentence) => {
    const [check] = said(sentence);
    if (check === undefined) throw new Error("no draft");
    const parsed = await parseRule(newRuleText(check, sentence), { name: "new.md", dialect: "continuo" });
    expect(parsed).toMatchObject({ kind: "rule", lints: [] });
    expect(parsed.kind === "rule" && parsed.rule.checks.map(({ reaction }) => reaction)).toEqual(["remind"]);
  });

  it("is described in plain words", () => {
    const words = (text: string) => said(text).map(describeDraft)[0];
    expect(words("never use any")).toBe(
      "Lines that edits add to *.ts, *.tsx, *.mts, *.cts must not contain `any` as a word",
    );
    expect(words("never use `setwd()`")).toBe(
      "Lines that edits add to all files but *.md, *.mdx, *.txt must not contain `setwd()`",
    );
    expect(words("never run `git push --force`")).toBe('The agent must not run "git push --force"');
    expect(words("Always run `npm test` before committing")).toBe(
      'The agent may run "git commit" only after "npm test" has succeeded since the last edit',
    );
    expect(words("run `npm test` before you say you're done")).toBe(
      'Before the agent says that it is done, "npm test" must have succeeded since the last edit',
    );
    expect(words('never say "Great question"')).toBe('The agent\'s answer must not contain "Great question"');
  });
});
