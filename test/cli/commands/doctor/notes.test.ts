import { existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkNotes } from "../../../../src/cli/commands/doctor/notes.ts";
import { memoryIndexPath } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { inputIn } from "../../../support/in-process.ts";
import { notesWorld } from "../../../support/notes.ts";

function setUp() {
  const { home, env, root, run, data } = notesWorld();
  const folder = join(home.root, "memory");
  mkdirSync(folder, { recursive: true });
  const check = async () => {
    return [...checkNotes(inputIn({ env, root }), home)].map(({ status, detail }) => `${status} ${detail}`);
  };
  return { check, run, data, folder, index: memoryIndexPath(home, { path: folder }) };
}

it("doctor creates no index of notes, and says how to create one", async () => {
  const { check, index } = setUp();
  expect(await check()).toEqual(["ok none indexed yet; to index all: continuo sync"]);
  expect(existsSync(index)).toBe(false);
});

it("doctor and sync name the notes that could not be read completely, until they are fixed", async () => {
  const { check, run, data, folder } = setUp();
  writeFileSync(join(folder, "good.md"), "# Good\n");
  writeFileSync(join(folder, "binary.md"), Buffer.from([1, 0, 2]));
  writeFileSync(join(folder, "broken.md"), "---\ntags: [a\n---\nText.\n");
  writeFileSync(join(folder, "large.md"), "");
  truncateSync(join(folder, "large.md"), 5 * 2 ** 20);
  const { problems } = await data("sync");
  expect(problems).toEqual([
    { uri: "memory://binary", problem: "it is not text" },
    { uri: "memory://broken", problem: expect.stringContaining("its frontmatter is not YAML") },
    { uri: "memory://large", problem: "it has 5 MB; a note may have 4" },
  ]);
  expect((await run(["sync"])).stdout).toContain("Not read completely: memory://binary: it is not text\n");
  expect(await check()).toEqual([
    "ok 4 notes indexed",
    "warn memory://binary: it is not text",
    expect.stringContaining("warn memory://broken: its frontmatter is not YAML"),
    "warn memory://large: it has 5 MB; a note may have 4",
  ]);
  for (const name of ["binary", "broken", "large"]) writeFileSync(join(folder, `${name}.md`), "Fixed.");
  await run(["sync"]);
  expect(await check()).toEqual(["ok 4 notes indexed"]);
});

it("doctor shows a few of many problems, and their number", async () => {
  const { check, run, folder } = setUp();
  for (let i = 0; i < 9; i++) writeFileSync(join(folder, `n${i}.md`), Buffer.from([0]));
  await run(["sync"]);
  expect(await check()).toHaveLength(7);
  expect((await check()).at(-1)).toBe("warn 4 more cannot be read");
});

it("a note with more links or different words than anybody writes is indexed up to a bound, and doctor says so", async () => {
  const { check, run, data, folder } = setUp();
  const many = (most: number, one: (i: number) => string) => Array.from({ length: most }, (_, i) => one(i));
  // Consonants, so that no two words have one stem.
  const word = (i: number) => i.toString(6).replace(/\d/g, (digit) => "bdgkmt"[Number(digit)] ?? "");
  writeFileSync(join(folder, "links.md"), many(12_000, (i) => `[[topic${word(i)}]]\n`).join(""));
  writeFileSync(
    join(folder, "words.md"),
    `Heron.\n${many(60_000, (i) => `q${word(i)}\n`).join("")}Falcon.\n`,
  );
  await run(["sync"]);
  expect(await check()).toEqual([
    "ok 2 notes indexed",
    "warn memory://links: only its first 10,000 links are in the index",
    expect.stringMatching(
      /^warn memory:\/\/words: only its first \d+ KB are in the index: it has more than 50,000 different words$/,
    ),
  ]);
  const found = async (query: string) =>
    ((await data("search", query)) as { results: { uri: string }[] }).results.map(({ uri }) => uri);
  expect(await found("heron")).toEqual(["memory://words"]);
  expect(await found("falcon")).toEqual([]);
  expect(await found(`q${word(40_000)}`)).toEqual(["memory://words"]);
});
