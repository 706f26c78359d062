import { afterEach, describe, expect, it } from "vitest";
import { type Endpoint, openaiEmbedder } from "../../src/models/choose-embedder.ts";
import { type EmbeddingsServer, embeddingsServer } from "../fakes/embeddings-server.ts";

const servers: EmbeddingsServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...answer: Parameters<typeof embeddingsServer>): Promise<EmbeddingsServer> {
  const server = await embeddingsServer(...answer);
  servers.push(server);
  return server;
}

const at = (url: string, more: Partial<Endpoint> = {}) =>
  openaiEmbedder({ url, model: "m", timeoutMs: 5000, ...more });

describe("an embeddings endpoint", () => {
  it("is asked in batches, and its vectors come in the order of the texts, with length 1", async () => {
    const server = await serve();
    const texts = Array.from({ length: 70 }, (_, i) => "x".repeat(i + 1));
    const vectors = await at(`${server.url}/`, { key: "secret" }).embed(texts, "document");
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([32, 32, 6]);
    expect(server.requests[0]).toMatchObject({
      url: "/v1/embeddings",
      key: "Bearer secret",
      body: { model: "m" },
    });
    expect(vectors).toHaveLength(70);
    for (const [i, vector] of vectors.entries()) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect((vector[0] ?? 0) / (vector[2] ?? 1)).toBeCloseTo(i + 1, 3);
    }
  });

  it("that does not exist is reported, after one request", async () => {
    const server = await serve();
    await server.close();
    await expect(at(server.url).embed(["a"], "query")).rejects.toMatchObject({
      code: "embedder-down",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("that fails or redirects is not asked again", async () => {
    for (const status of [500, 429, 302]) {
      const server = await serve((_request, response) => {
        response.writeHead(status, { location: "/elsewhere" }).end("no");
      });
      await expect(at(server.url).embed(["a"], "document")).rejects.toMatchObject({ code: "embedder-down" });
      expect(server.requests).toHaveLength(1);
    }
  });

  it("that is slow is abandoned after the timeout", async () => {
    const server = await serve(() => undefined);
    await expect(at(server.url, { timeoutMs: 100 }).embed(["a"], "document")).rejects.toMatchObject({
      code: "embedder-down",
      message: expect.stringContaining("within 100 ms"),
    });
  });

  it("respects the signal while it waits", async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    await expect(at(server.url).embed(["a"], "document", stop.signal)).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  const wrong: Record<string, unknown> = {
    "no list": { error: "what?" },
    "fewer vectors than texts": { data: [{ embedding: [1, 2] }] },
    "vectors of several lengths": { data: [{ embedding: [1, 2] }, { embedding: [1, 2, 3] }] },
    "no numbers": { data: [{ embedding: [null, 1] }, { embedding: [1, 1] }] },
    "numbers too large": { data: [{ embedding: [1e300, 1] }, { embedding: [1, 1] }] },
    "nothing but zeros": { data: [{ embedding: [0, 0] }, { embedding: [1, 1] }] },
    "empty vectors": { data: [{ embedding: [] }, { embedding: [] }] },
  };
  it.each(Object.keys(wrong))("that answers with %s is refused", async (what) => {
    const server = await serve(() => wrong[what]);
    await expect(at(server.url).embed(["a", "b"], "document")).rejects.toMatchObject({
      code: expect.stringMatching(/^embedd(er-down|ing-wrong)$/),
    });
  });

  it("that changes its dimensions between two batches is refused", async () => {
    let dimensions = 3;
    const server = await serve(({ body }) => ({
      data: body.input.map(() => ({ embedding: new Array(dimensions).fill(1) })),
    }));
    const embedder = at(server.url);
    expect(embedder.dimensions).toBeUndefined();
    await embedder.embed(["a"], "document");
    expect(embedder.dimensions).toBe(3);
    dimensions = 4;
    await expect(embedder.embed(["a"], "document")).rejects.toMatchObject({ code: "embedding-wrong" });
  });
});
