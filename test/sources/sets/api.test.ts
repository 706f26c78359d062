import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { metaFile } from "../../../src/moments/state/session-meta.ts";
import { handleSessionRequest } from "../../../src/sources/sets/api.ts";
import { type ContextEvent, subscribe } from "../../../src/sources/sets/events.ts";
import { temporaryWorld, write } from "../../support/world.ts";

function setUp(meta = '{"name":"n","model":"m"}') {
  const { home, env, root } = temporaryWorld();
  const path = join(home.state, "claude-code", "s1.meta.json");
  write(dirname(path), { "s1.meta.json": meta });
  const api = { home, userHome: env["HOME"], now: () => 5, cwdOf: () => root };
  const ask = (method: string, at: string, body?: unknown) =>
    handleSessionRequest({ method, path: at, body }, api) as Promise<{
      status: number;
      body: Record<string, unknown>;
    }>;
  const patch = (body: unknown) => ask("PATCH", "/api/sessions/s1", body);
  const heard: ContextEvent[] = [];
  onTestFinished(subscribe((event) => void heard.push(event)));
  return { ask, patch, path, root, home, heard, api, stored: () => JSON.parse(readFileSync(path, "utf8")) };
}

describe("the sessions API", () => {
  it("changes nothing that somebody else has changed since, if the request names what it knew", async () => {
    const { api, stored } = setUp();
    const path = "/api/sessions/s1";
    const set = (items: readonly string[], ifMatch?: string) => {
      const body = { setContext: { setName: "ports", items } };
      return handleSessionRequest({ method: "PATCH", path, body, ifMatch }, api);
    };
    const { etag } = await handleSessionRequest({ method: "GET", path }, api);
    const first = await set(["1"], etag);
    expect(first.status).toBe(200);
    expect(await set(["2"], etag)).toMatchObject({ status: 412, body: { error: { code: "api-changed" } } });
    expect(stored().context).toEqual({ ports: ["1"] });
    expect((await set(["3"], `"other", ${first.etag}`)).status).toBe(200);
    expect((await set(["4"], "*")).status).toBe(200);
    expect((await set(["5"])).status).toBe(200);
  });

  it("shows a session and changes it in every way", async () => {
    const { ask, patch, root, heard, stored } = setUp();
    expect(await ask("GET", "/api/sessions/s1?x=1")).toEqual({
      status: 200,
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      body: { sessionId: "s1", host: "claude-code", name: "n", context: {} },
    });
    const files = [join(root, "a.ts")];
    expect(await patch({ setContext: { setName: "files", items: ["a.ts"] } })).toMatchObject({
      status: 200,
      body: { context: { files }, evicted: [], warnings: [] },
    });
    await patch(
      JSON.stringify({
        unionContext: { setName: "ports", items: ["1"] },
        name: " Shop ",
        envHint: "nvm use",
      }),
    );
    expect(stored()).toEqual({
      name: "Shop",
      model: "m",
      context: { files, ports: ["1"] },
      envHint: "nvm use",
    });
    const all = await patch(
      Buffer.from('{"context":{"ports":["2","3"],"notes":["x"],"none":[]},"envHint":null}'),
    );
    expect(all.body["context"]).toEqual({ ports: ["2", "3"], notes: ["x"] });
    expect(stored()).toEqual({ name: "Shop", model: "m", context: { ports: ["2", "3"], notes: ["x"] } });
    await patch({ setContext: { setName: "ports", items: [] } });
    await patch({ setContext: { setName: "notes", items: ["y"], mode: "merge" } });
    expect(stored().context).toEqual({ notes: ["x", "y"] });
    await patch({ context: {} });
    expect(stored()).toEqual({ name: "Shop", model: "m" });
    expect(heard.map(({ setName, added, removed }) => [setName, added, removed])).toEqual([
      ["files", files, []],
      ["ports", ["1"], []],
      [undefined, ["2", "3", "x"], [...files, "1"]],
      ["ports", [], ["2", "3"]],
      ["notes", ["y"], []],
      ["notes", [], ["x", "y"]],
    ]);
  });

  it("returns the items that a full set dropped, and warnings", async () => {
    const { patch } = setUp(
      JSON.stringify({ name: "", context: { fles: Array.from({ length: 10 }, (_, i) => String(i)) } }),
    );
    const { body } = await patch({ unionContext: { setName: "fles", items: ["new"] } });
    expect(body["evicted"]).toEqual(["0"]);
    expect(body["warnings"]).toEqual(['"fles" is not a known set; did you mean "files"?']);
  });

  it("refuses with a reason, and changes nothing", async () => {
    const { patch, stored } = setUp();
    const ten = Array.from({ length: 10 }, (_, i) => String(i));
    const tooLarge = Object.fromEntries([..."abcdef"].map((name) => [name, ten]));
    for (const [body, words] of [
      [{ setContxt: {} }, /did you mean "setContext"/],
      [{ setContext: { setname: "a", items: [] } }, /did you mean "setName"/],
      [{ unionContext: { setName: "a", items: ["x"], mode: "merge" } }, /unknown field "unionContext.mode"/],
      [{ context: [] }, /object/],
      [{ context: tooLarge }, /Context too large \(60 items, max 50\)/],
      [{ context: { a: [...ten, "x"] } }, /max 10 in a set/],
      [{ context: { ports: ["x"] } }, /1 to 65535/],
      [{ context: { a: "x" } }, /list of strings/],
      [{ name: 5 }, /"name" must be a text/],
      [{ name: "x".repeat(201) }, /200/],
      [{ envHint: "a\nb" }, /one line/],
      [{ name: "kept out", setContext: { setName: "ports", items: ["0"] } }, /65535/],
      ["{", /not JSON/],
      [Buffer.from([0xff]), /not JSON/],
      ["7", /object/],
      [undefined, /object/],
      [JSON.parse('{"context": {"__proto__": ["x"]}}'), /name/],
    ] as const) {
      const answer = await patch(body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(JSON.stringify(answer.body).replaceAll('\\"', '"')).toMatch(words);
    }
    expect(stored()).toEqual({ name: "n", model: "m" });
    expect(await patch({})).toMatchObject({ status: 200 });
  });

  it("refuses addresses that are none, unknown sessions and other methods", async () => {
    const { ask } = setUp();
    for (const id of [
      "",
      "s1/",
      "s1%",
      "%ff",
      "a/b/c",
      "../s1",
      "%2e%2e/s1",
      "Host Name/s1",
      "x".repeat(5000),
    ]) {
      expect((await ask("GET", `/api/sessions/${id}`)).status, id).toBe(400);
      expect((await ask("PATCH", `/api/sessions/${id}`, { name: "x" })).status, id).toBe(400);
    }
    for (const id of [
      "unknown",
      "..",
      "%2e%2e",
      "..%2f..%2fetc",
      "%00",
      "ä",
      "a/b",
      "pi/s1",
      "x".repeat(3000),
    ]) {
      expect((await ask("GET", `/api/sessions/${id}`)).status, id).toBe(404);
      expect((await ask("PATCH", `/api/sessions/${id}`, { name: "x" })).status, id).toBe(404);
    }
    expect((await ask("GET", "/api/other")).status).toBe(404);
    expect((await ask("DELETE", "/api/sessions/s1")).status).toBe(405);
  });

  it("finds a session by host and id, and says which hosts have the same id", async () => {
    const { ask, home } = setUp();
    expect((await ask("GET", "/api/sessions/claude-code/s1")).body).toMatchObject({ name: "n" });
    mkdirSync(join(home.state, "pi"), { recursive: true });
    writeFileSync(join(home.state, "pi", "s1.json"), "{}");
    expect(await ask("GET", "/api/sessions/s1")).toMatchObject({
      status: 400,
      body: { error: { code: "session-ambiguous", hint: expect.stringContaining("claude-code, pi") } },
    });
    expect((await ask("GET", "/api/sessions/pi/s1")).body).toMatchObject({ host: "pi", name: "" });
  });

  it.each([
    "..",
    ".",
    "~",
    "~..",
    "a/b",
    "../../etc/passwd",
    "100%",
    "ä\n\"'<script>",
    "\u0000",
    "x".repeat(1000),
  ])("keeps what belongs to the id %j inside the home", async (id) => {
    const { home, api, ask } = setUp();
    const index = { keysOf: () => [{ host: "pi", id }], nameOf: () => "indexed", named: () => undefined };
    const path = `/api/sessions/pi/${encodeURIComponent(id)}`;
    const request = { method: "PATCH", path, body: { envHint: "here" } };
    expect(await handleSessionRequest(request, { ...api, index })).toMatchObject({
      status: 200,
      body: { sessionId: id, host: "pi", name: "indexed", envHint: "here" },
    });
    const meta = metaFile(home, undefined, { host: "pi", id }, { lockWaitMs: 100 });
    expect(dirname(meta.path)).toBe(join(home.state, "pi"));
    expect(meta.read()?.envHint).toBe("here");
    // Without the index it is found by its own file.
    expect((await ask("GET", path)).body).toMatchObject({ sessionId: id, name: "" });
  });

  it("gives the name that was given, else the index's, and tells the index when it changes", async () => {
    const { api } = setUp('{"name":""}');
    const named: string[] = [];
    const index = {
      keysOf: () => [],
      nameOf: () => "Fix the cart",
      named: (_: unknown, name: string) => void named.push(name),
    };
    const change = (body?: object) =>
      handleSessionRequest(
        { method: body === undefined ? "GET" : "PATCH", path: "/api/sessions/s1", body },
        { ...api, index },
      );
    expect((await change()).body).toMatchObject({ name: "Fix the cart" });
    expect((await change({ name: '<b>"Cents"</b> @@x' })).body).toMatchObject({ name: '<b>"Cents"</b> x' });
    expect((await change({ envHint: "x" })).body).toMatchObject({ name: '<b>"Cents"</b> x' });
    expect((await change({ name: null })).body).toMatchObject({ name: "Fix the cart" });
    expect((await change({ name: "n".repeat(150) })).body).toMatchObject({ name: `${"n".repeat(79)}…` });
    expect(named).toEqual(['<b>"Cents"</b> x', "", `${"n".repeat(79)}…`]);
    for (const name of ["a\nb", "@@@", "x".repeat(10_000)])
      expect((await change({ name })).status, name).toBe(400);
  });

  it("keeps what the agent says that it does, without secrets, until it is empty", async () => {
    const { patch, stored } = setUp();
    await patch({ currentIntent: "Rotate ghp_0123456789abcdefghijklmnopqrstuvwxyz" });
    expect(stored()).toMatchObject({ currentIntent: expect.stringMatching(/^Rotate \[redacted:/) });
    expect(stored()["currentIntentAt"]).toBe("1970-01-01T00:00:00.005Z");
    expect((await patch({ currentIntent: "x".repeat(301) })).status).toBe(400);
    await patch({ currentIntent: "" });
    expect(stored()).toEqual({ name: "n", model: "m" });
  });

  it("answers 409 for corrupt metadata and does not change it", async () => {
    const { ask, patch, path } = setUp("{broken");
    expect(await ask("GET", "/api/sessions/s1")).toMatchObject({
      status: 409,
      body: { error: { code: "meta-corrupt" } },
    });
    expect((await patch({ name: "x" })).status).toBe(409);
    expect(readFileSync(path, "utf8")).toBe("{broken");
  });

  it("handles 50 MB and any other value as a body", async () => {
    const { patch, stored } = setUp();
    const large = "x".repeat(50_000_000);
    expect((await patch(large)).status).toBe(413);
    for (const body of [{ name: large }, { [large]: 1 }, { setContext: { setName: "a", items: [large] } }]) {
      const answer = await patch(body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body).length).toBeLessThan(1000);
    }
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (body) => {
        expect([200, 400]).toContain((await patch(body)).status);
      }),
    );
    expect(stored()).toEqual({ name: "n", model: "m" });
  });

  it("refuses relative paths if the session's folder is unknown", async () => {
    const { home } = setUp();
    mkdirSync(join(home.state, "pi"), { recursive: true });
    writeFileSync(join(home.state, "pi", "p1.json"), "{}");
    const body = { setContext: { setName: "files", items: ["a.ts"] } };
    const request = { method: "PATCH", path: "/api/sessions/p1", body };
    expect((await handleSessionRequest(request, { home, userHome: undefined, now: () => 0 })).status).toBe(
      400,
    );
  });
});
