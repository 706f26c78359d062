import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { handleSessionRequest } from "../../../src/sources/context/api.ts";
import { type ContextEvent, subscribe } from "../../../src/sources/context/events.ts";
import { countItems } from "../../../src/sources/context/sets.ts";
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
  return { ask, patch, path, root, home, heard, stored: () => JSON.parse(readFileSync(path, "utf8")) };
}

describe("the sessions API", () => {
  it("shows a session and changes it in every way", async () => {
    const { ask, patch, root, heard, stored } = setUp();
    expect(await ask("GET", "/api/sessions/s1?x=1")).toEqual({
      status: 200,
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
      [{ unionContext: { setName: "a", items: ["x"], mode: "merge" } }, /unknown key "mode"/],
      [{ context: [] }, /object/],
      [{ context: tooLarge }, /Context too large \(60 items, max 50\)/],
      [{ context: { a: [...ten, "x"] } }, /max 10 in a set/],
      [{ context: { ports: ["x"] } }, /1 to 65535/],
      [{ context: { a: "x" } }, /list of strings/],
      [{ name: 5 }, /string/],
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

  it("refuses bad ids, unknown sessions, other addresses and methods", async () => {
    const { ask } = setUp();
    for (const id of [
      "..",
      ".",
      "",
      "a/b",
      "%2e%2e",
      "..%2f..%2fetc",
      "a.b",
      "%00",
      "s1/",
      "s1%",
      "ä",
      "x".repeat(200),
    ]) {
      expect((await ask("GET", `/api/sessions/${id}`)).status, id).toBe(400);
      expect((await ask("PATCH", `/api/sessions/${id}`, { name: "x" })).status, id).toBe(400);
    }
    expect((await ask("GET", "/api/sessions/unknown")).status).toBe(404);
    expect((await ask("PATCH", "/api/sessions/unknown", { name: "x" })).status).toBe(404);
    expect((await ask("GET", "/api/other")).status).toBe(404);
    expect((await ask("DELETE", "/api/sessions/s1")).status).toBe(405);
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

  it("stays within the limits after any sequence of requests", async () => {
    const items = fc.array(fc.integer({ min: 1, max: 40 }).map(String), { maxLength: 11 });
    const setName = fc.constantFrom("ports", "a", "b", "c", "d", "e", "f");
    const bodies = fc.record(
      {
        context: fc.dictionary(setName, items),
        setContext: fc.record({ setName, items, mode: fc.constantFrom("replace", "merge", "clear") }),
        unionContext: fc.record({ setName, items }),
      },
      { requiredKeys: [] },
    );
    const { patch, stored } = setUp();
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { maxLength: 10 }), async (all) => {
        for (const body of all) await patch(body);
        const context = stored().context ?? {};
        expect(countItems(context)).toBeLessThanOrEqual(50);
        expect(Object.values<string[]>(context).every((one) => one.length > 0 && one.length <= 10)).toBe(
          true,
        );
      }),
      { numRuns: 20 },
    );
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
