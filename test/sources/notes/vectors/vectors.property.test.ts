import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { embedPending } from "../../../../src/sources/notes/vectors/embed-pending.ts";
import { createVectorSet } from "../../../../src/sources/notes/vectors/vector-set.ts";
import { fakeEmbedder } from "../../../fakes/embedder.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { openWithVectors, vectorsOf } from "./embedded.ts";

const name = fc.constantFrom("a.md", "b.md", "c.md", "d.md");
const step = fc.oneof(
  fc.record({
    op: fc.constant("write" as const),
    name,
    words: fc.array(fc.constantFrom("car", "dog", "tree", "query"), { maxLength: 6 }),
    times: fc.constantFrom(1, 1, 300, 2000),
  }),
  fc.record({ op: fc.constant("delete" as const), name }),
  fc.record({ op: fc.constant("move" as const), name, to: name }),
  fc.record({ op: fc.constant("sync" as const) }),
  fc.record({ op: fc.constant("embed" as const), model: fc.constantFrom("one", "one", "two") }),
);

it("after any changes of the notes, the vectors are those of a new index, also in memory", {
  timeout: 120_000,
}, async () => {
  const home = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30, size: "max" }), async (steps) => {
      const here = join(home, String(run++));
      const root = join(here, "notes");
      mkdirSync(root, { recursive: true });
      const index = openWithVectors(root, join(here, "memory.db"));
      const set = createVectorSet(index.db);
      const embedder = fakeEmbedder("one");
      const [query = new Float32Array()] = await embedder.embed(["a dog in a car"], "query");
      for (const one of steps) {
        const path = join(root, "name" in one ? one.name : "");
        if (one.op === "write") writeFileSync(path, `${one.words.join(" ")}\n`.repeat(one.times));
        if (one.op === "delete") rmSync(path, { force: true });
        if (one.op === "move") {
          try {
            renameSync(path, join(root, one.to));
          } catch {
            // The note does not exist at the moment.
          }
        }
        if (one.op === "sync") await syncIndex(index);
        if (one.op === "embed") {
          await embedPending(index, fakeEmbedder(one.model), { sliceMs: 0 });
          set.scores("one", query); // loads what is stored, so that later changes are detected
        }
        expect(vectorsOf(index).filter((line) => line.startsWith("no note"))).toEqual([]);
      }
      await syncIndex(index);
      expect((await embedPending(index, embedder)).pending).toBe(0);
      const scratch = openWithVectors(root, join(here, "scratch.db"));
      await syncIndex(scratch);
      await embedPending(scratch, embedder);
      expect(vectorsOf(index)).toEqual(vectorsOf(scratch));
      const near = (from: typeof index, vectors = createVectorSet(from.db)) => {
        const scores = vectors.scores("one", query);
        return from.db
          .all<{ id: number; uri: string }>("SELECT id, uri FROM note ORDER BY uri")
          .map(({ id, uri }) => `${uri} ${scores.passageOf(id)} ${scores.cosineOf(id)}`);
      };
      expect(near(index, set)).toEqual(near(scratch));
      index.close();
      scratch.close();
      rmSync(here, { recursive: true });
    }),
    { numRuns: Number(process.env["CONTINUO_PROPERTY_RUNS"] ?? 40) },
  );
});
