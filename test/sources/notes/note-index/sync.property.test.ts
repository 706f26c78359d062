import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { refreshNotes } from "../../../../src/sources/notes/note-index/apply.ts";
import type { MemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { wordMeaning } from "../../../search/vectors/word-meaning.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { contentOf, indexFile, openFor } from "./content.ts";

const FOLDERS = ["", "a", "a/b", "c"];
const folder = fc.constantFrom(...FOLDERS);
const path = fc
  .tuple(folder, fc.constantFrom("one", "two", "three"))
  .map(([at, name]) => join(at, `${name}.md`));
const word = fc.constantFrom(
  "alpha",
  "betaGamma",
  "[[Tool Use]]",
  "delta_epsilon",
  "the",
  "検索",
  "x".repeat(50),
);
const text = fc
  .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom(1, 1, 1, 400))
  .map(([words, times]) => {
    const line = words.join(" ");
    return `---\ntags: [${words.length % 2 ? "odd" : "even"}]\n---\n# ${words[0] ?? "none"}\n\n${`${line}\n`.repeat(times)}`;
  });

const step = fc.oneof(
  // An old time is reliable; a fresh one must be checked again.
  { weight: 5, arbitrary: fc.record({ op: fc.constant("write" as const), path, text, isOld: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("move" as const), path, to: path }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("delete" as const), path }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("move-folder" as const), from: folder, to: folder }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("delete-folder" as const), from: folder }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("sync" as const), sliceMs: fc.constantFrom(0, 1, 1000) }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("refresh" as const), path }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("other-sync" as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("lose-index" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant("other-table" as const),
      version: fc.constantFrom("none" as const, "words-1", "words-2"),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly root: string;
  readonly home: string;
  index: MemoryIndex;
  clock: number;
}

async function apply(world: World, one: Step): Promise<void> {
  const at = (below: string): string => join(world.root, below);
  switch (one.op) {
    case "write":
      mkdirSync(dirname(at(one.path)), { recursive: true });
      writeFileSync(at(one.path), one.text);
      if (one.isOld) for (const old of [at(one.path), dirname(at(one.path))]) age(world, old);
      return;
    case "move":
      if (!existsSync(at(one.path))) return;
      mkdirSync(dirname(at(one.to)), { recursive: true });
      renameSync(at(one.path), at(one.to));
      return;
    case "delete":
      rmSync(at(one.path), { force: true });
      return;
    case "move-folder":
      if (
        one.from === "" ||
        !existsSync(at(one.from)) ||
        existsSync(at(one.to)) ||
        one.to.startsWith(one.from)
      )
        return;
      mkdirSync(dirname(at(one.to)), { recursive: true });
      renameSync(at(one.from), at(one.to));
      return;
    case "delete-folder":
      if (one.from !== "") rmSync(at(one.from), { recursive: true, force: true });
      return;
    case "sync":
      await syncIndex(world.index, { sliceMs: one.sliceMs });
      return;
    case "refresh":
      await refreshNotes(world.index, [at(one.path)]);
      return;
    case "other-sync": {
      const other = openFor(world.root, indexFile(world.home));
      await Promise.all([syncIndex(world.index), syncIndex(other)]);
      other.close();
      return;
    }
    case "lose-index":
      world.index.close();
      rmSync(indexFile(world.home));
      world.index = openFor(world.root, indexFile(world.home));
      return;
    case "other-table":
      reopen(world, one.version === "none" ? "none" : wordMeaning(one.version));
  }
}

function reopen(world: World, meaning?: Parameters<typeof openFor>[2]): void {
  world.index.close();
  world.index = openFor(world.root, indexFile(world.home), meaning);
}

/** Each change gets a different time, as on a real disk: a change of neither size nor time cannot be detected. */
function age(world: World, path: string): void {
  world.clock += 1;
  utimesSync(path, world.clock, world.clock);
}

it("after any changes of the notes, a sync gives the same index as a new one", {
  timeout: 120_000,
}, async () => {
  const home = temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const here = join(home, String(run++));
      const root = join(here, "notes");
      mkdirSync(root, { recursive: true });
      const world: World = { root, home: here, index: openFor(root, indexFile(here)), clock: 1_000_000_000 };
      for (const one of steps) await apply(world, one);
      reopen(world);
      for (
        let slices = 0;
        !(await syncIndex(world.index, { sliceMs: 0 })).isComplete && slices < 50;
        slices++
      );
      await syncIndex(world.index);
      const scratch = openFor(root, join(here, "scratch.db"));
      await syncIndex(scratch);
      expect(contentOf(world.index)).toEqual(contentOf(scratch));
      world.index.close();
      scratch.close();
      rmSync(here, { recursive: true });
    }),
    { numRuns: Number(process.env["CONTINUO_PROPERTY_RUNS"] ?? 60) },
  );
});
