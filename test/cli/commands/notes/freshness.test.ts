import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../../../src/store/sqlite/open.ts";
import { notesWorld } from "../../../support/notes.ts";

/** A few more than a search checks for changes in place. */
const NOTES = 1010;
const YEAR_2001 = 1_000_000_000;
const DAY = 86_400;

it("a search in a large store finds notes that were changed in place a moment ago, and writes only if any were", async () => {
  const { data, home } = notesWorld();
  const folder = join(home.root, "memory");
  const change = (name: string, text: string) => writeFileSync(join(folder, `${name}.md`), text);
  const uris = async (...args: string[]) => {
    const { results } = await data("search", "--mode", "FullText", ...args);
    return (results as { uri: string }[]).map(({ uri }) => uri);
  };
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < NOTES; i++) {
    change(`n${i}`, `# Note ${i}\n\nGranite and item${i}x.\n`);
    // The first ones are older than all others, so they are checked last.
    const time = YEAR_2001 + (i < 10 ? 0 : DAY);
    utimesSync(join(folder, `n${i}.md`), time, time);
  }
  utimesSync(folder, YEAR_2001, YEAR_2001);
  await data("sync");
  const index = readdirSync(home.root).find((one) => /^memory-\w+\.db$/.test(one)) ?? "";
  const db = openDatabase(join(home.root, index));
  const version = () => db.get("PRAGMA data_version");

  const before = version();
  expect(await uris("granite")).toHaveLength(10);
  expect(await uris("item3x")).toEqual(["memory://n3"]);
  expect(version()).toEqual(before);
  // An old note, by a word that no other note has.
  change("n2", "# Note 2\n\nNow about a zeppelin.\n");
  expect(await uris("zeppelin")).toEqual(["memory://n2"]);
  expect(version()).not.toEqual(before);
  // An old note that is found by a word which it has no more.
  change("n3", "# Note 3\n\nNow about item7x.\n");
  expect(await uris("item3x")).toEqual([]);
  expect((await uris("item7x")).toSorted()).toEqual(["memory://n3", "memory://n7"]);
  // An old note, asked for as one that changed lately.
  change("n4", "# Note 4\n\nStill about granite.\n");
  expect(await uris("granite", "item4x", "--since", "1h")).toEqual(["memory://n4"]);
  // One of the newest, by words that others have.
  change(`n${NOTES - 1}`, "# Last\n\nGranite, item8x and item9x.\n");
  expect((await uris("item8x", "item9x"))[0]).toBe(`memory://n${NOTES - 1}`);
  db.close();
});
