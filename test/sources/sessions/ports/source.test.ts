import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../../src/hosts/index.ts";
import type { SourceContext } from "../../../../src/moments/ports/source.ts";
import { knownProject } from "../../../../src/moments/project/known-project.ts";
import { sessions as source } from "../../../../src/sources/sessions/ports/source.ts";
import { quickest } from "../../../support/quickest.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

const PROJECT = { id: "p", root: "p", label: "p" };

function setUp(more: Partial<SourceContext> = {}) {
  const here = place();
  const failures: string[] = [];
  const context: SourceContext = {
    settings: { index: true, keep: true },
    history: loadHistory,
    env: here.env,
    home: here.home.root,
    knownProject: () => knownProject(PROJECT, here),
    memo: undefined,
    workingSet: [],
    readOnly: false,
    reviewCommand: "continuo review",
    signal: new AbortController().signal,
    deadlineMs: 800,
    report: (code) => void failures.push(code),
    ...more,
  };
  const moment = {
    session: { host: CLAUDE, id: "one" },
    project: PROJECT,
    cwd: "/work/shop",
    at: 0,
  };
  here.write("one", [ask("Fix the rounding of prices"), answer("Done.")]);
  here.write("two", [ask("Speed up the parser")]);
  return { ...here, failures, context, moment };
}

describe("the source of sessions", () => {
  it("indexes the session that goes idle and, in the remaining time, others; it adds no text", async () => {
    const { context, moment, open, failures } = setUp();
    expect(await source.answers.idle?.({ name: "idle", ...moment }, context)).toEqual({});
    const sessions = open();
    expect(sessions.list().map(({ id }) => id)).toContain("one");
    // One moment's time may not be enough for it: the next goes on.
    const end = async () => {
      await source.answers.end?.({ name: "end", why: "exit", ...moment }, context);
      return sessions.list().length;
    };
    await expect.poll(end).toBe(2);
    expect(failures).toEqual([]);
  });

  it("leaves the first minute of a session to its end, if the host says when that is", async () => {
    const { context, moment, home, open } = setUp();
    const { existsSync } = await import("node:fs");
    const young = { name: "idle", ...moment, isYoung: true } as const;
    await source.answers.idle?.({ ...young, endFollows: true }, context);
    expect(existsSync(join(home.root, "sessions.db"))).toBe(false);
    await source.answers.idle?.(young, context);
    expect(open().list().length).toBeGreaterThan(0);
  });

  it("creates no index at a start, in read-only mode, or when indexing is off", async () => {
    const { context, moment, home } = setUp();
    const { existsSync } = await import("node:fs");
    await source.answers.start?.({ name: "start", ...moment }, context);
    await source.answers.idle?.({ name: "idle", ...moment }, { ...context, readOnly: true });
    await source.answers.idle?.({ name: "idle", ...moment }, { ...context, settings: { index: false } });
    expect(existsSync(home.root)).toBe(false);
  });

  it("gives way to another process that is writing", async () => {
    const { context, moment, home, open } = setUp();
    open().close();
    const idle = async () => {
      const begun = Date.now();
      expect(await source.answers.idle?.({ name: "idle", ...moment }, context)).toEqual({});
      return Date.now() - begun;
    };
    const { openDatabase } = await import("../../../../src/store/sqlite/open.ts");
    const { sessionsIndexPath } = await import("../../../../src/sources/sessions/indexing/schema.ts");
    const other = openDatabase(sessionsIndexPath(home), {});
    other.exec("BEGIN IMMEDIATE");
    const whileHeld = await quickest(800, idle);
    other.exec("ROLLBACK");
    other.close();
    expect(whileHeld).toBeLessThan(800);
  });
});
