import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { main } from "../../../../src/cli/main.ts";
import { registries } from "../../../../src/entries/registries.ts";
import {
  bash,
  edit,
  type Session,
  type Step,
  writeSession,
} from "../../../sources/rules/try/claude-session.ts";
import { history, readerOf } from "../../../support/histories.ts";
import { commandWorld, runInProcess } from "../../../support/in-process.ts";

const NO_ANY = [
  "---",
  "name: no-any",
  "globs: 'src/**/*.ts'",
  "checks:",
  "  edits:",
  "    never: '\\bany\\b'",
  "    message: Use unknown.",
  "---",
  "Never use any.",
].join("\n");

function setUp(files: Record<string, string> = {}) {
  const world = commandWorld({
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/objects/x": "",
    ".continuo/rules/no-any.md": NO_ANY,
    ".continuo/rules/plain.md": "Be brief.",
    ...files,
  });
  const { user } = world;
  mkdirSync(user);
  let count = 0;
  const session = (steps: readonly Step[], more: Partial<Session> = {}) =>
    writeSession(user, {
      id: `s${++count}`,
      cwd: world.root,
      steps: [{ user: "Add a cart." }, ...steps],
      ...more,
    });
  const run = (...args: string[]) => world.run("rules", "try", ...args);
  return { world, session, run };
}

describe("rules try", () => {
  it("shows what a rule's checks would have said: session, date, file, text, weeks, and what was read", async () => {
    const { session, run } = setUp();
    session(
      [
        edit("src/a.ts", "const x: any = 1;"),
        edit("src/b.ts", "fine", { fails: true }),
        edit("docs/a.md", "any"),
      ],
      {
        title: "The cart",
      },
    );
    session([edit("src/c.ts", "fine")]);
    const { stdout, code } = await run("no-any");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^no-any: broken at 1 of 2 occasions \(50%\), 1 place,\nin 1 of 2 sessions of /);
    expect(stdout).toMatch(
      /^The cart {2}\(Claude Code, \d{4}-\d\d-\d\d, s1\)\n {2}src\/a\.ts:1 {2}const x: any = 1;$/m,
    );
    expect(stdout).toMatch(/^ {2}\d{4}-\d\d-\d\d +1 +2 +#+$/m);
    expect(stdout).toMatch(/^Read 2 sessions \(\d KB\) in \d+\.\d s\.$/m);
    expect(stdout).toContain("Tool calls: 4. 1 refused or failed call is left out.");
  });

  it("gives the same as JSON", async () => {
    const { session, run } = setUp();
    const transcript = session([edit("src/a.ts", "any")], { title: "The cart", at: "2026-11-10T10:00:00Z" });
    const { data, ok } = JSON.parse((await run("no-any", "--json", "--since", "2026-01-01")).stdout);
    expect(ok).toBe(true);
    expect(data).toMatchObject({
      occasions: 1,
      broken: 1,
      breaches: 1,
      sessions: 1,
      isCut: false,
      unreadable: [],
    });
    expect(data.found).toMatchObject([
      {
        session: "s1",
        sessionName: "The cart",
        transcript,
        path: "src/a.ts",
        text: "any",
        at: "2026-11-10T10:00:02.000Z",
      },
    ]);
    expect(data.weeks).toEqual([{ from: "2026-11-09", occasions: 1, broken: 1, breaches: 1 }]);
  });

  it("tries a Markdown file that is in no folder of rules", async () => {
    const { session, run } = setUp({
      "draft.md": "---\nchecks:\n  commands:\n    never: 'git push.*--force'\n---\nNever force.",
    });
    session([bash("git add . && git push --force")]);
    expect((await run("draft.md")).stdout).toContain("  git push --force\n");
    expect((await run("no-draft.md")).stderr).toContain('unknown rule "no-draft.md"');
  });

  it("says of what must be there and is missing what it is", async () => {
    const { session, run } = setUp({
      "draft.md": "---\nchecks:\n  answer:\n    must: '^Tests: '\n---\nName the tests.",
    });
    session([{ says: "Done." }]);
    expect((await run("draft.md")).stdout).toMatch(/^ {2}.*\^Tests: /m);
  });

  it("reads the sessions of this project, and with --all those of every project", async () => {
    const { session, run } = setUp();
    session([edit("src/a.ts", "any")], { cwd: "/elsewhere" });
    const here = (await run("no-any")).stdout;
    expect(here).toContain("no-any: no occasion in 0 sessions of ");
    expect(here).toContain("All projects: --all");
    expect((await run("no-any", "--all")).stdout).toContain("  src/a.ts:1  any");
  });

  it("shows as many places as asked for, and counts the others", async () => {
    const { session, run } = setUp();
    session(["a", "b", "c"].map((name) => edit(`src/${name}.ts`, "any")));
    const { stdout } = await run("no-any", "--limit", "2");
    expect(stdout).toContain("Showing 2 of 3. Use --limit.");
    expect(stdout).not.toContain("src/c.ts");
  });

  it("names what cannot be tried: no checks, checks left out, an unknown rule", async () => {
    const { run } = setUp({
      "odd.md": "---\nchecks:\n  edits:\n    - never: 'ok'\n    - never: '(?=x)'\n---\nOdd.",
      "wrong.md": "---\nchecks:\n  edits:\n    - never: '(?=x)'\n---\nWrong.",
      "run.md": "---\nchecks:\n  run:\n    command: npm test\n---\nTest.",
    });
    expect((await run("plain")).stderr).toContain('the rule "plain.md" has no checks to try');
    expect((await run("plain")).stderr).toContain("such as checks: { edits: { never: ");
    expect((await run("wrong.md")).stderr).toMatch(
      /the rule "wrong.md" has no checks to try: a check of edits has never: .*the check is left out/,
    );
    expect((await run("run.md")).stderr).toContain("commands are not run on past sessions");
    expect((await run("odd.md")).stdout).toContain("Warning: odd.md: ");
    expect((await run("no-amy")).stderr).toContain('did you mean "no-any"?');
    expect((await run()).code).toBe(2);
  });

  it("shows hostile texts on one line without control characters", async () => {
    const { session, run } = setUp();
    session([edit("src/a\n\u001b[2J.ts", "any \u001b[31m\u202e evil")], { title: "a\nb\u001b[0m" });
    const { stdout } = await run("no-any");
    expect(stdout).toContain("evil");
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).toMatch(/^a b/m);
  });

  it("leaves sessions alone that the user had forgotten", async () => {
    const { world, session, run } = setUp();
    session([edit("src/a.ts", "any")]);
    const { env, root: cwd } = world;
    await runInProcess(["sessions", "index"], { env, cwd });
    expect((await runInProcess(["sessions", "forget", "--yes", "s1"], { env, cwd })).code).toBe(0);
    expect((await run("no-any")).stdout).toContain("in 0 sessions");
  });

  it("shows after Ctrl-C what was found so far", async () => {
    const { world, session } = setUp();
    for (let count = 0; count < 5; count++) session([edit("src/a.ts", "any")]);
    const reader = readerOf("claude-code");
    let read = 0;
    const interrupting = {
      ...reader,
      read: (...args: Parameters<typeof reader.read>) => {
        // As Ctrl-C does; only what this command listens with, because the test runner listens too.
        if (++read === 3) process.listeners("SIGINT").at(-1)?.("SIGINT");
        return reader.read(...args);
      },
    };
    const { env, root: cwd } = world;
    const given = { env, cwd, now: Date.now, packageRoot: cwd, stdin: -1, ...registries };
    const said: string[] = [];
    const code = await main(
      ["rules", "try", "no-any"],
      { ...given, history: async () => new Map([...history, ["claude-code", interrupting]]) },
      { out: (text) => said.push(text), err: () => undefined },
    );
    expect(code).toBe(0);
    expect(said.join("")).toContain("broken at 2 of 2 occasions");
    expect(said.join("")).toMatch(/^Read 2 of 5 sessions .* Stopped early\.$/m);
  });
});
