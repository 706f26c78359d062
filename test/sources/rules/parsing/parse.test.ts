import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";
import type { Condition, Dialect, Parsed, Rule, When } from "../../../../src/sources/rules/rule.ts";

const DIALECTS = ["opencode", "continuo", "cursor", "copilot", "claude", "windsurf", "cline"] as const;

function parse(front: string, dialect: Dialect = "opencode", body = "Body."): Promise<Parsed> {
  return parseRule(front === "" ? body : `---\n${front}\n---\n${body}`, { name: "web/react.mdc", dialect });
}

async function rule(front: string, dialect: Dialect = "opencode", body?: string): Promise<Rule> {
  const parsed = await parse(front, dialect, body);
  if (parsed.kind === "refused") throw new Error(`${parsed.code}: ${parsed.message}`);
  return parsed.rule;
}

async function conditions(front: string, dialect?: Dialect): Promise<readonly Condition[]> {
  const { when } = await rule(front, dialect);
  return when.kind === "conditions" ? when.conditions : [];
}

/** The include patterns as their author wrote them, each once. */
async function globs(front: string, dialect?: Dialect): Promise<string[]> {
  const files = (await conditions(front, dialect)).find((one) => one.on === "files");
  return [...new Set(files?.include.map(({ text }) => text))];
}

async function lints(front: string, dialect?: Dialect, body?: string): Promise<string[]> {
  const parsed = await parse(front, dialect, body);
  return parsed.kind === "rule" ? parsed.lints.map(({ code }) => code) : [parsed.code];
}

describe("a rule's name, priority and body", () => {
  it("come from the frontmatter", async () => {
    expect(await rule("name: React\npriority: 10")).toEqual({
      name: "React",
      priority: 10,
      body: "Body.",
      when: { kind: "always" },
      checks: [],
    });
  });

  it("are the file's path, 0 and the text if there is none", async () => {
    expect(await rule("")).toMatchObject({ name: "web/react.mdc", priority: 0, body: "Body." });
  });

  it.each([
    ["priority: -1.5", -1.5],
    ["priority: '7'", 7],
    ["priority: high", 0],
    ["priority: .inf", 0],
    ["priority:", 0],
  ])("%s is %d", async (front, priority) => {
    expect(await rule(front)).toMatchObject({ priority });
    expect(await lints(front)).toEqual(priority === 0 ? ["bad-value"] : []);
  });

  it.each(["name: [a]", "name: ''", "name: 1"])("%s does no harm", async (front) => {
    expect((await rule(front)).name).toBe(front === "name: 1" ? "1" : "web/react.mdc");
  });
});

describe("globs", () => {
  it.each([
    ["globs: '*.ts'", ["*.ts"]],
    ["globs: *.ts", ["*.ts"]],
    ["globs: **/*.ts, src/**", ["**/*.ts", "src/**"]],
    ["globs: '**/*.{ts,tsx}, a'", ["**/*.{ts,tsx}", "a"]],
    ['globs: ["a", "b"]', ["a", "b"]],
    ["globs:\n  - a\n  - 'b, c'", ["a", "b", "c"]],
    ['globs: \'["a", "b"]\'', ["a", "b"]],
    ["globs: \"'a'\"", ["a"]],
    ["globs: |\n  a\n  b", ["a", "b"]],
    ["paths: a\napplyTo: b\nglobs: c", ["c", "b", "a"]],
  ])("%j", async (front, expected) => {
    expect(await globs(front)).toEqual(expected);
  });

  it("are excluded by exclude, excludes and a leading !", async () => {
    const [files] = await conditions("globs: ['*.ts', '!*.d.ts', '!(a).ts']\nexclude: x/\nexcludes: [y]");
    expect(files).toMatchObject({ on: "files", contains: [] });
    const texts = (list: readonly { text: string }[]) => [...new Set(list.map(({ text }) => text))];
    expect(files?.on === "files" && texts(files.include)).toEqual(["*.ts", "!(a).ts"]);
    expect(files?.on === "files" && texts(files.exclude)).toEqual(["*.d.ts", "x/", "y"]);
  });

  it("and fileContains are one condition", async () => {
    expect(await conditions("globs: Makefile\nfileContains: a, b")).toEqual([
      {
        on: "files",
        include: [expect.objectContaining({ text: "Makefile" })],
        exclude: [],
        contains: ["a, b"],
      },
    ]);
    expect(await conditions("fileContains: [a, 'b c']")).toEqual([
      { on: "files", include: [], exclude: [], contains: ["a", "b c"] },
    ]);
  });
});

describe("other conditions", () => {
  it("are read from scalars and lists", async () => {
    const front =
      "keywords: [test, 'a, b']\ntools: bash, edit\nmodel: m\nagent: [plan]\ncommand: /do\nproject: node\nos: [linux]\nci: true";
    expect(await conditions(front)).toEqual([
      { on: "keywords", words: ["test", "a, b"] },
      { on: "tools", names: ["bash", "edit"] },
      { on: "model", names: ["m"] },
      { on: "agent", names: ["plan"] },
      { on: "command", names: ["/do"] },
      { on: "project", names: ["node"] },
      { on: "os", names: ["linux"] },
      { on: "ci", value: true },
    ]);
    expect(await conditions("ci: 'false'")).toEqual([{ on: "ci", value: false }]);
    expect(await conditions("branch: [main, release/*]")).toMatchObject([
      { on: "branch", patterns: [{ text: "main" }, { text: "release/*" }] },
    ]);
  });

  it("match any unless match is all", async () => {
    expect((await rule("os: linux")).when).toMatchObject({ match: "any" });
    expect((await rule("os: linux\nmatch: all")).when).toMatchObject({ match: "all" });
  });
});

describe("alwaysApply", () => {
  it.each<[string, string]>([
    ["alwaysApply: true\nglobs: '*.ts'", "always"],
    ["alwaysApply: 'true'", "always"],
    ["alwaysApply: false\nglobs: '*.ts'", "conditions"],
    ["alwaysApply: false", "manual"],
    ["alwaysApply: false\ndescription: d", "manual"],
  ])("%j is %s", async (front, kind) => {
    for (const dialect of DIALECTS) expect((await rule(front, dialect)).when.kind, dialect).toBe(kind);
  });

  it("true overrides conditions that cannot be parsed, with a lint", async () => {
    expect((await rule("alwaysApply: true\nglobs: 5\nglob: x")).when.kind).toBe("always");
    expect(await lints("alwaysApply: true\nglobs: 5\nglob: x")).toEqual([
      "ignored-condition",
      "ignored-condition",
    ]);
  });
});

describe("dialects", () => {
  const manual = (reason: string, description?: string): When => ({
    kind: "manual",
    reason,
    ...(description !== undefined && { description }),
  });

  it.each<[Dialect, string, When]>([
    ["opencode", "description: d", { kind: "always" }],
    ["continuo", "", { kind: "always" }],
    ["cursor", "description: d\nglobs:\nalwaysApply: false", manual("attached on request (Cursor)", "d")],
    ["cursor", "description:\nglobs: ''\nalwaysApply:", manual("attached on request (Cursor)")],
    ["cursor", "", manual("attached on request (Cursor)")],
    ["copilot", "description: d", manual("attached on request (Copilot)", "d")],
    ["copilot", "applyTo: ''", manual("attached on request (Copilot)")],
    ["copilot", "applyTo: '**'", { kind: "always" }],
    ["copilot", "applyTo: **/*", { kind: "always" }],
    ["copilot", "applyTo: ['*']", { kind: "always" }],
    ["copilot", "applyTo: '**'\nkeywords: a", { kind: "always" }],
    ["claude", "description: d", { kind: "always" }],
    ["cline", "", { kind: "always" }],
    ["windsurf", "", manual("attached on request (Windsurf)")],
    ["windsurf", "trigger: manual\nglobs:", manual("attached on request (Windsurf)")],
    ["windsurf", "trigger: manual\nglobs: '*.ts'", manual("attached on request (Windsurf)")],
    ["windsurf", "trigger: model_decision\ndescription: d", manual("left to the model (Windsurf)", "d")],
    ["windsurf", "trigger: manual\ndescription: d", manual("attached on request (Windsurf)")],
    [
      "cursor",
      `description: "a\\nb ${"c".repeat(200)}"`,
      manual("attached on request (Cursor)", `a b ${"c".repeat(95)}…`),
    ],
    ["cursor", "description: 7", manual("attached on request (Cursor)")],
    ["windsurf", "trigger: always_on\nglobs: '*.ts'", { kind: "always" }],
  ])("%s: %j", async (dialect, front, when) => {
    expect((await rule(front, dialect)).when).toEqual(when);
  });

  it.each<[Dialect, string]>([
    ["cursor", "globs: **/*"],
    ["cursor", "globs: *.ts, *.tsx\nalwaysApply: false"],
    ["copilot", "applyTo: '**/*.ts, *.js'"],
    ["copilot", "applyTo: '**'\nexclude: dist/"],
    ["copilot", "applyTo: '**, *.ts'"],
    ["claude", "paths: src/**/*.{ts,tsx}"],
    ["claude", "paths:\n  - **/*.ts"],
    ["claude", "paths: '**'"],
    ["cline", "paths: ['src/**']"],
    ["windsurf", "trigger: glob\nglobs: *.ts"],
    ["windsurf", "globs: *.ts"],
    ["opencode", "applyTo: '*.ts'"],
    ["continuo", "paths: '*.ts'"],
  ])("%s: %j waits for files", async (dialect, front) => {
    expect((await conditions(front, dialect)).map(({ on }) => on)).toEqual(["files"]);
  });

  it("all accept Continuo's own keys", async () => {
    for (const dialect of DIALECTS) {
      expect((await conditions("keywords: a\nbranch: main", dialect)).map(({ on }) => on)).toEqual([
        "keywords",
        "branch",
      ]);
    }
    expect(
      (await conditions("trigger: manual\nkeywords: a\nglobs: '*'", "windsurf")).map(({ on }) => on),
    ).toEqual(["keywords"]);
    expect(
      (await conditions("applyTo: '**'\nkeywords: a\nmatch: all", "copilot")).map(({ on }) => on),
    ).toEqual(["keywords"]);
  });
});

describe("what is refused", () => {
  it.each([
    ["globs: 5", "globs is 5; give a pattern or a list of patterns"],
    ["globs:", "globs is empty; give"],
    ["globs: []", "globs is an empty list; give"],
    ["globs: ['']", "globs is a list with empty in it"],
    ["globs: [a, 5]", "globs is a list with 5 in it"],
    ["globs: {a: b}", "globs is a map"],
    ["globs:\n  a: b", "globs is a map"],
    ["globs: 'src/[ab'", 'globs has "src/[ab"; give a glob whose brackets and braces close'],
    ["globs: '!'", 'globs has ""'],
    ["exclude: '!a'", 'exclude has "!a"'],
    ["globs: '!!a'", 'globs has "!a"'],
    ["exclude: ''", "exclude is empty"],
    ["keywords: [404]", "keywords is a list with 404 in it; give a word or a list of words, in quotes"],
    ["tools: true", "tools is true"],
    ["branch: '!main'", 'branch has "!main"'],
    ["ci: maybe", 'ci is "maybe"; give true or false'],
    ["ci:", "ci is empty"],
    ["match: some", 'match is "some"; give any or all'],
    ["fileContains: []", "fileContains is an empty list"],
    ["fileContains: ['a', '']", "fileContains is a list with empty in it"],
    ["alwaysApply: maybe", 'alwaysApply is "maybe"; give true or false'],
    ["alwaysApply:", "alwaysApply is empty"],
    ["trigger: sometimes", 'trigger is "sometimes"; give one of always_on, glob, manual, model_decision'],
    ["trigger: glob", "trigger is glob, but there are no globs"],
    ["globs: 5\nci: x", 'ci is "x"'],
  ])("%j, as it would apply where it was not meant to", async (front, message) => {
    expect(await parse(front)).toMatchObject({
      kind: "refused",
      code: "rule-condition",
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ["glob: '*.ts'", "globs"],
    ["keyword: a", "keywords"],
    ["branchs: main", "branch"],
    ["Globs: a", "globs"],
    ["apply_to: a", "applyTo"],
    ["path: a", "paths"],
    ["file-contains: a", "fileContains"],
    ["contains: a", "fileContains"],
    ["files: a", "globs"],
    ["triggers: [a]", "keywords"],
    ["guards: x", "guard"],
    ["OS: linux", "os"],
  ])("%s, as %s is probably meant", async (front, near) => {
    const key = front.split(":")[0];
    expect(await parse(front)).toEqual({
      kind: "refused",
      code: "rule-unknown-key",
      message: `unknown key "${key}"; did you mean "${near}"?`,
    });
  });

  it.each([
    ["---\nname: a", "rule-unclosed"],
    ["---\na: [\n---\n", "rule-frontmatter"],
    ["---\njust text\n---\n", "rule-frontmatter"],
  ])("%j", async (text, code) => {
    expect(await parseRule(text, { name: "a.md", dialect: "opencode" })).toMatchObject({
      kind: "refused",
      code,
    });
  });
});

describe("lints", () => {
  it.each([
    ["title: t\nversion: 1\nexcludeAgent: x\ncategory: c", "unknown-key"],
    [
      "mode: agent\nid: 1\nurl: u\ncolor: red\nscope: x\nlang: ts\ntags: [a]\nauthor: a\ndate: d\ntype: t",
      "unknown-key",
    ],
  ])("%j is somebody's metadata", async (front, code) => {
    expect(new Set(await lints(front))).toEqual(new Set([code]));
    expect((await rule(front)).when.kind).toBe("always");
  });

  it.each([
    ["globs: ../x/*.ts", "dead-pattern"],
    ["globs: src/../x", "dead-pattern"],
    ["globs: 'C:/x/**'", "dead-pattern"],
    ["globs: /home/me/project/**", "dead-pattern"],
    ["globs: ~/x", "dead-pattern"],
    ["globs: src", "bare-name"],
    ["globs: 'a.ts'\nglobs: 'b.ts'", "duplicate-key"],
    ["globs: *.ts", "mended"],
    ["hooks: [{type: PostToolUse, tool: '*'}]", "hook-ignored"],
  ])("%j: %s", async (front, code) => {
    expect(await lints(front)).toEqual([code]);
  });

  it("report an empty and a very long body, but not the empty body of a guard", async () => {
    expect(await lints("", "opencode", "")).toEqual(["empty-body"]);
    expect(await lints("guard: {action: deny, tool: Bash}", "opencode", "")).toEqual([]);
    expect(await lints("", "opencode", "word ".repeat(2100))).toEqual(["oversized"]);
    expect(await lints("", "opencode", "word ".repeat(1800))).toEqual([]);
  });

  it("report nothing in a file that Cursor itself writes", async () => {
    expect(await lints("description: d\nglobs: **/*.ts,src/**\nalwaysApply: false", "cursor")).toEqual([]);
  });
});

it("a rule with only a guard or hooks is always on as text", async () => {
  const guarded = await rule("guard: {action: deny, tool: Bash, match: 'rm -rf'}");
  expect(guarded.when.kind).toBe("always");
  expect(guarded.checks).toEqual([
    {
      id: expect.any(String),
      on: "calls",
      reaction: "deny",
      tools: ["Bash"],
      pattern: "rm -rf",
      message: "Body.",
    },
  ]);
  const hooked = await rule("hooks:\n  - type: PreToolUse\n    tool: bash\n    match: push\n    block: true");
  expect(hooked).toMatchObject({ when: { kind: "always" }, checks: [{ on: "calls", reaction: "deny" }] });
});

describe("any file", () => {
  const dialect = fc.constantFrom(...DIALECTS);

  it("is parsed without throwing, and the result can be cached", async () => {
    const bit = fc.constantFrom(
      "---\n",
      "...\n",
      "globs: ",
      "guard: ",
      "hooks: ",
      "- ",
      "\n",
      "  ",
      "*",
      "{",
      "[",
      "'",
      ":",
      "&a ",
      "*a",
    );
    const text = fc.oneof(
      fc.string(),
      fc
        .array(fc.oneof(bit, fc.string({ maxLength: 4 })), { maxLength: 15 })
        .map((bits) => `---\n${bits.join("")}\n---\n`),
    );
    await fc.assert(
      fc.asyncProperty(text, dialect, async (one, from) => {
        const parsed = await parseRule(one, { name: "a.md", dialect: from });
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
      }),
      { numRuns: 3000 },
    );
  });

  it("is never always on if it has a condition", async () => {
    const key = fc.constantFrom(
      ..."globs applyTo paths exclude excludes keywords tools model agent command project branch os ci fileContains".split(
        " ",
      ),
    );
    const value = fc.oneof(
      fc.constantFrom(
        "*.ts",
        "'*.ts'",
        "[a, b]",
        "",
        "5",
        "maybe",
        "true",
        "'['",
        "{a: b}",
        "\n  - a",
        "'!x'",
        "~",
        "[]",
        "''",
      ),
      fc.string({ maxLength: 6 }),
    );
    const extra = fc.constantFrom(
      "",
      "name: n\n",
      "match: all\n",
      "alwaysApply: false\n",
      "trigger: manual\n",
      "title: t\n",
    );
    let conditional = 0;
    await fc.assert(
      fc.asyncProperty(key, value, extra, dialect, async (one, text, more, from) => {
        const parsed = await parse(`${more}${one}: ${text}`, from);
        if (parsed.kind === "refused") return;
        if (parsed.rule.when.kind === "conditions") conditional++;
        const isUniversal =
          one === "applyTo" && /^['"]?[\s,]*(\*|\*\*|\*\*\/\*)[\s,]*['"]?$/.test(text.trim());
        // A value with a line break may end the frontmatter's line, or add keys.
        if (isUniversal || /[\r\n#]/.test(text.replace("\n  - a", ""))) return;
        expect(parsed.rule.when.kind, `${one}: ${text}`).not.toBe("always");
      }),
      { numRuns: 3000 },
    );
    expect(conditional).toBeGreaterThan(500);
  });
});
