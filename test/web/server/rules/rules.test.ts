import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendLedger } from "../../../../src/moments/state/ledger.ts";
import { addMute } from "../../../../src/store/mutes.ts";
import { readTrust } from "../../../../src/store/trust.ts";
import type { AnswerOf } from "../../../../src/web/api/actions.ts";
import type {
  RulesList,
  RulesReport,
  TriedHistory,
  TrustState,
  TryAnswer,
} from "../../../../src/web/api/rules.ts";
import { rules } from "../../../../src/web/server/rules/routes.ts";
import { edit, writeSession } from "../../../sources/rules/try/claude-session.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { broken, delivered } from "../../../support/ledger-lines.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const MONEY = `---
globs: ["src/**/*.ts"]
---
Amounts are whole cents.
`;
const TESTS = "Run the tests before you say done.\n";
const FORCE = `---
keywords: [release]
guard:
  - { action: deny, tool: Bash, match: "push --force", message: "Never force-push" }
---
How to release.
`;

function world(files: Record<string, string> = {}) {
  const made = temporaryWeb(
    {
      ".continuo/rules/money.md": MONEY,
      ".continuo/rules/tests.md": TESTS,
      ".continuo/rules/release.md": FORCE,
      ...files,
    },
    [rules],
  );
  return { ...made, list: () => made.get<RulesList>(`/api/rules?project=${encodeURIComponent(made.root)}`) };
}

describe("GET /api/rules", () => {
  it("says of each rule whether it holds in a new session, why, and what it waits for", async () => {
    const w = world();
    const { rules, project, projects, total } = await w.list();
    expect(total).toBe(3);
    expect(project.root).toBe(w.root);
    expect(projects).toContainEqual(project);
    const byName = Object.fromEntries(rules.map((one) => [one.key.split("/").at(-1), one]));
    expect(byName["tests.md"]).toMatchObject({
      state: "active",
      because: "always on",
      condition: "",
      dialect: "continuo",
    });
    expect(byName["money.md"]).toMatchObject({
      state: "waiting",
      condition: "a file matching src/**/*.ts is read, edited or mentioned",
      scope: "project",
      path: join(w.root, ".continuo/rules/money.md"),
    });
    expect(byName["release.md"]?.checks).toMatchObject([
      {
        on: "calls",
        reaction: "deny",
        words: ["calls of ", { code: "Bash" }, " must not match ", { code: "push --force" }],
        message: "Never force-push",
      },
    ]);
  });

  it("says why a file is not used", async () => {
    const w = world({
      ".continuo/rules/broken.md": "---\nglobs: [unclosed\n---\nText\n",
      ".cursor/rules/tests.mdc": "---\nalwaysApply: true\n---\nRun the tests before you say done.\n",
    });
    const { refused } = await w.list();
    expect(refused.find(({ path }) => path.endsWith("broken.md"))).toMatchObject({ why: "refused" });
    expect(refused.find(({ path }) => path.endsWith("tests.mdc"))).toMatchObject({ why: "duplicate" });
  });

  it("counts deliveries from the ledger, also those that come later and those of other projects apart", async () => {
    const w = world();
    const key = (await w.list()).rules.find((one) => one.name.includes("tests"))?.key ?? "";
    const deliver = (at: number, project = w.root) =>
      appendLedger(w.home, at, {
        ...{ host: "pi", session: "s1", project, epoch: 1 },
        ...delivered([{ source: "rules", key }]),
      });
    deliver(Date.parse("2026-02-01T10:00:00Z"));
    deliver(Date.parse("2026-02-01T10:00:00Z"), "/elsewhere");
    const times = async () => (await w.list()).rules.find((one) => one.key === key);
    expect(await times()).toMatchObject({ delivered: 1, lastDelivered: "2026-02-01T10:00:00.000Z" });
    deliver(Date.parse("2026-02-02T10:00:00Z"));
    expect(await times()).toMatchObject({ delivered: 2, lastDelivered: "2026-02-02T10:00:00.000Z" });
    expect((await w.list()).countedSince).toBe("2026-02-01T10:00:00.000Z");
  });

  it("shows a muted rule as muted", async () => {
    const w = world();
    const key = (await w.list()).rules.find((one) => one.name.includes("tests"))?.key ?? "";
    await addMute(w.home, {
      in: "project",
      project: w.root,
      what: `rules/${key}`,
      at: new Date().toISOString(),
    });
    expect((await w.list()).rules.find((one) => one.key === key)).toMatchObject({
      state: "muted",
      because: "you muted it in this project",
    });
  });

  it("gives names with markup as text, and bounds what a repository can fill it with", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1200 }, (_, i) => [
        `.continuo/rules/many-${i}.md`,
        `---\nkeywords: [k${i}]\n---\nRule ${i}\n`,
      ]),
    );
    const w = world({
      ...many,
      ".continuo/rules/a-script.md": `---\nname: '<script>alert(1)</script>${"x".repeat(3000)}'\n---\nHi\n`,
    });
    let list = await w.list();
    // A set this large may take several readings, as in hooks.
    for (let i = 0; i < 50 && list.refused.some(({ why }) => why === "pending"); i++) list = await w.list();
    expect(list.total).toBeGreaterThan(1200);
    expect(list.rules.length).toBe(1000);
    expect(Math.max(...list.rules.map(({ name }) => name.length))).toBeLessThan(210);
  });

  it("refuses a project that is not known, and one whose folder is gone", async () => {
    const w = world();
    const asked = async (root: string) =>
      (await w.app.request(`/api/rules?project=${encodeURIComponent(root)}`)).status;
    expect(await asked("/etc")).toBe(404);
    expect(await asked("../..")).toBe(404);
    rmSync(w.root, { recursive: true });
    expect(await asked(w.root)).toBe(404);
  });
});

describe("POST /api/rules", () => {
  it("adds a rule as `continuo rules add` does, with its warnings, and tells open pages", async () => {
    const w = world();
    const { status, body } = await w.send<AnswerOf<"rules add">>("POST", "/api/rules", {
      project: w.root,
      text: "Amounts have a currency.",
      scope: "project",
      globs: "lib/**/*.go, src/*.ts",
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ name: "amounts-have-a-currency", scope: "project" });
    expect(body.warnings).toContainEqual(expect.stringContaining("lib/**/*.go"));
    expect(readFileSync(join(w.root, ".continuo/rules/amounts-have-a-currency.md"), "utf8")).toBe(
      '---\nglobs: ["lib/**/*.go","src/*.ts"]\n---\n\nAmounts have a currency.\n',
    );
    expect(w.events).toContainEqual({ type: "rules" });
    expect((await w.list()).rules.map(({ path }) => path)).toContain(body.path);
  });

  it("adds a rule for all projects where only its person reads it", async () => {
    const w = world();
    const { body } = await w.send<AnswerOf<"rules add">>("POST", "/api/rules", {
      project: w.root,
      text: "Answer in English.",
      scope: "user",
    });
    expect(body).toMatchObject({ scope: "user", path: join(w.home.root, "rules/answer-in-english.md") });
  });

  it("refuses what the command refuses, and writes nothing", async () => {
    const w = world();
    const add = async (text: string, more: object = {}) => {
      const rule = { project: w.root, text, scope: "project", ...more };
      const { status, body } = await w.send("POST", "/api/rules", rule);
      return [status, body.error?.code];
    };
    const before = readdirSync(join(w.root, ".continuo/rules"));
    expect(await add(" ")).toEqual([400, "usage"]);
    expect(await add(TESTS)).toEqual([409, "rule-exists"]);
    expect(await add("Another one.", { name: "tests" })).toEqual([409, "rule-exists"]);
    expect(await add("---\nguard: x\n---\nText")).toEqual([400, "rule-invalid"]);
    expect(await add("word ".repeat(4000))).toEqual([400, "rule-too-long"]);
    expect(await add("Text.", { project: "/etc" })).toEqual([404, "unknown-project"]);
    expect(readdirSync(join(w.root, ".continuo/rules"))).toEqual(before);
  });

  it.each([".continuo", ".continuo/rules"])(
    "refuses a project whose %s is a link to elsewhere",
    async (link) => {
      const w = world();
      const elsewhere = temporaryFolder();
      rmSync(join(w.root, link), { recursive: true });
      symlinkSync(elsewhere, join(w.root, link));
      const rule = { project: w.root, text: "Amounts have a currency.", scope: "project" };
      const { status, body } = await w.send("POST", "/api/rules", rule);
      expect([status, body.error?.code]).toEqual([409, "outside-root"]);
      expect(body.error?.hint).toContain("for all projects");
      expect(readdirSync(elsewhere)).toEqual([]);
      expect((await w.send("POST", "/api/rules", { ...rule, scope: "user" })).status).toBe(200);
    },
  );
});

describe("POST /api/rules/try/history", () => {
  const ANY = (front: string) => `---\nglobs: "src/**/*.ts"\n${front}---\nUse unknown.\n`;
  const CHECK = ANY("checks:\n  edits:\n    never: '\\bany\\b'\n");

  function withSessions() {
    const w = world({ ".continuo/rules/no-any.md": CHECK });
    const user = w.env["HOME"] ?? "";
    mkdirSync(user, { recursive: true });
    const steps = [{ user: "Add a cart." }, edit("src/a.ts", "const x: any = 1;"), edit("src/b.ts", "fine")];
    writeSession(user, { id: "s1", cwd: w.root, steps, title: "A cart" });
    writeSession(user, { id: "other", cwd: "/elsewhere", steps });
    const tried = (more: object) =>
      w.send<TriedHistory>("POST", "/api/rules/try/history", { project: w.root, ...more });
    return { ...w, tried };
  }

  it("says where a text that is not saved would have been broken, as `continuo rules try` does for the file", async () => {
    const w = withSessions();
    const { status, body } = await w.tried({ text: CHECK });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ sessions: 1, ofSessions: 1, sessionsBroken: 1, places: 1, isCut: false });
    expect(body).toMatchObject({ occasions: 2, broken: 1, checks: [{ on: "edits", reaction: "remind" }] });
    expect(body.found).toEqual([
      {
        host: "claude-code",
        session: "s1",
        name: expect.any(String),
        at: expect.stringContaining("T"),
        path: "src/a.ts",
        line: 1,
        text: "const x: any = 1;",
      },
    ]);
    expect(body.suggested).toBeUndefined();
    const command = await runInProcess(["rules", "try", "no-any", "--json"], { env: w.env, cwd: w.root });
    const { data } = JSON.parse(command.stdout);
    expect([data.occasions, data.broken, data.told, data.sessions]).toEqual([2, 1, 1, 1]);
  });

  it("tries what a text without checks suggests, and gives the text with it", async () => {
    const { tried } = withSessions();
    const text = "Never use `any` in TypeScript.\n";
    const { body } = await tried({ text });
    expect(body).toMatchObject({ places: 1, found: [{ path: "src/a.ts" }] });
    expect(body.suggested).toContain("checks:");
    expect(body.suggested).toContain(text);
    expect((await tried({ text: body.suggested })).body).toMatchObject({ places: 1 });
  });

  it("a text without anything to try is no failure", async () => {
    const { tried } = withSessions();
    const nothing = { checks: [], sessions: 0, occasions: 0, places: 0, found: [] };
    expect(await tried({ text: "Be kind.\n" })).toMatchObject({ status: 200, body: nothing });
    const command = await tried({ text: "---\nchecks:\n  run:\n    command: npm test\n---\nTest.\n" });
    expect(command).toMatchObject({ status: 200, body: { ...nothing, checks: [{ on: "run" }] } });
  });

  it("says why a text cannot be tried", async () => {
    const { tried } = withSessions();
    const why = async (text: string, more: object = {}) => {
      const { status, body } = await tried({ text, ...more });
      return [status, body.error?.code];
    };
    const mistaken = "---\nchecks:\n  edits:\n    - never: '(?=x)'\n---\nWrong.\n";
    expect(await why(mistaken)).toEqual([400, "no-checks"]);
    expect(JSON.stringify((await tried({ text: mistaken })).body)).toContain(
      '"this text has no checks to try: ',
    );
    expect(await why("---\nglobs: a\n")).toEqual([400, "rule-unclosed"]);
    expect(await why("---\nchecks: [\n---\nText\n")).toEqual([400, "rule-frontmatter"]);
    expect(await why(CHECK, { rule: ".continuo/rules/gone.md" })).toEqual([404, "no-such-rule"]);
  });
});

describe("POST /api/rules/try", () => {
  it("says which rules a path, a prompt and a command bring, and what a check would say", async () => {
    const w = world({ "src/cart.ts": "export {};\n" });
    const project = w.root;
    const path = await w.send<TryAnswer>("POST", "/api/rules/try", { project, path: "src/cart.ts" });
    expect(path.body.rules).toMatchObject([
      {
        name: expect.stringContaining("money"),
        because: expect.stringContaining("src/cart.ts"),
        isNew: true,
      },
      { name: expect.stringContaining("tests"), isNew: false },
    ]);
    expect(path.body.broken).toBeUndefined();
    const names = path.body.rules.map(({ key }) => key);
    expect(path.body.others.length).toBeGreaterThan(0);
    for (const { key, because } of path.body.others) {
      expect(names).not.toContain(key);
      expect(because).not.toBe("");
    }
    const prompt = await w.send<TryAnswer>("POST", "/api/rules/try", {
      project,
      prompt: "prepare a release",
    });
    expect(prompt.body.rules.find(({ isNew }) => isNew)?.because).toContain('keyword "release"');
    const command = await w.send<TryAnswer>("POST", "/api/rules/try", {
      project,
      command: "git push --force origin main",
    });
    expect(command.body).toMatchObject({
      // Nobody trusts this project, so its check cannot refuse.
      broken: [
        {
          by: "command",
          reaction: "remind",
          wanted: "deny",
          sentence: expect.stringContaining("Never force-push"),
        },
      ],
      brokenTotal: 1,
      isTrusted: false,
    });
  });

  it("says what the checks would do to an edit, where, and how trust and mutes change that", async () => {
    const w = world({
      ".continuo/rules/no-any.md": `---
checks:
  edits:
    - { never: '\\bany\\b', files: "src/**/*.ts", reaction: deny, message: Use unknown. }
    - { must: SPDX, new: true }
---
Never use any.
`,
      "src/cart.ts": "export {};\n",
    });
    const attempt = async (path: string, text: string) =>
      (await w.send<TryAnswer>("POST", "/api/rules/try", { project: w.root, path, text })).body;
    const places = ({ broken }: TryAnswer) =>
      broken?.map(({ name, by, reaction, wanted, line, text }) => [name, by, reaction, wanted, line, text]);
    const text = "const a = 1;\nlet b: any;\n";
    expect(places(await attempt("src/cart.ts", text))).toEqual([
      ["no-any.md", "edit", "remind", "deny", 2, "let b: any;"],
    ]);
    // A file that is not there would be a new one.
    expect(places(await attempt("src/new.ts", "let b;\n"))).toEqual([
      ["no-any.md", "edit", "remind", "remind", undefined, ""],
    ]);
    expect(places(await attempt("docs/new.md", "SPDX: any"))).toEqual([]);
    const { trust } = await w.list();
    await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    const refused = await attempt("src/new.ts", text);
    expect(refused.broken?.map(({ reaction }) => reaction)).toEqual(["deny", "remind"]);
    expect(refused.broken?.[0]?.sentence).toBe(
      'src/new.ts:2 would break the rule "no-any.md": let b: any; (Use unknown.)',
    );
    const many = await attempt("src/cart.ts", "any\n".repeat(500));
    expect(many.broken?.length).toBeLessThanOrEqual(50);
    expect(many.brokenTotal).toBe(500);
    await addMute(w.home, {
      in: "project",
      project: w.root,
      what: "rules/.continuo/rules/no-any.md",
      at: new Date().toISOString(),
    });
    expect((await attempt("src/cart.ts", text)).broken).toEqual([]);
  });

  it("refuses megabytes, paths outside the project and unknown fields", async () => {
    const w = world();
    const project = w.root;
    const status = async (body: unknown) => (await w.send("POST", "/api/rules/try", body)).status;
    expect(await status({ project, prompt: "x".repeat(60_000) })).toBe(400);
    expect(await status({ project, prompt: "x".repeat(3_000_000) })).toBe(413);
    expect(await status({ project, path: "../../etc/passwd" })).toBe(400);
    expect(await status({ project: "/etc", path: "passwd" })).toBe(404);
    expect(await status({ project, shell: "ls" })).toBe(400);
    expect(await status({ project, text: "an edit without a file" })).toBe(400);
    expect(await status({ project, path: "a.ts", text: "x".repeat(300_000) })).toBe(400);
  });
});

describe("trust", () => {
  it("needs exactly the checks that were shown, and can be revoked", async () => {
    const w = world();
    const { trust } = await w.list();
    expect(trust).toMatchObject({
      isTrusted: false,
      total: 1,
      shown: [
        { reaction: "deny", message: "Never force-push", path: join(w.root, ".continuo/rules/release.md") },
      ],
    });
    const wrong = await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: "other",
      runs: trust.runsToken,
    });
    expect(wrong).toMatchObject({ status: 409, body: { error: { code: "checks-changed" } } });
    expect(readTrust(w.home).projects).toEqual([]);
    const given = await w.send<TrustState>("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    expect(given.body).toMatchObject({ isTrusted: true, hasChanged: false });
    expect(w.events).toContainEqual({ type: "rules" });
    write(w.root, { ".continuo/rules/more.md": FORCE.replace("push --force", "rm -rf") });
    expect((await w.list()).trust).toMatchObject({ isTrusted: true, hasChanged: true, total: 2 });
    const late = await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    expect(late.status).toBe(409);
    await w.send("DELETE", "/api/rules/trust", { project: w.root });
    expect((await w.list()).trust).toMatchObject({ isTrusted: false });
  });

  it("shows commands in full and accepts exactly those that were shown", async () => {
    const w = world();
    const rule = (command: string) => `---\nchecks:\n  run:\n    - command: ${command}\n---\nLint.`;
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --quiet 'a  b'") });
    const { trust } = await w.list();
    expect(trust).toMatchObject({
      totalRuns: 1,
      runs: [{ command: "npx eslint --quiet 'a  b'", about: "on any file; at most 60 s", isAccepted: false }],
    });
    const give = (state: TrustState) =>
      w.send<TrustState>("POST", "/api/rules/trust", {
        project: w.root,
        checks: state.checks,
        runs: state.runsToken,
      });
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --fix") });
    expect((await give(trust)).status).toBe(409);
    expect(readTrust(w.home)).toMatchObject({ projects: [], runs: {} });
    const given = await give((await w.list()).trust);
    expect(given.body).toMatchObject({ isTrusted: true, hasChanged: false, runs: [{ isAccepted: true }] });
    expect(readTrust(w.home).runs[w.root]?.join()).toContain("--fix");
    write(w.root, { ".continuo/rules/lint.md": rule("npx eslint --other") });
    expect((await w.list()).trust).toMatchObject({ hasChanged: true, runs: [{ isAccepted: false }] });
  });

  it("shows every character of a check, and cannot trust what is too long to be shown", async () => {
    const w = world();
    const rule = (never: string, files = "src/**") =>
      `---\nchecks:\n  edits:\n    - ${JSON.stringify({ never, files, reaction: "deny", message: "a\u202eb" })}\n---\nText`;
    write(w.root, { ".continuo/rules/odd.md": rule(`two  spaces\u200b${"x".repeat(900)}`) });
    const odd = (await w.list()).trust.shown.find(({ path }) => path.endsWith("odd.md"));
    expect(odd?.words).toContainEqual({ code: `two  spaces\\u200b${"x".repeat(900)}` });
    expect(odd?.message).toBe("a\\u202eb");
    const globs = Array.from({ length: 200 }, (_, i) => `src/${"y".repeat(50)}${i}/**`).join(", ");
    write(w.root, { ".continuo/rules/odd.md": rule("x1", globs) });
    const { trust } = await w.list();
    expect([trust.total, trust.shown.length]).toEqual([2, 1]);
    const given = await w.send("POST", "/api/rules/trust", {
      project: w.root,
      checks: trust.checks,
      runs: trust.runsToken,
    });
    expect([given.status, readTrust(w.home).projects]).toEqual([409, []]);
  });

  it("explains a damaged list of trusted projects, and trusts nothing by it", async () => {
    const w = world();
    write(w.home.root, { "trust.json": "{ broken" });
    const { trust } = await w.list();
    expect(trust.isTrusted).toBe(false);
    expect(trust.damage?.hint).toContain("continuo rules trust");
  });
});

describe("GET /api/rules/report", () => {
  const NOW = Date.parse("2026-03-20T12:00:00Z");
  const DAY = 24 * 3_600_000;

  function reported() {
    const made = temporaryWeb(
      { ".continuo/rules/tests.md": TESTS, ".continuo/rules/no-any.md": FORCE },
      [rules],
      {
        now: () => NOW,
      },
    );
    const line = { host: "pi", session: "s1", project: made.root, epoch: 1 };
    return {
      ...made,
      checked: (daysAgo: number, counts: Record<string, number>, project = made.root) =>
        appendLedger(made.home, NOW - daysAgo * DAY, { ...line, project, kind: "checked", counts }),
      broken: (daysAgo: number, rule: string, more: object = {}) =>
        appendLedger(made.home, NOW - daysAgo * DAY, { ...line, ...broken(rule, more) }),
      async report(): Promise<RulesReport> {
        const answer = await made.app.request(`/api/rules/report?project=${encodeURIComponent(made.root)}`);
        expect(answer.status, await answer.clone().text()).toBe(200);
        return (await answer.json()) as RulesReport;
      },
    };
  }

  it("has occasions, breaches and the trend of the last weeks, the worst rule first", async () => {
    const w = reported();
    w.checked(10, { ".continuo/rules/no-any.md#c1": 4, ".continuo/rules/tests.md#c1": 9 });
    w.broken(10, ".continuo/rules/no-any.md");
    w.broken(10 - 0.01, ".continuo/rules/no-any.md", { isAfterReminder: true });
    w.checked(2, { ".continuo/rules/no-any.md#c1": 10 });
    w.broken(2, ".continuo/rules/no-any.md", { reaction: "deny", isAfterCompaction: true });
    w.broken(1, ".continuo/rules/gone.md");
    w.checked(1, { ".continuo/rules/no-any.md#c1": 50 }, "/elsewhere");
    w.broken(40, ".continuo/rules/tests.md"); // too long ago
    const { rules: rows, total, days, first, sessions } = await w.report();
    expect([total, days, sessions, first]).toEqual([3, 30, 1, new Date(NOW - 10 * DAY).toISOString()]);
    expect(rows.map(({ key }) => key.split("/").at(-1))).toEqual(["no-any.md", "gone.md", "tests.md"]);
    expect(rows[0]).toMatchObject({
      occasions: 14,
      broken: 3,
      afterReminder: 1,
      afterCompaction: 1,
      refused: 1,
      share: 3 / 14,
      lastWeek: 0.1,
      weekBefore: 0.5,
      exists: true,
      isAlwaysBroken: false,
    });
    expect(rows[1]).toMatchObject({ exists: false, broken: 1, occasions: 1 });
    expect(rows[2]).toMatchObject({ occasions: 9, broken: 0, share: 0 });
  });

  it("says which rule is always broken, and is empty if nothing was checked", async () => {
    const w = reported();
    expect(await w.report()).toMatchObject({ rules: [], total: 0, neverApplied: [] });
    for (let i = 0; i < 6; i++) w.broken(3 - i / 10, ".continuo/rules/tests.md");
    const both = await Promise.all([w.report(), w.report()]);
    for (const { rules: rows } of both)
      expect(rows).toMatchObject([{ name: "tests.md", broken: 6, isAlwaysBroken: true }]);
  });

  it("refuses a project that is not known", async () => {
    const w = reported();
    expect((await w.app.request("/api/rules/report?project=/etc")).status).toBe(404);
    expect((await w.app.request("/api/rules/report?other=1")).status).toBe(400);
  });
});
