import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../../src/hosts/load-history.ts";
import type { SourceContext } from "../../../../src/moments/ports/source.ts";
import { sessions as source } from "../../../../src/sources/sessions/ports/source.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

function setUp(more: Partial<SourceContext> = {}) {
  const here = place();
  const troubles: string[] = [];
  const context: SourceContext = {
    settings: { index: true, keep: true },
    history: loadHistory,
    env: here.env,
    home: here.home.root,
    memo: undefined,
    workingSet: [],
    readOnly: false,
    signal: new AbortController().signal,
    deadlineMs: 800,
    report: (code) => void troubles.push(code),
    ...more,
  };
  const happening = {
    session: { host: CLAUDE, id: "one" },
    project: { id: "p", root: "p", label: "p" },
    cwd: "/work/shop",
    at: 0,
  };
  here.write("one", [ask("Fix the rounding of prices"), answer("Done.")]);
  here.write("two", [ask("Speed up the parser")]);
  return { ...here, troubles, context, happening };
}

describe("the source of sessions", () => {
  it("indexes the session that rests, and what else there is in the time that is left; it says nothing", async () => {
    const { context, happening, open, troubles } = setUp();
    expect(await source.answers.idle?.({ name: "idle", ...happening }, context)).toEqual({});
    const sessions = open();
    expect(sessions.list().map(({ id }) => id)).toContain("one");
    await source.answers.end?.({ name: "end", why: "exit", ...happening }, context);
    expect(sessions.list()).toHaveLength(2);
    expect(troubles).toEqual([]);
  });

  it("makes no index at a start, none for who only looks, and none when it is told not to", async () => {
    const { context, happening, home } = setUp();
    const { existsSync } = await import("node:fs");
    await source.answers.start?.({ name: "start", ...happening }, context);
    await source.answers.idle?.({ name: "idle", ...happening }, { ...context, readOnly: true });
    await source.answers.idle?.({ name: "idle", ...happening }, { ...context, settings: { index: false } });
    expect(existsSync(home.root)).toBe(false);
  });

  it("gives way to another process that is writing", async () => {
    const { context, happening, home, open } = setUp();
    open().close();
    const { openDatabase } = await import("../../../../src/store/sqlite/open.ts");
    const { sessionsIndexPath } = await import("../../../../src/sources/sessions/indexing/schema.ts");
    const other = openDatabase(sessionsIndexPath(home), {});
    other.exec("BEGIN IMMEDIATE");
    const begun = Date.now();
    expect(await source.answers.idle?.({ name: "idle", ...happening }, context)).toEqual({});
    expect(Date.now() - begun).toBeLessThan(800);
    other.exec("ROLLBACK");
    other.close();
  });
});
