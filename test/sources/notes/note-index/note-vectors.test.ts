import { chmodSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../../src/base/errors.ts";
import type { TextMeaning } from "../../../../src/search/vectors/embed-texts.ts";
import type { MemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { storedVectors } from "../../../search/vectors/stored.ts";
import { wordMeaning } from "../../../search/vectors/word-meaning.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { contentOf, indexFile, openFor } from "./content.ts";

const YEAR_2001 = 1_000_000_000;

function notes(count: number): { root: string; file: string } {
  const home = temporaryFolder();
  const root = join(home, "notes");
  for (let i = 0; i < count; i++) {
    write(root, {
      [`n${i}.md`]: `# Heron ${i}\n\n${`About the pond and word${i}.\n`.repeat(i % 4 === 0 ? 90 : 1)}`,
    });
    utimesSync(join(root, `n${i}.md`), YEAR_2001, YEAR_2001);
  }
  return { root, file: indexFile(home) };
}

const states = (index: MemoryIndex): string[] =>
  [...storedVectors(index.db).values()].flat().map((one) => one.split(" ")[0] ?? "");

/** What an index that is made at once with this table has. */
async function madeAtOnce(root: string, meaning: TextMeaning): Promise<unknown> {
  const index = openFor(root, join(temporaryFolder(), "once.db"), meaning);
  await syncIndex(index);
  const content = contentOf(index);
  index.close();
  return content;
}

describe("the vectors of notes", () => {
  it("are made in the transaction that indexes them, from title and passage", async () => {
    const { root, file } = notes(6);
    const meaning = wordMeaning();
    const embedded: string[] = [];
    const index = openFor(root, file, {
      version: meaning.version,
      embed(text) {
        embedded.push(text);
        return meaning.embed(text);
      },
    });
    await syncIndex(index);
    expect(new Set(states(index))).toEqual(new Set(["words-1"]));
    expect(embedded).toHaveLength(states(index).length);
    expect(embedded.every((text) => /^Heron \d+\n/.test(text))).toBe(true);
    index.close();
  });

  it("are made later for notes that were indexed without a table, and again with another table", async () => {
    const { root, file } = notes(40);
    const bare = openFor(root, file, "none");
    await syncIndex(bare);
    expect(new Set(states(bare))).toEqual(new Set(["pending"]));
    bare.close();
    for (const version of ["words-1", "words-2"]) {
      const index = openFor(root, file, wordMeaning(version));
      expect(await syncIndex(index)).toMatchObject({ put: 0, isComplete: true });
      expect(contentOf(index)).toEqual(await madeAtOnce(root, wordMeaning(version)));
      index.close();
    }
  });

  it("of a table that vanishes between two syncs are kept, and new notes wait for it", async () => {
    const { root, file } = notes(3);
    const first = openFor(root, file);
    await syncIndex(first);
    first.close();
    write(root, { "new.md": "# New\n\nWritten without a table." });
    const bare = openFor(root, file, "none");
    await syncIndex(bare);
    expect(states(bare).sort()).toEqual(["pending", "words-1", "words-1", "words-1", "words-1"]);
    bare.close();
    const again = openFor(root, file);
    await syncIndex(again);
    expect(contentOf(again)).toEqual(await madeAtOnce(root, wordMeaning()));
    again.close();
  });

  it("do not keep a note from being indexed if the table is damaged", async () => {
    const { root, file } = notes(5);
    const damaged: TextMeaning = {
      version: "words-1",
      embed() {
        throw new ContinuoError("meaning-damaged", "the table is damaged");
      },
    };
    const index = openFor(root, file, damaged);
    expect(await syncIndex(index)).toMatchObject({ put: 5, isComplete: true });
    expect(new Set(states(index))).toEqual(new Set(["pending"]));
    index.close();
  });

  it("of a note that changed or vanished since come with its next sync", async () => {
    const { root, file } = notes(8);
    const bare = openFor(root, file, "none");
    await syncIndex(bare);
    bare.close();
    // A folder that is read again shows neither: the file has the size and the time that it had.
    writeFileSync(join(root, "n1.md"), "# Heron 1\n\nAbout the pond and Word1.\n");
    utimesSync(join(root, "n1.md"), YEAR_2001, YEAR_2001);
    rmSync(join(root, "n2.md"));
    const index = openFor(root, file);
    index.db.run("UPDATE note SET is_settled = 1");
    await syncIndex(index);
    expect(states(index).filter((one) => one === "")).toHaveLength(1);
    expect(await syncIndex(index)).toMatchObject({ put: 1 });
    expect(contentOf(index)).toEqual(await madeAtOnce(root, wordMeaning()));
    index.close();
  });

  it.skipIf(process.getuid?.() === 0)(
    "of a note that cannot be read for a while are made afterwards",
    async () => {
      const { root, file } = notes(4);
      const bare = openFor(root, file, "none");
      await syncIndex(bare);
      bare.close();
      chmodSync(join(root, "n3.md"), 0);
      const index = openFor(root, file);
      await syncIndex(index);
      chmodSync(join(root, "n3.md"), 0o644);
      await syncIndex(index);
      expect(contentOf(index)).toEqual(await madeAtOnce(root, wordMeaning()));
      index.close();
    },
  );

  it("leave a short slice alone: there is no time for a part", async () => {
    const { root, file } = notes(4);
    const bare = openFor(root, file, "none");
    await syncIndex(bare);
    bare.close();
    const index = openFor(root, file);
    await syncIndex(index, { sliceMs: 1 });
    expect(new Set(states(index))).toEqual(new Set(["pending"]));
    index.close();
  });
});
