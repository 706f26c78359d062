import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../src/base/settings.ts";
import { openMeaning } from "../../src/search/meaning/embed.ts";
import { forgetMeaning, sharedMeaning } from "../../src/search/meaning/shared.ts";
import type { MeaningSource } from "../../src/search/vectors/embed-texts.ts";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { notesFor } from "../../src/sources/notes/ports/additions.ts";
import { MEMORY_SETTINGS } from "../../src/sources/notes/settings.ts";
import type { Sessions } from "../../src/sources/sessions/library.ts";
import { readHealth } from "../../src/store/health.ts";
import { BROKEN } from "../search/meaning/broken-tables.ts";
import { temporaryFolder, temporaryWorld, write } from "../support/world.ts";
import { answer, ask, CLAUDE, place } from "./sessions/place.ts";

const NOTES = {
  "locks.md": "# Locks\n\nA lock file guards the ledger against races between two processes.",
  "soup.md": "# Soup\n\nBoil leek with potato for twenty minutes.",
  "release.md": "# Releases\n\nEvery release is tagged, and the ledger of changes is written by hand.",
};
const PROMPT = "how does a lock file guard the ledger against races?";
const QUERIES = ["ledger", "lock file", "keeping two writers apart", "the of and", "🚀", "リリース"];
const KEY = { host: CLAUDE, id: "locks" };

beforeEach(forgetMeaning);
afterEach(forgetMeaning);

const none: MeaningSource = () => undefined;

/** A home whose process has this table. */
function setUp(bytes: Uint8Array | undefined) {
  const path = join(temporaryFolder(), "meaning.bin");
  if (bytes !== undefined) writeFileSync(path, bytes);
  const { home, env } = temporaryWorld();
  write(join(home.root, "memory"), NOTES);
  const settings = readSettings({}, MEMORY_SETTINGS, {}).values;
  const open = (meaning: MeaningSource) => {
    const memory = openMemory({ home, env, settings, meaning });
    onTestFinished(() => memory.close());
    return memory;
  };
  const here = place();
  here.write("locks", [ask("How are races avoided?"), answer("A lock file guards the ledger.")]);
  here.write("soup", [ask("What is for lunch?"), answer("Soup with leek and potato.")]);
  return {
    open,
    sessions: (meaning: MeaningSource): Sessions => here.open({ meaning }),
    broken: sharedMeaning(home, () => openMeaning(path)),
    whole: (() => {
      let table: ReturnType<typeof openMeaning> | undefined;
      onTestFinished(() => table?.close());
      return () => (table ??= openMeaning());
    })(),
    recorded: () => readHealth(home.logs).records.map(({ where, code }) => `${where} ${code}`),
  };
}

/** What a person and a model see of notes. */
async function notesSeen(memory: ReturnType<typeof openMemory>): Promise<unknown> {
  const found = [];
  for (const query of QUERIES) found.push((await memory.search({ query })).hits);
  return { found, added: (await notesFor(memory, PROMPT)).map(({ uri }) => uri) };
}

function sessionsSeen(sessions: Sessions): unknown {
  return {
    found: QUERIES.map((query) => sessions.search(query)),
    passages: sessions.passages(KEY, "what guards the ledger?", 5),
  };
}

describe.each(BROKEN)("a table of meaning that is %s", (_, bytes, code) => {
  it("leaves search, additions and sessions to words alone, and is recorded once", async () => {
    const { open, sessions, broken, recorded } = setUp(bytes());
    const memory = open(broken);
    expect(await memory.sync()).toMatchObject({ put: 3, isComplete: true });
    const seen = await notesSeen(memory);
    expect(seen).toEqual(await notesSeen(open(none)));
    expect(seen).toMatchObject({ added: ["memory://locks"] });
    const library = sessions(broken);
    expect(await library.sync()).toMatchObject({ changed: 2, isComplete: true });
    expect(sessionsSeen(library)).toEqual(sessionsSeen(sessions(none)));
    expect(library.search("ledger").hits).toMatchObject([{ session: { id: "locks" } }]);
    expect(recorded()).toEqual([`meaning ${code}`]);
  });

  it("is told in mode Semantic as an error and in mode Hybrid as a notice", async () => {
    const { open, broken } = setUp(bytes());
    const memory = open(broken);
    await memory.sync();
    await expect(memory.search({ query: "ledger", mode: "Semantic" })).rejects.toMatchObject({
      code: "semantic-missing",
    });
    const { hits, notices } = await memory.search({ query: "ledger", mode: "Hybrid" });
    expect(hits.length).toBeGreaterThan(0);
    expect(notices).toEqual([expect.stringContaining("found by words alone")]);
  });

  it("that takes the place of a whole one does not change what is found by words, and is healed by another", async () => {
    const { open, sessions, broken, whole } = setUp(bytes());
    const first = open(whole);
    await first.sync();
    const before = await notesSeen(first);
    const library = sessions(whole);
    await library.sync();
    const sessionsBefore = sessionsSeen(library);
    write(first.roots[0]?.path ?? "", { "new.md": "# New\n\nWritten while the table was broken." });
    const second = open(broken);
    await second.sync();
    expect((await second.search({ query: "ledger" })).hits).toHaveLength(2);
    expect((await second.search({ query: "broken" })).hits).toHaveLength(1);
    const between = sessions(broken);
    await between.sync();
    expect(between.search("ledger").total).toBe(1);
    await second.delete("memory://new", true);
    const third = open(whole);
    await third.sync();
    expect(await notesSeen(third)).toEqual(before);
    expect(sessionsSeen(sessions(whole))).toEqual(sessionsBefore);
  });
});
