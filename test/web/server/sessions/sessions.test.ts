import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  SessionDetails,
  SessionFilters,
  SessionList,
  SessionSearch,
} from "../../../../src/web/api/sessions.ts";
import { sessions } from "../../../../src/web/server/sessions/routes.ts";
import { fillIndex, indexSessions, writeSession, writeState } from "../../../support/many-sessions.ts";
import { json, temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const NOW = Date.UTC(2026, 10, 16, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A page that was opened a week ago. */
function opened(isFirst = false) {
  const web = temporaryWeb({}, [sessions], { now: () => NOW });
  if (!isFirst) {
    mkdirSync(web.home.state, { recursive: true });
    const since = new Date(NOW - 7 * 24 * HOUR).toISOString();
    writeFileSync(join(web.home.state, "observed-since.json"), JSON.stringify({ since }));
  }
  const status = async (path: string, init?: RequestInit) => (await web.app.request(path, init)).status;
  const list = (query = "") => web.get<SessionList>(`/api/sessions${query}`);
  const patch = (path: string, body: unknown) => web.send<Record<string, unknown>>("PATCH", path, body);
  return { ...web, heard: web.events, status, list, patch };
}

async function withSessions() {
  const web = opened();
  writeSession(web, { id: "one", at: NOW - HOUR, asked: "Round prices in the cart half to even" });
  writeSession(web, {
    id: "two",
    at: NOW - 30 * HOUR,
    asked: "Why does the login redirect twice?",
    project: "api",
  });
  writeSession(web, {
    id: "child",
    at: NOW - 2 * HOUR,
    asked: "Look for callers of round",
    more: { isSidechain: false },
  });
  await indexSessions(web);
  return web;
}

describe("GET /api/sessions", () => {
  it("lists sessions that are only indexed, newest first, with days and what was last asked", async () => {
    const { list } = await withSessions();
    const { rows, total, days, indexed, indexing } = await list();
    expect([total, indexed, indexing]).toEqual([3, 3, null]);
    expect(rows.map(({ id }) => id)).toEqual(["one", "child", "two"]);
    expect(rows[0]).toMatchObject({
      host: "claude-code",
      name: "Round prices in the cart half to even",
      namedBy: "us",
      project: "shop",
      turns: 4,
      prompts: 2,
      lastRequest: "Good. Now add a test for it and run all of them.",
      currentIntent: "Good. Now add a test for it and run all of them.",
      activity: null,
      unobserved: false,
      isChild: false,
      isGone: false,
      depth: 0,
      origin: null,
    });
    expect(days?.map(({ count }) => count)).toEqual([2, 1]);
  });

  it("filters by project, host, branch, file, time and what nobody looked at; refuses what is no filter", async () => {
    const web = await withSessions();
    writeState(web, { id: "two", idleAt: NOW - 30 * HOUR });
    const ids = async (query: string) => (await web.list(query)).rows.map(({ id }) => id);
    expect(await ids("?project=api")).toEqual(["two"]);
    expect(await ids("?host=codex")).toEqual([]);
    expect(await ids("?since=24h")).toEqual(["one", "child"]);
    expect(await ids(`?until=${NOW - 20 * HOUR}`)).toEqual(["two"]);
    expect(await ids("?branch=no-such-branch")).toEqual([]);
    expect(await ids("?file=src/cart.ts")).toEqual([]);
    expect(await ids("?unobserved=true")).toEqual(["two"]);
    expect(await ids("?project=")).toEqual(["one", "child", "two"]);
    for (const query of [
      "?since=soon",
      "?limit=0",
      "?limit=999",
      "?offset=-1",
      "?children=1",
      "?projct=x",
      "?host=a&host=b",
    ])
      expect(await web.status(`/api/sessions${query}`), query).toBe(400);
  });

  it("gives ten thousand part by part, each once, and stays the same list between parts", async () => {
    const web = opened();
    fillIndex(web, 10_000, NOW);
    const seen = new Set<string>();
    for (let offset = 0; offset < 10_000; offset += 200) {
      const { rows, total } = await web.list(`?offset=${offset}&limit=200`);
      expect(total).toBe(10_000);
      for (const { id } of rows) seen.add(id);
    }
    expect(seen.size).toBe(10_000);
    const { rows, days } = await web.list("?limit=5");
    expect(rows).toHaveLength(5);
    expect(days?.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect((await web.list("?offset=9999")).days).toBeUndefined();
    const fork = (await web.list("?offset=100&limit=10")).rows.find(({ depth }) => depth === 1);
    expect(fork?.origin).toMatchObject({ how: "fork of", id: "many-104" });
  });

  it("names the values of filters with their numbers", async () => {
    const { get } = await withSessions();
    const { projects, hosts } = await get<SessionFilters>("/api/sessions/filters");
    expect(hosts).toEqual([{ value: "claude-code", label: "claude-code", count: 3 }]);
    expect(projects.map(({ label, count }) => [label, count])).toEqual([
      ["shop", 2],
      ["api", 1],
    ]);
  });
});

it("a session in which nothing was asked is unnamed for people, and keeps its id for programs", async () => {
  const web = opened();
  const id = "6a1d3c52-9c1f-4c35-8a7e-0d5f4b7f2e11";
  const cwd = "/work/shop";
  const line = {
    type: "assistant",
    uuid: "u1",
    sessionId: id,
    cwd,
    timestamp: new Date(NOW - HOUR).toISOString(),
  };
  write(web.env["HOME"] ?? "", {
    [`.claude/projects/-work-shop/${id}.jsonl`]: `${JSON.stringify({ ...line, message: { role: "assistant", id: "m", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] } })}\n`,
  });
  await indexSessions(web);
  expect((await web.list()).rows).toMatchObject([{ id, name: "Unnamed session" }]);
  expect((await web.get<SessionDetails>(`/api/sessions/claude-code/${id}`)).name).toBe("Unnamed session");
});

describe("GET /api/sessions/search", () => {
  it("shows copies of a session once, counts weaker matches apart, and shows them on request", async () => {
    const web = opened();
    const asked = "Refunds of split payments are off by a cent";
    for (let at = 0; at < 40; at++) writeSession(web, { id: `copy${at}`, at: NOW - at * HOUR, asked });
    writeSession(web, { id: "other", at: NOW - HOUR, asked: `${asked}, and the invoice shows it` });
    for (let at = 0; at < 30; at++)
      writeSession(web, {
        id: `weak${at}`,
        at: NOW - at * HOUR,
        asked: `Number ${at}: payments page is slow`,
      });
    await indexSessions(web);
    const search = (more = "") =>
      web.get<SessionSearch>(`/api/sessions/search?q=refunds%20of%20split%20payments%20cent${more}`);
    const { rows, total, weaker } = await search();
    expect(rows.map(({ id }) => id.replace(/\d+/, ""))).toEqual(["copy", "other"]);
    expect(rows[0]?.copies.total).toBe(39);
    expect(rows[0]?.copies.shown).toHaveLength(20);
    expect(rows[0]?.copies.shown[0]).toMatchObject({ host: "claude-code", name: asked });
    expect(total).toBe(2);
    expect(weaker).toBeGreaterThan(0);
    const all = await search("&weaker=true&limit=100");
    expect(all).toMatchObject({ total: 2 + weaker, weaker: 0 });
    expect(all.rows.slice(0, 2)).toEqual(rows);
    expect(await web.status("/api/sessions/search?q=cent&weaker=maybe")).toBe(400);
  });

  it("finds by words, with the passage and where its words are, also while a word is typed", async () => {
    const { get } = await withSessions();
    const search = (q: string) => get<SessionSearch>(`/api/sessions/search?q=${encodeURIComponent(q)}`);
    const { rows, total } = await search("rounding prices");
    expect(total).toBeGreaterThan(0);
    const { id, passage } = rows[0] ?? {};
    expect(id).toBe("one");
    expect(passage?.marks.map(([from, to]) => passage.text.slice(from, to))).toEqual(["Round", "prices"]);
    expect((await search("logi")).rows.map((row) => row.id)).toContain("two");
    expect((await search("log")).rows.map((row) => row.id)).toEqual(["two"]);
    expect(await search("  ")).toEqual({ total: 0, offset: 0, rows: [], weaker: 0, notices: [] });
    expect((await search("%_")).rows).toEqual([]);
  });

  it("says which filter matches nothing, and refuses what is too long", async () => {
    const { get, status } = await withSessions();
    const answer = await get<SessionSearch>("/api/sessions/search?q=zzzz&project=nowhere");
    expect(answer.notices.join()).toContain('No session is of project "nowhere"');
    expect(await status(`/api/sessions/search?q=${"x".repeat(1001)}`)).toBe(400);
    expect(await status("/api/sessions/search")).toBe(400);
  });
});

describe("one session", () => {
  it("is found by host and id or by id alone, with its row, its metadata and how to resume it", async () => {
    const { get, status } = await withSessions();
    const details = await get<SessionDetails>("/api/sessions/claude-code/one");
    expect(details).toMatchObject({
      sessionId: "one",
      name: "Round prices in the cart half to even",
      context: {},
      resume: "cd /work/shop && claude --resume one",
      turns: 4,
    });
    expect(await get("/api/sessions/one")).toEqual(details);
    expect(await status("/api/sessions/nothing")).toBe(404);
    expect(await status("/api/sessions/pi/one")).toBe(404);
    expect(await status("/api/sessions/no%20host/one")).toBe(400);
    expect(await status("/api/sessions/one", { method: "DELETE" })).toBe(405);
  });

  it("has one name: PATCH, the list, references and the metadata agree; an empty one is given back", async () => {
    const web = await withSessions();
    const name = `"Cents" <b>&</b> 'sense'`;
    expect((await web.patch("/api/sessions/one", { name })).body).toMatchObject({ name, namedBy: "given" });
    expect((await web.list()).rows[0]).toMatchObject({ id: "one", name, namedBy: "given" });
    const library = await web.web.sessions();
    expect(library.find("cents b b sense")).toMatchObject({ kind: "found", session: { id: "one" } });
    const meta = join(web.home.state, "claude-code", "one.meta.json");
    expect(JSON.parse(readFileSync(meta, "utf8"))).toMatchObject({ name });
    await library.rename({ host: "claude-code", id: "one" }, "On the command line");
    expect(await web.get("/api/sessions/one")).toMatchObject({ name: "On the command line" });
    expect((await web.patch("/api/sessions/one", { name: "" })).body).toMatchObject({
      name: "Round prices in the cart half to even",
      namedBy: "us",
    });
    for (const bad of ["two\nlines", "x".repeat(10_000), 7])
      expect((await web.patch("/api/sessions/one", { name: bad })).status).toBe(400);
    expect(web.heard).toContainEqual({
      type: "session",
      session: { host: "claude-code", id: "one" },
      reason: "changed",
    });
  });

  it("takes a name that another program wrote, when it hears of the file", async () => {
    const web = await withSessions();
    const session = { host: "claude-code", id: "one" };
    mkdirSync(join(web.home.state, "claude-code"), { recursive: true });
    writeFileSync(join(web.home.state, "claude-code", "one.meta.json"), '{"name":"Elsewhere"}');
    web.web.publish({ type: "session", session, reason: "metadata" });
    await expect.poll(async () => (await web.list()).rows[0]?.name).toBe("Elsewhere");
    expect(web.heard).toContainEqual({ type: "session", session, reason: "renamed" });
  });

  it("does what it was last asked until the agent says more, and again when it is asked anew", async () => {
    const web = await withSessions();
    const intent = async () => (await web.get<SessionDetails>("/api/sessions/one")).currentIntent;
    expect(await intent()).toBe("Good. Now add a test for it and run all of them.");
    await web.patch("/api/sessions/one", { currentIntent: "Writing test/cart.test.ts" });
    expect(await intent()).toBe("Writing test/cart.test.ts");
    expect((await web.list()).rows[0]?.currentIntent).toBe("Writing test/cart.test.ts");
    const meta = join(web.home.state, "claude-code", "one.meta.json");
    const before = {
      ...JSON.parse(readFileSync(meta, "utf8")),
      currentIntentAt: new Date(NOW - 90 * HOUR).toISOString(),
    };
    writeFileSync(meta, JSON.stringify(before));
    expect(await intent()).toBe("Good. Now add a test for it and run all of them.");
  });

  it("is refused without JSON, and keeps what was there", async () => {
    const { status, app } = await withSessions();
    expect(await status("/api/sessions/one", { method: "PATCH", body: '{"name":"x"}' })).toBe(415);
    const answer = await app.request("/api/sessions/one", json("PATCH", { nme: "x" }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { hint: expect.stringContaining('"name"') } });
  });
});

describe("sessions that nobody looked at", () => {
  it("are those that went idle since, and looking, asking or changing ends it", async () => {
    const web = await withSessions();
    writeState(web, { id: "one", idleAt: NOW - HOUR });
    writeState(web, { id: "two", idleAt: NOW - 30 * HOUR });
    writeState(web, { id: "child", idleAt: NOW - 2 * HOUR, promptAt: NOW - MINUTE });
    const signs = async () => {
      const { rows, unobserved } = await web.list();
      return [unobserved, Object.fromEntries(rows.map((row) => [row.id, [row.activity, row.unobserved]]))];
    };
    expect(await signs()).toEqual([
      2,
      { one: ["idle", true], child: ["working", false], two: ["idle", true] },
    ]);
    expect(await web.status("/api/sessions/claude-code/one/observe", { method: "POST" })).toBe(200);
    expect(web.heard).toContainEqual({
      type: "session",
      session: { host: "claude-code", id: "one" },
      reason: "observed",
    });
    await web.patch("/api/sessions/two", { envHint: "nvm use 24" });
    expect(await signs()).toEqual([
      0,
      { one: ["idle", false], child: ["working", false], two: ["idle", false] },
    ]);
    expect(await web.status("/api/sessions/nobody/observe", { method: "POST" })).toBe(404);
    const events = web.heard.length;
    await web.status("/api/sessions/one/observe", { method: "POST" });
    expect(web.heard).toHaveLength(events);
  });

  it("are none once all are marked as seen, until the mark is taken back or one goes idle again", async () => {
    const web = await withSessions();
    writeState(web, { id: "one", idleAt: NOW - HOUR });
    writeState(web, { id: "two", idleAt: NOW - 30 * HOUR });
    expect((await web.list()).unobserved).toBe(2);
    const put = (body: object) => web.app.request("/api/sessions/observed", json("PUT", body));
    const { before, since } = (await (await put({})).json()) as { before: number; since: number };
    expect(since).toBe(NOW);
    expect((await web.list()).unobserved).toBe(0);
    expect(web.heard).toContainEqual({ type: "reset" });
    await put({ since: before });
    expect((await web.list()).unobserved).toBe(2);
    // Nobody can mark what has not happened yet.
    expect(await (await put({ since: NOW + HOUR })).json()).toMatchObject({ since: NOW });
    writeState(web, { id: "one", idleAt: NOW + MINUTE });
    web.web.publish({ type: "reset" });
    expect((await web.list()).unobserved).toBe(1);
    for (const body of [{ since: -1 }, { since: "now" }, { all: true }])
      expect((await put(body)).status).toBe(400);
  });

  it("are none when the page is opened for the first time", async () => {
    const web = opened(true);
    writeSession(web, { id: "one", at: NOW - HOUR });
    await indexSessions(web);
    writeState(web, { id: "one", idleAt: NOW - HOUR });
    expect((await web.list()).unobserved).toBe(0);
    expect((await web.list()).rows[0]).toMatchObject({ activity: "idle", unobserved: false });
    expect(statSync(join(web.home.state, "observed-since.json")).isFile()).toBe(true);
    writeState(web, { id: "one", idleAt: NOW + MINUTE });
    expect((await web.get<SessionDetails>("/api/sessions/one")).unobserved).toBe(true);
  });

  it("are counted from what Caco wrote where no hook of Continuo ran", async () => {
    const web = await withSessions();
    const folder = join(web.env["HOME"] ?? "", ".caco/sessions/one");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "meta.json"), '{"name":"In Caco","unobserved":true}');
    expect(await web.get("/api/sessions/claude-code/one")).toMatchObject({
      name: "In Caco",
      unobserved: true,
    });
    await web.status("/api/sessions/claude-code/one/observe", { method: "POST" });
    expect(JSON.parse(readFileSync(join(folder, "meta.json"), "utf8"))).toMatchObject({ unobserved: false });
    expect(existsSync(join(web.home.state, "claude-code", "one.meta.json"))).toBe(false);
  });

  it("is answered from its state before its host has written a transcript", async () => {
    const web = opened();
    writeState(web, { id: "begun", idleAt: NOW });
    const of = "/api/sessions/claude-code/begun";
    expect(await web.get(of)).toMatchObject({ host: "claude-code", sessionId: "begun" });
    expect(await web.get(`${of}/conversation`)).toMatchObject({ turns: [], isEnd: true });
    expect(await web.get(`${of}/lineage`)).toEqual({ ancestors: [], descendants: [] });
    expect(await web.get(`${of}/record`)).toMatchObject({ parts: [], description: "" });
    for (const part of ["", "/conversation", "/lineage", "/record"])
      expect(await web.status(`/api/sessions/claude-code/nobody${part}`)).toBe(404);
  });
});
