import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendLedger, type EntryBody } from "../../../../src/moments/state/ledger.ts";
import { commandWorld, runInProcess } from "../../../support/in-process.ts";
import { write } from "../../../support/world.ts";

const DAY = 24 * 3_600_000;
const KEY = ".continuo/rules/no-any.md";
const LATER = 10 * 60_000;

const FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/x": "",
  [KEY]: "---\nname: no-any\n---\nNever use any.",
  ".continuo/rules/sql.md": "---\nname: sql\nglobs: '*.sql'\n---\nUse lower case.",
  ".continuo/rules/asked.md": "---\nname: asked\nalwaysApply: false\n---\nOnly when asked.",
};

function setUp() {
  const world = commandWorld(FILES);
  const project = join(world.root, ".git");
  const put = (body: EntryBody, { session = "s1", ago = -LATER, of = project } = {}) =>
    appendLedger(world.home, Date.now() - ago, { host: "pi", session, project: of, epoch: 0, ...body });
  const run = (...args: string[]) => world.run("rules", "report", ...args);
  const json = (...args: string[]) => world.data("rules", "report", ...args);
  return { world, project, put, run, json };
}

const delivered = (key = KEY, title = "no-any"): EntryBody => ({
  kind: "delivered",
  what: "snapshot",
  tokens: 5,
  fingerprint: "f",
  items: [{ source: "rules", key, title, reason: "", tokens: 5 }],
  dropped: [],
});

const broken = (more: object = {}): EntryBody => ({
  kind: "broken",
  rule: KEY,
  name: "no-any",
  check: "c1",
  on: "edits",
  reaction: "remind",
  text: "const x: any = 1",
  ...more,
});

describe("rules report RULE", () => {
  it("lists the latest places from the ledger: where, what, when and in which session", async () => {
    const { put, run, json } = setUp();
    put(broken({ path: "src/a.ts", line: 3, text: "let a: any" }), { ago: 2 * DAY });
    put(broken({ path: "src/b.ts", text: "let b: any", reaction: "deny", tool: "Edit" }), { ago: DAY });
    put(broken({ path: "src/c.ts", line: 9, text: "\u001b[2Jlet c: any", more: 2 }), { session: "s2" });
    put(broken({ rule: ".continuo/rules/sql.md", name: "sql", text: "SELECT" }));
    put(broken({ text: "elsewhere" }), { of: "/other/.git" });
    const { stdout } = await run("no-any");
    expect(stdout).toMatch(
      /unnamed session {2}\(pi, s2\)\n {2}\S+ \S+ .*src\/c\.ts:9 .*let c: any and 2 more places/,
    );
    expect(stdout.replace(/\s+/g, " ")).toMatch(/src\/b\.ts let b: any \(refused\).*src\/a\.ts:3 let a: any/);
    expect(stdout).not.toMatch(/SELECT|elsewhere|\u001b/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const cut = await run("no-any.md", "--limit", "1");
    expect(cut.stdout).toContain("Showing 1 of 3. Use --limit.");
    expect((await json("no-any")).places).toMatchObject([
      { path: "src/c.ts" },
      { path: "src/b.ts" },
      { line: 3 },
    ]);
    expect((await run("no-amy")).stderr).toContain('did you mean "no-any"?');
  });
});

describe("rules report", () => {
  it("says what to do if nothing was delivered yet", async () => {
    const { run } = setUp();
    const { stdout, code } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^No rule was delivered or checked in .* since \d{4}-\d\d-\d\d\.$/m);
    expect(stdout).toContain("continuo rules list");
    expect(stdout).toContain("continuo install");
  });

  it("shows sessions, occasions, breaches and the trend of each rule, the worst first, in 80 columns", async () => {
    const { put, run } = setUp();
    put(delivered(".continuo/rules/sql.md", "sql"));
    for (const session of ["s1", "s2"]) put(delivered(), { session });
    put({ kind: "checked", counts: { [`${KEY}#c1`]: 8 } });
    put(broken({ isAfterReminder: true, more: 2 }));
    put(broken({ reaction: "deny", isAfterCompaction: true }), { session: "s2" });
    put({ kind: "checked", counts: { [`${KEY}#c1`]: 4 } }, { ago: 9 * DAY });
    for (const session of ["a", "b", "c"]) put(broken(), { session, ago: 9 * DAY });
    const { stdout } = await run();
    expect(stdout).toMatch(/^ {2}no-any +2 +12 +5 42% +25%, before 75%$/m);
    expect(stdout).toContain("7 places, 1 after a compaction, 3 after a reminder of this rule, 1 refused");
    expect(stdout).toMatch(/^ {2}sql +1 +- +- +-$/m);
    expect(stdout.indexOf("no-any")).toBeLessThan(stdout.indexOf("sql"));
    expect(
      Math.max(
        ...stdout
          .split("\n")
          .slice(1)
          .map((one) => one.length),
      ),
    ).toBeLessThanOrEqual(80);
    expect(stdout).toContain("continuo rules report no-any");
  });

  it("gives the same as JSON", async () => {
    const { put, json } = setUp();
    put(delivered());
    put({ kind: "checked", counts: { [`${KEY}#c1`]: 4 } });
    put(broken());
    const { rules, sessions } = await json();
    expect(sessions).toBe(1);
    expect(rules).toMatchObject([
      {
        key: KEY,
        name: "no-any",
        exists: true,
        sessions: 1,
        occasions: 4,
        broken: 1,
        share: 0.25,
        lastWeek: 0.25,
      },
    ]);
  });

  it("names rules that exist and never applied, but none that waits for a request or is newer than the data", async () => {
    const { world, put, json } = setUp();
    put(delivered());
    const neverApplied = async () => (await json()).neverApplied.map(({ name }: { name: string }) => name);
    expect(await neverApplied()).toEqual(["sql"]);
    const soon = new Date(Date.now() + 2 * LATER);
    utimesSync(join(world.root, ".continuo/rules/sql.md"), soon, soon);
    expect(await neverApplied()).toEqual([]);
  });

  it("names rules that are broken every time as bad rules or bad checks", async () => {
    const { put, run, json } = setUp();
    put({ kind: "checked", counts: { [`${KEY}#c1`]: 5 } });
    for (const session of ["a", "b", "c", "d"]) put(broken(), { session });
    expect((await json()).alwaysBroken).toEqual([]);
    put(broken(), { session: "e" });
    expect((await json()).alwaysBroken).toEqual([{ key: KEY, name: "no-any" }]);
    expect((await run()).stdout).toContain("A bad rule, or a bad check: continuo rules report no-any");
  });

  it("says of a rule whose file is gone that it no longer exists", async () => {
    const { put, run, json } = setUp();
    put(broken({ rule: ".continuo/rules/old.md", name: "old" }));
    expect((await json()).rules).toMatchObject([{ name: "old", exists: false }]);
    expect((await run()).stdout).toContain("this rule no longer exists");
  });

  it("counts only this project, and with --all every project", async () => {
    const { put, json, run } = setUp();
    put(broken());
    put(broken(), { of: "/gone/shop/.git" });
    expect((await json()).rules).toHaveLength(1);
    const all = (await json("--all")).rules;
    expect(
      all.map(({ project, exists }: { project: string; exists?: boolean }) => [
        project.split("/").at(-2),
        exists,
      ]),
    ).toEqual([
      ["project", true],
      ["shop", undefined],
    ]);
    expect((await run("--all")).stdout).toContain("no-any (shop)");
  });

  it("counts only what happened since a time", async () => {
    const { put, json } = setUp();
    put(broken(), { ago: 40 * DAY });
    put(broken());
    expect((await json()).rules[0].breaches).toBe(1);
    expect((await json("--since", "60d")).rules[0].breaches).toBe(2);
  });

  it("shows hostile names as harmless text on one line", async () => {
    const { put, run } = setUp();
    put(broken({ rule: ".continuo/rules/evil.md", name: "a\n  b\u001b[31m\u202e" }));
    const { stdout } = await run();
    expect(stdout).toContain("a b\ufffd[31m");
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it("refuses a wrong time and more arguments", async () => {
    const { run } = setUp();
    expect((await run("--since", "soon")).code).toBe(2);
    expect((await run("no-any", "sql")).code).toBe(2);
  });

  it("counts what a host's session did: delivered at its start, broken by an edit, counted when it goes idle", async () => {
    const { world, run, json } = setUp();
    const { root: cwd, env } = world;
    write(cwd, {
      [KEY]: "---\nname: no-any\nchecks:\n  edits:\n    never: '\\bany\\b'\n---\nNever use any.",
    });
    const hook = (event: string, payload: object = {}) =>
      runInProcess(["hook", "claude-code", event], {
        env,
        cwd,
        stdin: JSON.stringify({ session_id: "real", cwd, hook_event_name: event, ...payload }),
      });
    const edit = (file: string, text: string) =>
      hook("PostToolUse", {
        tool_name: "Edit",
        tool_input: { file_path: join(cwd, file), old_string: "x", new_string: text },
        tool_response: { filePath: join(cwd, file) },
      });
    await hook("SessionStart", { source: "startup" });
    expect((await edit("a.ts", "const a: any = 1;")).stdout).toContain("no-any");
    await edit("b.ts", "fine");
    await hook("Stop");
    expect((await json()).rules).toMatchObject([
      { name: "no-any", sessions: 1, occasions: 2, broken: 1, breaches: 1, share: 0.5 },
    ]);
    expect((await run()).stdout).toMatch(/^ {2}no-any +1 +2 +1 50% +50%, before none$/m);
  });
});
