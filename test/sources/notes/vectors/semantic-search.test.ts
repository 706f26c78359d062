import { describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../../../src/base/settings.ts";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { MEMORY_SETTINGS } from "../../../../src/sources/notes/settings.ts";
import { type EmbeddingsServer, embeddingsServer } from "../../../fakes/embeddings-server.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/** The vector of a text says whether it is about cats or about databases. */
async function server(): Promise<EmbeddingsServer> {
  const about = (text: string, words: RegExp) => (text.match(words) ?? []).length + 0.01;
  const started = await embeddingsServer(({ body }) => ({
    data: body.input.map((text, index) => ({
      index,
      embedding: [about(text, /cat|feline|kitten/gi), about(text, /sql|database|postgres/gi), 0.1],
    })),
  }));
  onTestFinished(() => started.close());
  return started;
}

function open(raw: object, isHook = false) {
  const world = temporaryWorld();
  write(world.home.root, {
    "memory/pets.md": "# Pets\n\nOur [[kitten]] sleeps all day.\n",
    "memory/store.md": "# Store\n\nWe keep rows in [[postgres]].\n",
  });
  const settings = readSettings(raw, MEMORY_SETTINGS, {}).values;
  const memory = openMemory({ home: world.home, env: world.env, settings, isHook });
  onTestFinished(() => memory.close());
  return memory;
}

describe("semantic search of notes", () => {
  it("finds notes by words that they do not contain, once they have vectors", async () => {
    const { url } = await server();
    const memory = open({ semantic: "endpoint", semanticUrl: url, semanticModel: "fake" });
    await memory.sync();
    expect(await memory.embed()).toMatchObject({ embedded: 2, pending: 0 });
    const { hits, notices } = await memory.search({ query: "feline", mode: "Semantic" });
    expect(hits[0]?.title).toBe("Pets");
    expect(notices).toEqual([]);
    const both = await memory.search({ query: "feline" });
    expect(both.hits[0]?.title).toBe("Pets");
  });

  it("calls no model when it is turned off, by default, nor in a hook", async () => {
    const { url, requests } = await server();
    const off = open({ semantic: "off", semanticUrl: url, semanticModel: "fake" });
    expect(await off.embed()).toBeUndefined();
    await off.search({ query: "kitten" });
    const table = open({ semanticUrl: url, semanticModel: "fake" });
    expect(await table.embed()).toBeUndefined();
    await table.search({ query: "kitten" });
    const hook = open({ semantic: "endpoint", semanticUrl: url, semanticModel: "fake" }, true);
    expect((await hook.search({ query: "kitten" })).hits).toHaveLength(1);
    expect(requests).toEqual([]);
  });

  it("skips a note that the endpoint refuses, and stops when it refuses all of them", async () => {
    const { url, close } = await embeddingsServer(({ body }, response) => {
      const isRefused = body.input.some((text) => text.includes("zebra"));
      if (isRefused) response.statusCode = 400;
      return { data: body.input.map((_, index) => ({ index, embedding: [1, 0, 0] })) };
    });
    onTestFinished(close);
    const memory = open({ semantic: "endpoint", semanticUrl: url, semanticModel: "fake" });
    await memory.write({ title: "Newest", content: "A [[zebra]]." });
    await memory.sync();
    expect(await memory.embed()).toMatchObject({ embedded: 2, pending: 1 });
    for (let i = 0; i < 11; i++) await memory.write({ title: `More ${i}`, content: "A [[zebra]]." });
    await expect(memory.embed()).rejects.toMatchObject({ code: "embedding-refused" });
  });

  it("sends notes to the endpoint without their secrets", async () => {
    const { url, requests } = await server();
    const memory = open({ semantic: "endpoint", semanticUrl: url, semanticModel: "fake" });
    const key = `sk-proj-${"aB3".repeat(14)}`;
    await memory.write({ title: "Keys", content: `The [[kitten]] door opens with ${key}.` });
    await memory.sync();
    await memory.embed();
    const sent = JSON.stringify(requests);
    expect(sent).toMatch(/door opens with _+\./);
    expect(sent).not.toContain(key);
  });

  it("continues with words when the endpoint is down, with a notice", async () => {
    const memory = open({
      semantic: "endpoint",
      semanticUrl: "http://127.0.0.1:1/v1",
      semanticModel: "fake",
    });
    const { hits, notices } = await memory.search({ query: "kitten" });
    expect(hits.map(({ title }) => title)).toEqual(["Pets"]);
    expect(notices.join()).toContain("found by words alone");
  });

  it.each([
    ["no model is installed", { semantic: "local" }, "there is no embedding model"],
    ["the endpoint has no address", { semantic: "endpoint", semanticModel: "m" }, "semanticUrl"],
    [
      "its key is not set",
      {
        semantic: "endpoint",
        semanticUrl: "http://127.0.0.1:1/v1",
        semanticModel: "m",
        semanticKeyEnv: "NO_KEY",
      },
      "NO_KEY",
    ],
  ])("continues with words when %s, with a notice", async (_, raw, why) => {
    const memory = open(raw);
    const { hits, notices } = await memory.search({ query: "kitten" });
    expect(hits.map(({ title }) => title)).toEqual(["Pets"]);
    expect(notices.join()).toContain("found by words alone");
    expect(notices.join()).toContain(why);
    await expect(memory.search({ query: "kitten", mode: "Semantic" })).rejects.toThrow(why);
    await expect(memory.embed()).rejects.toThrow(why);
  });
});
