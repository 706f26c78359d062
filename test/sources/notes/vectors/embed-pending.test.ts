import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openaiEmbedder } from "../../../../src/models/choose-embedder.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { embedPending } from "../../../../src/sources/notes/vectors/embed-pending.ts";
import { pendingCount } from "../../../../src/sources/notes/vectors/vector-store.ts";
import { fakeEmbedder } from "../../../fakes/embedder.ts";
import { embeddingsServer } from "../../../fakes/embeddings-server.ts";
import { childScript, runScript } from "../../../support/child.ts";
import { indexOf, openWithVectors, vectorsOf } from "./embedded.ts";

const notes = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}.md`, `# Note ${i}\n\nword${i} dog`]));

describe("embedding of pending notes", () => {
  it("finishes over several slices, each of which makes progress, and then has nothing to do", async () => {
    const { index } = await indexOf(notes(5));
    const embedder = fakeEmbedder();
    const seen: number[] = [];
    for (let slice = 0; slice < 10 && pendingCount(index.db) > 0; slice++)
      seen.push((await embedPending(index, embedder, { sliceMs: -1 })).pending);
    expect(seen).toEqual([4, 3, 2, 1, 0]);
    const asked = embedder.asked.length;
    expect(await embedPending(index, embedder)).toEqual({ embedded: 0, passages: 0, pending: 0 });
    expect(embedder.asked).toHaveLength(asked);
    index.close();
  });

  it("embeds a long note by passage, only the first passages of a huge one, and nothing of an empty one", async () => {
    const long = "a line about nothing much at all\n".repeat(100);
    const { index } = await indexOf({ "long.md": long, "huge.md": long.repeat(50), "empty.md": "" });
    const { passages, embedded } = await embedPending(index, fakeEmbedder());
    expect(embedded).toBe(3);
    const rows = index.db.all<{ n: number }>("SELECT n FROM vec_chunk");
    expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(passages);
    expect(passages).toBeGreaterThan(64 + 2);
    expect(passages).toBeLessThan(64 + 6);
    index.close();
  });

  it("deletes the vectors of another model, and of a model whose dimensions changed", async () => {
    const { index } = await indexOf(notes(3), fakeEmbedder("old"));
    const before = vectorsOf(index);
    const result = await embedPending(index, fakeEmbedder("new"));
    expect(result).toMatchObject({ embedded: 3, pending: 0 });
    expect(vectorsOf(index).filter((line) => before.includes(line) && !line.includes("is embedded"))).toEqual(
      [],
    );
    writeFileSync(join(index.files.root, "n0.md"), "another text");
    await syncIndex(index);
    expect(await embedPending(index, fakeEmbedder("new", 64))).toMatchObject({ embedded: 3, pending: 0 });
    index.close();
  });

  it.each(["changed", "went"])("stores nothing of a note that %s while it was embedded", async (what) => {
    const { index, root } = await indexOf(notes(1));
    const embedder = fakeEmbedder();
    const meddling = {
      ...embedder,
      embed: async (texts: readonly string[], kind: "query" | "document") => {
        if (what === "changed") writeFileSync(join(root, "n0.md"), "changed meanwhile");
        else rmSync(join(root, "n0.md"));
        await syncIndex(index);
        return embedder.embed(texts, kind);
      },
    };
    const left = what === "changed" ? 1 : 0;
    expect(await embedPending(index, meddling)).toEqual({ embedded: 0, passages: 0, pending: left });
    expect(vectorsOf(index)).toEqual([]);
    expect(await embedPending(index, embedder)).toMatchObject({ embedded: left, pending: 0 });
    index.close();
  });

  it("keeps what was embedded before the endpoint failed, and continues when it is available again", async () => {
    const { index } = await indexOf(notes(5));
    let answers = 0;
    const server = await embeddingsServer(({ body }, response) => {
      if (++answers > 2 && answers < 5) return void response.writeHead(503).end();
      return { data: body.input.map((text) => ({ embedding: [text.length, 1, 2, answers] })) };
    });
    const embedder = openaiEmbedder({ url: server.url, model: "m", timeoutMs: 5000 });
    await expect(embedPending(index, embedder)).rejects.toMatchObject({ code: "embedder-down" });
    expect(pendingCount(index.db)).toBe(3);
    await expect(embedPending(index, embedder)).rejects.toMatchObject({ code: "embedder-down" });
    expect(await embedPending(index, embedder)).toMatchObject({ embedded: 3, pending: 0 });
    await server.close();
    index.close();
  });

  it("stops at the signal without an error", async () => {
    const { index } = await indexOf(notes(4));
    const stop = new AbortController();
    const server = await embeddingsServer(() => void setTimeout(() => stop.abort(), 20));
    const embedder = openaiEmbedder({ url: server.url, model: "m", timeoutMs: 5000 });
    expect(await embedPending(index, embedder, { signal: stop.signal })).toMatchObject({
      embedded: 0,
      pending: 4,
    });
    await server.close();
    index.close();
  });

  it("works in two processes at once, while a third changes the notes", async () => {
    const { index, root, file } = await indexOf(notes(60));
    const script = await childScript(
      join(root, ".."),
      `import { embedPending } from "./src/sources/notes/vectors/embed-pending.ts";
       import { openWithVectors } from "./test/sources/notes/vectors/embedded.ts";
       import { fakeEmbedder } from "./test/fakes/embedder.ts";
       const [root, file] = process.argv.slice(2);
       const index = openWithVectors(root, file);
       const embedder = fakeEmbedder();
       const slow = { ...embedder, embed: async (texts, kind) => {
         await new Promise((resolve) => setTimeout(resolve, 2));
         return embedder.embed(texts, kind);
       } };
       while ((await embedPending(index, slow)).pending > 0);
       index.close();`,
    );
    const children = [1, 2].map(() =>
      runScript(script, [root, file], { env: { PATH: process.env["PATH"] } }),
    );
    for (let i = 0; i < 20; i++) {
      writeFileSync(join(root, `n${i}.md`), `changed ${i}`);
      await syncIndex(index);
    }
    for (const { code, stderr } of await Promise.all(children))
      expect({ code, stderr }).toMatchObject({ code: 0 });
    await embedPending(index, fakeEmbedder());
    const scratch = openWithVectors(root, join(root, "../scratch.db"));
    await syncIndex(scratch);
    await embedPending(scratch, fakeEmbedder());
    expect(vectorsOf(index)).toEqual(vectorsOf(scratch));
    index.close();
    scratch.close();
  });
});
