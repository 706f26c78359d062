import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../../src/hosts/load-history.ts";
import type { Surroundings } from "../../../../src/moments/ports/source.ts";
import { sessions as source } from "../../../../src/sources/sessions/ports/source.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

function setUp(more: Partial<Surroundings> = {}) {
  const here = place();
  const troubles: string[] = [];
  const surroundings: Surroundings = {
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
  return { ...here, troubles, surroundings, happening };
}

describe("the source of sessions", () => {
  it("indexes the session that rests, and what else there is in the time that is left; it says nothing", async () => {
    const { surroundings, happening, open, troubles } = setUp();
    expect(await source.answers.idle?.({ name: "idle", ...happening }, surroundings)).toEqual({});
    const sessions = open();
    expect(sessions.list().map(({ id }) => id)).toContain("one");
    await source.answers.end?.({ name: "end", why: "exit", ...happening }, surroundings);
    expect(sessions.list()).toHaveLength(2);
    expect(troubles).toEqual([]);
  });

  it("makes no index at a start, none for who only looks, and none when it is told not to", async () => {
    const { surroundings, happening, home } = setUp();
    const { existsSync } = await import("node:fs");
    await source.answers.start?.({ name: "start", ...happening }, surroundings);
    await source.answers.idle?.({ name: "idle", ...happening }, { ...surroundings, readOnly: true });
    await source.answers.idle?.(
      { name: "idle", ...happening },
      { ...surroundings, settings: { index: false } },
    );
    expect(existsSync(home.root)).toBe(false);
  });

  it("gives way to another process that is writing", async () => {
    const { surroundings, happening, home, open } = setUp();
    open().close();
    const { openDatabase } = await import("../../../../src/store/sqlite/open.ts");
    const { sessionsIndexPath } = await import("../../../../src/sources/sessions/indexing/schema.ts");
    const other = openDatabase(sessionsIndexPath(home), {});
    other.exec("BEGIN IMMEDIATE");
    const begun = Date.now();
    expect(await source.answers.idle?.({ name: "idle", ...happening }, surroundings)).toEqual({});
    expect(Date.now() - begun).toBeLessThan(800);
    other.exec("ROLLBACK");
    other.close();
  });
});
