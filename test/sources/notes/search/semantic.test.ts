import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openaiEmbedder } from "../../../../src/models/choose-embedder.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { search } from "../../../../src/sources/notes/search/search.ts";
import { semanticRanker } from "../../../../src/sources/notes/vectors/semantic-search.ts";
import { fakeEmbedder } from "../../../fakes/embedder.ts";
import { indexOf } from "../vectors/embedded.ts";

const NOTES = {
  "garage.md": "# Automobile\n\nThe automobile needs a new battery.",
  "pets.md": "# Pets\n\nThe hound sleeps all day.",
  "garden/tree.md": "# Tree\n\nThe old oak, and a puppy under it.",
};

async function embedded() {
  const embedder = fakeEmbedder();
  const { index, root } = await indexOf(NOTES, embedder);
  return { index, root, embedder, semantic: semanticRanker(index, embedder) };
}

describe("semantic search", () => {
  it("finds a note that shares no word with the query", async () => {
    const { index, semantic } = await embedded();
    expect((await search(index, { query: "vehicle", mode: "FullText" })).hits).toEqual([]);
    for (const mode of ["Semantic", "Hybrid"] as const) {
      const { hits, notices } = await search(index, { query: "vehicle", mode }, { semantic });
      expect(hits[0]).toMatchObject({ uri: "memory://garage", textScore: 0 });
      expect(hits[0]?.semanticScore).toBeGreaterThan(0.2);
      expect(hits[0]?.snippet).toContain("battery");
      expect(notices).toEqual([]);
    }
    index.close();
  });

  it("respects the filters and the minimum score", async () => {
    const { index, semantic } = await embedded();
    const asked = { query: "dog", mode: "Semantic" } as const;
    const inGarden = await search(index, { ...asked, folder: "garden" }, { semantic });
    expect(inGarden.hits.map(({ uri }) => uri)).toEqual(["memory://garden/tree"]);
    const all = await search(index, asked, { semantic });
    expect(all.total).toBeGreaterThan(1);
    const [best] = all.hits;
    const few = await search(index, { ...asked, minScore: best?.score ?? 1 }, { semantic });
    expect(few.total).toBe(1);
    index.close();
  });

  it("without a usable table is an error in mode Semantic and a notice in Hybrid, the default", async () => {
    const { index } = await embedded();
    const meaning = () => undefined;
    await expect(search(index, { query: "oak", mode: "Semantic" }, { meaning })).rejects.toMatchObject({
      code: "semantic-missing",
    });
    const { hits, notices } = await search(index, { query: "oak", mode: "Hybrid" }, { meaning });
    expect(hits).toHaveLength(1);
    expect(notices).toEqual([expect.stringMatching(/found by words alone .*continuo doctor/)]);
    expect((await search(index, { query: "oak" }, { meaning })).notices).toEqual(notices);
    index.close();
  });

  it("that is turned off is an error in mode Semantic, and Hybrid is silent about it", async () => {
    const { index } = await embedded();
    await expect(search(index, { query: "oak", mode: "Semantic" })).rejects.toMatchObject({
      code: "semantic-missing",
      message: expect.stringContaining("turned off"),
    });
    expect((await search(index, { query: "oak", mode: "Hybrid" })).notices).toEqual([]);
    index.close();
  });

  it("whose endpoint is down is an error in mode Semantic and a notice in Hybrid", async () => {
    const { index } = await embedded();
    const semantic = semanticRanker(
      index,
      openaiEmbedder({ url: "http://127.0.0.1:1/v1", model: "m", timeoutMs: 2000 }),
    );
    await expect(search(index, { query: "oak", mode: "Semantic" }, { semantic })).rejects.toMatchObject({
      code: "embedder-down",
    });
    const { hits, notices } = await search(index, { query: "oak" }, { semantic });
    expect(hits.map(({ uri }) => uri)).toEqual(["memory://garden/tree"]);
    expect(notices).toEqual([expect.stringContaining("cannot be used")]);
    index.close();
  });

  it("says how many notes have no vectors yet, and finds them by their words", async () => {
    const { index, root, semantic } = await embedded();
    writeFileSync(join(root, "new.md"), "# New\n\nA zeppelin.");
    await syncIndex(index);
    const { hits, notices } = await search(index, { query: "zeppelin" }, { semantic });
    expect(hits[0]).toMatchObject({ uri: "memory://new", semanticScore: undefined });
    expect(notices).toEqual(["1 note has no vectors yet: found by words alone"]);
    index.close();
  });

  it("compares nothing with the vectors of another model", async () => {
    const { index } = await embedded();
    const semantic = semanticRanker(index, fakeEmbedder("another"));
    const { hits, notices } = await search(index, { query: "oak" }, { semantic });
    expect(hits).toEqual([
      expect.objectContaining({ uri: "memory://garden/tree", semanticScore: undefined }),
    ]);
    expect(notices).toEqual(["3 notes have no vectors yet: found by words alone"]);
    index.close();
  });

  it("keeps two simultaneous queries apart", async () => {
    const { index, semantic } = await embedded();
    const ask = (query: string) => search(index, { query, mode: "Semantic", pageSize: 1 }, { semantic });
    const [car, dog] = await Promise.all([ask("vehicle"), ask("puppy oak")]);
    expect(car?.hits[0]?.uri).toBe("memory://garage");
    expect(dog?.hits[0]?.uri).toBe("memory://garden/tree");
    index.close();
  });

  it("refuses no query of only stop words", async () => {
    const { index, semantic } = await embedded();
    for (const mode of ["FullText", "Hybrid", "Semantic"] as const)
      expect((await search(index, { query: "the a", mode }, { semantic })).notices).toEqual([]);
    index.close();
  });

  it("calls no model and sends nothing unless one is given", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const { index, embedder, semantic } = await embedded();
    const before = embedder.asked.length;
    await search(index, { query: "oak" });
    await search(index, { query: "oak", mode: "FullText" }, { semantic });
    writeFileSync(join(index.files.root, "more.md"), "more");
    await syncIndex(index);
    expect(embedder.asked).toHaveLength(before);
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
    index.close();
  });
});
