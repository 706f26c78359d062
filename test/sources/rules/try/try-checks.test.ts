import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Check } from "../../../../src/sources/rules/rule.ts";
import { type TryOptions, tryChecks } from "../../../../src/sources/rules/try/try-checks.ts";
import { claudeCodeHistory } from "../../../hosts/shared/history/histories/claude-code.ts";
import { codexHistory } from "../../../hosts/shared/history/histories/codex.ts";
import { copilotHistory } from "../../../hosts/shared/history/histories/copilot.ts";
import { geminiHistory } from "../../../hosts/shared/history/histories/gemini.ts";
import { opencodeHistory } from "../../../hosts/shared/history/histories/opencode.ts";
import { piHistory } from "../../../hosts/shared/history/histories/pi.ts";
import { history } from "../../../support/histories.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { bash, edit, type Session, type Step, writeSession } from "./claude-session.ts";

const EVERY_FILE = { include: [], exclude: [] };
const NO_ANY: Check = { on: "edits", id: "any", reaction: "remind", never: "\\bany\\b", files: EVERY_FILE };
const TESTS_FIRST: Check = {
  on: "commands",
  id: "tests",
  reaction: "remind",
  match: "^git commit",
  ran: "^npm test",
  files: EVERY_FILE,
};
const TESTED: Check = { on: "done", id: "done", reaction: "remind", ran: "^npm test", files: EVERY_FILE };
const POLITE: Check = { on: "answer", id: "polite", reaction: "remind", never: "absolutely right" };

const rule = (...checks: readonly Check[]) => [{ key: ".continuo/rules/r.md", name: "r", checks }];

function setUp() {
  const home = temporaryFolder();
  const env = {
    HOME: home,
    CONTINUO_HOME: join(home, "continuo"),
    XDG_DATA_HOME: join(home, ".local/share"),
  };
  let count = 0;
  const session = (steps: readonly Step[], more: Partial<Session> = {}) =>
    writeSession(home, { id: `s${++count}`, cwd: "/work/shop", steps, ...more });
  const tried = (checks: readonly Check[], options: Partial<TryOptions> = {}) =>
    tryChecks(rule(...checks), { history, env, ...options });
  return { home, session, tried };
}

describe("trying checks on past sessions", () => {
  it("finds added lines with their session, file and text, and counts the occasions", async () => {
    const { session, tried } = setUp();
    session([
      { user: "Go." },
      edit("src/a.ts", "const ok = 1;\nconst x: any = 2;"),
      edit("src/b.ts", "fine"),
      { says: "Done." },
    ]);
    const result = await tried([NO_ANY]);
    expect(result.found).toMatchObject([
      { host: "claude-code", session: "s1", name: "r", path: "src/a.ts", text: "const x: any = 2;" },
    ]);
    expect(result).toMatchObject({
      occasions: 2,
      broken: 1,
      breaches: 1,
      sessions: 1,
      sessionsBroken: 1,
      calls: 2,
      failedCalls: 0,
      isCut: false,
    });
    expect(result.bytes).toBeGreaterThan(500);
    expect(result.checks).toEqual([
      { rule: ".continuo/rules/r.md", check: "any", on: "edits", occasions: 2, broken: 1, breaches: 1 },
    ]);
  });

  it("leaves out calls that failed, and counts them", async () => {
    const { session, tried } = setUp();
    session([
      { user: "Go." },
      edit("a.ts", "any", { fails: true }),
      bash("npm test", { fails: true }),
      bash("git commit --amend"),
    ]);
    const result = await tried([NO_ANY, TESTS_FIRST]);
    expect(result.found.map(({ check, text }) => [check, text])).toEqual([["tests", "git commit --amend"]]);
    expect(result).toMatchObject({ calls: 3, failedCalls: 2 });
  });

  it("remembers within a session what ran since the last edit, and forgets it with the next session", async () => {
    const { session, tried } = setUp();
    session([
      { user: "Go." },
      bash("npm test"),
      bash("git commit -a"),
      edit("a.ts", "x"),
      bash("git commit -v"),
    ]);
    session([{ user: "Go." }, bash("git commit --amend")]);
    const texts = (await tried([TESTS_FIRST])).found.map(({ text }) => text).sort();
    expect(texts).toEqual(["git commit --amend", "git commit -v"]);
  });

  it("judges answers and what must have run at the end of each turn", async () => {
    const { session, tried } = setUp();
    session([
      { user: "Go." },
      edit("a.ts", "x"),
      { says: "You are absolutely right." },
      { user: "Test it." },
      bash("npm test"),
      { says: "Done." },
    ]);
    const { found, occasions } = await tried([TESTED, POLITE]);
    expect(found.map(({ check }) => check)).toEqual(["polite", "done"]);
    // The second turn edited nothing, so nothing had to run before its end.
    expect(occasions).toBe(3);
  });

  it("tells a place once per session and counts it every time", async () => {
    const { session, tried } = setUp();
    session([{ user: "Go." }, edit("a.ts", "any"), edit("a.ts", "any")]);
    const { found, told, breaches, broken } = await tried([NO_ANY]);
    expect([found.length, told, breaches, broken]).toEqual([1, 1, 2, 2]);
  });

  it("counts by week and leaves out what is older than asked for", async () => {
    const { session, tried } = setUp();
    session([{ user: "Go." }, edit("a.ts", "any")], { at: "2026-10-26T00:00:00Z" });
    session([{ user: "Go." }, edit("a.ts", "any")], { at: "2026-11-01T23:00:00Z" });
    session([{ user: "Go." }, edit("a.ts", "any")], { at: "2026-11-02T00:00:00Z" });
    const weeks = async (since?: string) =>
      (await tried([NO_ANY], since ? { since: Date.parse(since) } : {})).weeks.map(({ from, broken }) => [
        from,
        broken,
      ]);
    expect(await weeks()).toEqual([
      ["2026-10-26", 2],
      ["2026-11-02", 1],
    ]);
    expect(await weeks("2026-11-01")).toEqual([
      ["2026-10-26", 1],
      ["2026-11-02", 1],
    ]);
  });

  it("reads only sessions of the project, and makes paths relative to its root", async () => {
    const { home, session, tried } = setUp();
    const root = join(home, "shop");
    mkdirSync(join(root, ".git/objects"), { recursive: true });
    mkdirSync(join(root, "web"));
    writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
    session([{ user: "Go." }, edit("src/a.ts", "any")], { cwd: join(root, "web") });
    session([{ user: "Go." }, edit("src/a.ts", "any")], { cwd: join(home, "other") });
    const { found, ofSessions } = await tried([NO_ANY], { projects: [join(root, ".git")] });
    expect(found.map(({ path }) => path)).toEqual(["web/src/a.ts"]);
    expect(ofSessions).toBe(1);
  });

  it("shows the newest sessions first and keeps only as many breaches as asked for", async () => {
    const { session, tried } = setUp();
    for (const day of ["01", "03", "02"]) {
      const path = session([{ user: "Go." }, edit("a.ts", `any // ${day}`)]);
      utimesSync(path, new Date(`2026-11-${day}`), new Date(`2026-11-${day}`));
    }
    const { found, told } = await tried([NO_ANY], { most: 2 });
    expect(found.map(({ text }) => text)).toEqual(["any // 03", "any // 02"]);
    expect(told).toBe(3);
  });

  it("redacts secrets and clips long lines", async () => {
    const { session, tried } = setUp();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    session([{ user: "Go." }, edit("a.ts", `any = "${secret}"`), edit("b.ts", `any ${"x".repeat(5000)}`)]);
    const [first, second] = (await tried([NO_ANY])).found;
    expect(first?.text).toContain("[redacted:");
    expect(first?.text).not.toContain(secret);
    expect(second?.text).toHaveLength(160);
  });

  it("names a session that cannot be read, and goes on with the others", async () => {
    const { session, tried } = setUp();
    const closed = session([{ user: "Go." }, edit("a.ts", "any")]);
    session([{ user: "Go." }, edit("a.ts", "any")]);
    chmodSync(closed, 0);
    const { found, sessions, unreadable } = await tried([NO_ANY]);
    chmodSync(closed, 0o600);
    if (process.getuid?.() === 0) return; // root reads everything
    expect([found.length, sessions]).toEqual([1, 1]);
    expect(unreadable).toMatchObject([{ host: "claude-code", id: "s1", path: closed }]);
  });

  it("counts lines that are damaged or too long, and reads the others", async () => {
    const { session, tried } = setUp();
    const path = session([{ user: "Go." }, edit("a.ts", "any")]);
    writeFileSync(path, `{"type":"user","x":"${"x".repeat(9_000_000)}"}\nnot JSON\n`, { flag: "a" });
    const { found, skippedLines } = await tried([NO_ANY]);
    expect([found.length, skippedLines]).toEqual([1, 2]);
  });

  it("ends when it is over, with what was found so far", async () => {
    const { session, tried } = setUp();
    for (let count = 0; count < 5; count++)
      session([{ user: "Go." }, edit("a.ts", "any"), edit("b.ts", "any")]);
    let asked = 0;
    const { found, isCut, sessions } = await tried([NO_ANY], { isOver: () => ++asked > 10 });
    expect(isCut).toBe(true);
    expect(sessions).toBeLessThan(5);
    expect(found.length).toBeGreaterThan(0);
    expect(await tried([NO_ANY], { limitMs: -1 })).toMatchObject({ isCut: true, sessions: 0 });
  });

  it("leaves forgotten sessions and other hosts alone", async () => {
    const { session, tried } = setUp();
    session([{ user: "Go." }, edit("a.ts", "any")]);
    session([{ user: "Go." }, edit("a.ts", "any")]);
    expect((await tried([NO_ANY], { isForgotten: ({ id }) => id === "s1" })).ofSessions).toBe(1);
    expect((await tried([NO_ANY], { hosts: ["pi"] })).ofSessions).toBe(0);
  });

  it("runs no command", async () => {
    const { home, session, tried } = setUp();
    session([{ user: "Go." }, edit("a.ts", "any"), { says: "Done." }]);
    const run: Check = {
      on: "run",
      id: "run",
      reaction: "remind",
      command: ["touch", join(home, "ran")],
      files: EVERY_FILE,
      timeoutMs: 1000,
    };
    const { occasions, checks } = await tried([run]);
    expect([occasions, checks]).toEqual([0, []]);
  });

  it.each([claudeCodeHistory, codexHistory, copilotHistory, geminiHistory, opencodeHistory, piHistory])(
    "reads the history of every host ($reader.host)",
    async ({ reader, write, session }) => {
      const { home, tried } = setUp();
      write(home);
      const naive: Check = { ...POLITE, id: "naive", never: "naïvely" };
      const { found } = await tried([naive]);
      expect(found).toMatchObject([
        { host: reader.host, session, on: "answer", text: "In round.ts — naïvely." },
      ]);
    },
  );
});
