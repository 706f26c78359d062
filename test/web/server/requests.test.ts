import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { flag, readBody, readQuery, text, whole } from "../../../src/web/server/requests.ts";
import type { Area } from "../../../src/web/server/web.ts";
import { json, temporaryWeb } from "../../support/web.ts";

const Note = v.strictObject({
  title: text(20),
  tags: v.optional(v.array(v.string())),
  place: v.optional(v.strictObject({ line: v.number() })),
});
const Page = v.strictObject({ limit: v.optional(whole(1, 100), "20"), deep: v.optional(flag()) });

const area: Area = {
  name: "test",
  routes(app) {
    app.post("/api/notes", async (context) => context.json(await readBody(context, Note)));
    app.post("/api/small", async (context) =>
      context.json(await readBody(context, v.strictObject({ text: v.string() }), { maxBytes: 100 })),
    );
    app.get("/api/notes", (context) => context.json(readQuery(context, Page)));
    app.get("/api/bug", () => {
      throw new Error("secret text of a file");
    });
  },
};

async function ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const { app } = temporaryWeb({}, [area]);
  const answer = await app.request(path, init);
  return { status: answer.status, body: await answer.json() };
}

const refused = (code: string, message: unknown) => ({
  error: expect.objectContaining({ code, message }),
});

describe("a request's body", () => {
  it("is given to the route when it fits the schema", async () => {
    const note = { title: "One", tags: ["a"] };
    expect(await ask("/api/notes", json("POST", note))).toEqual({ status: 200, body: note });
  });

  it.each([
    [{ title: "One", titel: "x" }, 'body: unknown field "titel"'],
    [{ title: "One", place: { line: 1, row: 2 } }, 'body: unknown field "place.row"'],
    [{}, 'body: field "title" is missing'],
    [{ title: 7 }, 'body: "title" must be a text'],
    [{ title: "x".repeat(21) }, 'body: "title" must have at most 20 characters'],
    [{ title: "One", tags: ["a", 1] }, 'body: "tags.1" must be string'],
    [{ title: "One", place: 3 }, 'body: "place" must be an object'],
    [[], "body: must be an object"],
    [null, "body: must be an object"],
    [JSON.parse('{"title":"One","__proto__":{"a":1}}'), 'body: unknown field "__proto__"'],
  ])("is refused with the reason: %j", async (given, message) => {
    expect(await ask("/api/notes", json("POST", given))).toEqual({
      status: 400,
      body: refused("invalid-request", message),
    });
  });

  it("is refused if it is not JSON, by its type and by its text", async () => {
    const form = { method: "POST", headers: { "content-type": "text/plain" }, body: "{}" };
    expect(await ask("/api/notes", form)).toMatchObject({
      status: 415,
      body: { error: { code: "body-not-json" } },
    });
    const broken = { ...form, headers: { "content-type": "application/json; charset=utf-8" }, body: "{" };
    expect(await ask("/api/notes", broken)).toMatchObject({
      status: 400,
      body: refused("invalid-request", "the body is not valid JSON"),
    });
  });

  it("is refused if it is too large, also without a length", async () => {
    const large = json("POST", { text: "x".repeat(200) });
    expect(await ask("/api/small", large)).toMatchObject({
      status: 413,
      body: { error: { code: "body-too-large" } },
    });
    const stream = new Blob([String(large.body)]).stream();
    const streamed = { ...large, body: stream, duplex: "half" } as RequestInit;
    expect((await ask("/api/small", streamed)).status).toBe(413);
  });
});

describe("a request's query", () => {
  it("is given to the route with its defaults", async () => {
    expect((await ask("/api/notes")).body).toEqual({ limit: 20 });
    expect((await ask("/api/notes?limit=5&deep=true")).body).toEqual({ limit: 5, deep: true });
  });

  it.each([
    ["limit=0", 'query: "limit" must be at least 1'],
    ["limit=101", 'query: "limit" must be at most 100'],
    ["limit=1e3", 'query: "limit" must be a whole number'],
    ["deep=yes", 'query: "deep" must be true or false'],
    ["limt=3", 'query: unknown field "limt"'],
  ])("is refused with the reason: %s", async (query, message) => {
    expect(await ask(`/api/notes?${query}`)).toEqual({
      status: 400,
      body: refused("invalid-request", message),
    });
  });

  it("is refused if a value is given twice", async () => {
    expect((await ask("/api/notes?limit=1&limit=2")).status).toBe(400);
  });
});

describe("failures", () => {
  it("that nobody expected are recorded for doctor and quote nothing", async () => {
    const answer = await ask("/api/bug");
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain("secret text");
  });

  it("name the address that is not there", async () => {
    expect(await ask("/api/nothing")).toEqual({
      status: 404,
      body: refused("no-such-address", "there is no GET /api/nothing"),
    });
  });
});
