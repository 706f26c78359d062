import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../../../src/base/settings.ts";
import { openMeaning } from "../../../../src/search/meaning/embed.ts";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { memoryIndexPath } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { notesFor } from "../../../../src/sources/notes/ports/additions.ts";
import { MEMORY_SETTINGS } from "../../../../src/sources/notes/settings.ts";
import type { MemoryOptions } from "../../../../src/sources/notes/workspace.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/**
 * Made by the code of 0.1.0 (commit 7f61bf0) from these notes, with these times, and a third one, `gone.md`, about
 * zeppelins, which is deleted since.
 */
const OLD = gunzipSync(readFileSync(join(import.meta.dirname, "fixtures/index-0.1.0.db.gz")));
const YEAR_2001 = 1e9;
const NOTES = {
  "backups.md": "# Backups\n\nA nightly [[dump]] goes to another region and is kept for ninety days.\n",
  "sessions.md": "# Session length\n\nPeople are signed out after thirty minutes of [[inactivity]].\n",
};

function setUp() {
  const { home, env } = temporaryWorld();
  const folder = join(home.root, "memory");
  write(folder, NOTES);
  for (const name of Object.keys(NOTES)) utimesSync(join(folder, name), YEAR_2001, YEAR_2001);
  const path = memoryIndexPath(home, { path: folder });
  writeFileSync(path, OLD);
  const table = openMeaning();
  onTestFinished(() => table.close());
  const open = (more: Partial<MemoryOptions> = {}) => {
    const settings = readSettings({}, MEMORY_SETTINGS, {}).values;
    const memory = openMemory({ home, env, settings, meaning: () => table, ...more });
    onTestFinished(() => memory.close());
    return memory;
  };
  return { open };
}

describe("an index of notes that 0.1.0 made", () => {
  it("is replaced at the first query: notes are found by words and by meaning, deleted ones are not", async () => {
    const { open } = setUp();
    const memory = open();
    const found = async (query: string) => (await memory.search({ query })).hits.map(({ uri }) => uri);
    expect(await found("dump")).toEqual(["memory://backups"]);
    expect(await found("how long do users stay logged in")).toEqual(["memory://sessions"]);
    expect(await found("zeppelins")).toEqual([]);
    expect(await notesFor(memory, "after how much inactivity are people signed out?")).toMatchObject([
      { uri: "memory://sessions" },
    ]);
    expect((await memory.buildContext({ conceptName: "dump" })).direct).toEqual([]);
  });

  it("does not fail a reader that indexes nothing, nor one without a table", async () => {
    const { open } = setUp();
    const reader = open({ readOnly: true, syncMs: 0 });
    await expect(reader.search({ query: "dump" })).resolves.toMatchObject({ hits: [] });
    reader.close();
    const words = open({ meaning: () => undefined });
    expect((await words.search({ query: "dump" })).hits).toHaveLength(1);
    words.close();
    // A later process with a table makes the vectors.
    const whole = open();
    await whole.sync();
    expect((await whole.search({ query: "how long do users stay logged in" })).hits).toHaveLength(1);
  });
});
