import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSettings } from "../../../../src/base/settings.ts";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { MEMORY_SETTINGS } from "../../../../src/sources/notes/settings.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

function memoryWith(notes: Record<string, string>) {
  const { home, env } = temporaryWorld();
  const folder = join(home.root, "memory");
  write(folder, notes);
  const { values: settings } = readSettings({}, MEMORY_SETTINGS, {});
  const memory = openMemory({ home, env, settings });
  onTestFinished(() => memory.close());
  const found = async (query: string) =>
    (await memory.search({ query, mode: "FullText" })).hits.map(({ uri }) => uri.slice("memory://".length));
  return { memory, found, folder };
}

/** A vault that is kept in properties: the texts of its notes are empty or short. */
const VAULT = {
  "References/Bass on Top.md":
    '---\ncategories:\n  - "[[Albums]]"\nartist: "[[Paul Chambers]]"\nyear: 1957\nlabel: Blue Note\ncreated: 2023-09-12\n---\n',
  "References/Dune.md":
    "---\naliases: [Arrakis saga]\nauthor: Frank Herbert\nstatus: reading\nfinished: 2026-11-14\n---\nA desert planet. #scifi\n",
  "Notes/Chambers.md": "# Chambers\n\nRooms in old houses.\n",
  "Daily/2026-11-02.md": "# Monday\n\nRepaired the bicycle.\n",
};

describe("the properties of notes", () => {
  test.each([
    ["frank herbert", "References/Dune"],
    ["blue note", "References/Bass on Top"],
    ["1957", "References/Bass on Top"],
    ["2026-11-14", "References/Dune"],
    ["albums", "References/Bass on Top"],
    ["arrakis", "References/Dune"],
    ["scifi", "References/Dune"],
    ["2026-11-02", "Daily/2026-11-02"],
  ])("are searched: %s", async (query, expected) => {
    expect((await memoryWith(VAULT).found(query))[0]).toBe(expected);
  });

  test("are shown where the text does not have the word", async () => {
    const { memory } = memoryWith(VAULT);
    const snippet = async (query: string) => (await memory.search({ query })).hits[0]?.snippet;
    expect(await snippet("herbert")).toContain("author: Frank Herbert");
    expect(await snippet("desert planet")).toBe("A desert planet. #scifi");
  });

  test("link notes: their concepts have relations and lead to the note", async () => {
    const { memory } = memoryWith(VAULT);
    const { direct, notes } = await memory.buildContext({ conceptName: "Paul Chambers" });
    expect(direct.map(({ name }) => name)).toEqual(["albums"]);
    expect(notes).toEqual(["memory://References/Bass on Top"]);
    const [hit] = (await memory.search({ query: "bass on top" })).hits;
    expect(hit?.concepts).toEqual(["albums", "paul-chambers"]);
  });

  test("rank below titles, and not above the same words in a text", async () => {
    const other = "Nothing about it, only words of another kind that fill a line of text.\n";
    const { found } = memoryWith({
      "property.md": `---\ntopic: harbour crane\n---\n# One\n\n${other}`,
      "text.md": `# Two\n\nThe harbour crane. ${other}`,
      "title.md": `# Harbour crane\n\n${other}`,
    });
    const [first, ...rest] = await found("harbour crane");
    expect(first).toBe("title");
    expect(rest).toEqual(expect.arrayContaining(["text", "property"]));
  });

  test("that programs write into every note are not searched", async () => {
    const { memory, found } = memoryWith({});
    await memory.write({ title: "Plan", content: "Ship it.", tags: ["work"] });
    for (const query of ["memory", "saved", new Date().toISOString().slice(0, 10)])
      expect(await found(query), query).toEqual([]);
    expect(await found("plan")).toEqual(["plan"]);
  });

  test("tags in the text are a filter too", async () => {
    const { memory } = memoryWith(VAULT);
    const { hits } = await memory.search({ query: "planet", tags: ["scifi"] });
    expect(hits.map(({ title }) => title)).toEqual(["Dune"]);
  });

  test("change with the file", async () => {
    const { found, folder } = memoryWith(VAULT);
    expect(await found("herbert")).toEqual(["References/Dune"]);
    write(folder, { "References/Dune.md": "---\nauthor: Somebody Else\n---\n" });
    utimesSync(join(folder, "References/Dune.md"), 2e9, 2e9);
    expect(await found("herbert")).toEqual([]);
    expect(await found("somebody")).toEqual(["References/Dune"]);
  });
});

describe("an alias", () => {
  test("opens its note without a search before, in any case", async () => {
    const { memory } = memoryWith(VAULT);
    expect((await memory.read("arrakis SAGA")).uri).toBe("memory://References/Dune");
  });

  test("of two notes is ambiguous, and a title comes before it", async () => {
    const two = { "a.md": "---\naliases: Saga\n---\n# A", "b.md": "---\nalias: saga\n---\n# B" };
    await expect(memoryWith(two).memory.read("saga")).rejects.toMatchObject({
      code: "note-ambiguous",
      message: expect.stringContaining("memory://a, memory://b"),
    });
    const { memory } = memoryWith({ ...two, "c.md": "# Saga" });
    expect((await memory.read("saga")).uri).toBe("memory://c");
  });

  test("is forgotten with its note", async () => {
    const { memory } = memoryWith(VAULT);
    await memory.read("arrakis saga");
    await memory.delete("Dune", true);
    await expect(memory.read("arrakis saga")).rejects.toMatchObject({ code: "note-not-found" });
  });
});

describe("a title that differs from the file name", () => {
  test("opens the note although nothing is indexed yet", async () => {
    expect((await memoryWith(VAULT).memory.read("Monday")).uri).toBe("memory://Daily/2026-11-02");
  });
});

describe("concepts far down in a note, or alone in it", () => {
  test("lead to the note", async () => {
    const many = Array.from({ length: 80 }, (_, i) => `[[topic ${i}]]`).join(" ");
    const { memory } = memoryWith({ "many.md": many, "slo.md": "Our [[SLO]] is 99.9." });
    const notes = async (conceptName: string) => (await memory.buildContext({ conceptName })).notes;
    expect(await notes("topic 79")).toEqual(["memory://many"]);
    expect(await notes("slo")).toEqual(["memory://slo"]);
  });
});
