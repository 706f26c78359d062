import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMemory } from "../../../../src/sources/notes/memory.ts";
import { memory } from "../../../../src/sources/notes/ports/source.ts";
import { identityOf, markDamaged } from "../../../../src/store/derived-index/damage.ts";
import { clearPools } from "../../../../src/store/pool.ts";
import { openDatabase } from "../../../../src/store/sqlite/open.ts";
import { engineWorld } from "../../../support/engine.ts";
import { write } from "../../../support/world.ts";

const NOTES = {
  "ledger.md": "# Ledger\n\nThe [[ledger]] is kept in append-only files, one line for each delivery.",
  "soup.md": "# Soup\n\nBoil [[leek]] with [[potato]] and salt.",
};
const ABOUT_LEDGER = "where is the ledger of deliveries kept, in append-only files?";
const ABOUT_SOUP = "boil the leek with potato and salt for the soup";
const PATIENT = { sourceDeadlineMs: 30_000, momentDeadlineMs: 60_000 };

/** One process in which several sessions ask, and whose index stays open in between. */
async function living(notes: Record<string, string> = NOTES) {
  const made = engineWorld([memory], PATIENT);
  const folder = join(made.home.root, "memory");
  write(folder, notes);
  let sessions = 0;
  const ask = (prompt: string) => made.prompt(prompt, `s${sessions++}`);
  // The first time creates the index, and only one that was there before is kept.
  await ask(ABOUT_LEDGER);
  await ask(ABOUT_LEDGER);
  const index = () =>
    join(made.home.root, readdirSync(made.home.root).find((name) => /^memory-.*\.db$/.test(name)) ?? "");
  return { ...made, folder, ask, index };
}

/** An open index has its log beside it. */
const isOpen = (path: string): boolean => statSync(`${path}-wal`, { throwIfNoEntry: false }) !== undefined;

describe("an index of notes in a process that lives on", () => {
  test("stays open between two prompts, and is closed with the process", async () => {
    const { ask, index, trouble } = await living();
    expect(isOpen(index())).toBe(true);
    expect(await ask(ABOUT_LEDGER)).toContain("\nmemory://ledger\n");
    clearPools();
    expect(isOpen(index())).toBe(false);
    expect(trouble).toEqual([]);
  });

  test("shows notes that were added, changed and deleted in between", async () => {
    const { ask, folder, trouble } = await living();
    write(folder, { "bread.md": "# Bread\n\nKnead [[flour]], water and yeast; bake the loaf for an hour." });
    expect(await ask("knead flour water and yeast and bake the loaf")).toContain("memory://bread");
    write(folder, {
      "soup.md": "# Soup\n\nThe text is another one: roast [[pumpkin]] with garlic and sage.",
    });
    expect(await ask("roast the pumpkin with garlic and sage")).toContain("memory://soup");
    rmSync(join(folder, "ledger.md"));
    expect(await ask(ABOUT_LEDGER)).not.toContain("memory://ledger");
    expect(trouble).toEqual([]);
  });

  test("shows what another process has indexed in between", async () => {
    const { ask, folder, home, env, trouble } = await living();
    write(folder, { "bread.md": "# Bread\n\nKnead [[flour]], water and yeast; bake the loaf for an hour." });
    const other = openMemory({ home, env, settings: {} });
    await other.sync();
    other.close();
    expect(await ask("knead flour water and yeast and bake the loaf")).toContain("memory://bread");
    expect(trouble).toEqual([]);
  });

  test("is opened again when its file was deleted", async () => {
    const { ask, home, trouble } = await living();
    for (const name of readdirSync(home.root).filter((one) => one.startsWith("memory-")))
      rmSync(join(home.root, name));
    expect(await ask(ABOUT_SOUP)).toContain("memory://soup");
    expect(readdirSync(home.root).filter((name) => /^memory-.*\.db$/.test(name))).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  test("is opened again when another file took its place", async () => {
    const { ask, index, folder, trouble } = await living();
    clearPools(); // so that all of it is in one file
    const path = index();
    copyFileSync(path, `${path}.other`);
    await ask(ABOUT_LEDGER);
    for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`);
    renameSync(`${path}.other`, path);
    write(folder, { "bread.md": "# Bread\n\nKnead [[flour]], water and yeast; bake the loaf for an hour." });
    expect(await ask("knead flour water and yeast and bake the loaf")).toContain("memory://bread");
    const other = openDatabase(path);
    expect(other.all("SELECT uri FROM note WHERE uri = 'memory://bread'")).toHaveLength(1);
    other.close();
    expect(trouble).toEqual([]);
  });

  test("is rebuilt when another process found it damaged", async () => {
    const { ask, index, trouble } = await living();
    const before = identityOf(index());
    markDamaged(index(), before ?? "");
    expect(await ask(ABOUT_SOUP)).toContain("memory://soup");
    expect(identityOf(index())).not.toBe(before);
    expect(trouble).toEqual([]);
  });

  test("is filled again when another version gave it other tables", async () => {
    const { ask, index, trouble } = await living();
    const other = openDatabase(index());
    other.exec("DROP TABLE note; CREATE TABLE note (other TEXT); UPDATE shape SET fingerprint = 'other'");
    other.close();
    expect(await ask(ABOUT_SOUP)).toContain("memory://soup");
    expect(trouble).toEqual([]);
  });

  test("is not used by two at a time", async () => {
    const { home, env } = await living();
    const open = () => openMemory({ home, env, settings: {}, keepsOpen: true });
    const dbOf = (one: ReturnType<typeof open>) => one.indexes()[0]?.db;
    const [first, second] = [open(), open()];
    const [one, two] = [dbOf(first), dbOf(second)];
    expect(one).not.toBe(two);
    first.close();
    const third = open();
    expect(dbOf(third)).toBe(one);
    expect(two?.get("SELECT 1 AS one")).toEqual({ one: 1 });
    second.close();
    third.close();
  });

  test("is gone when the folder of the notes is gone, and there again with it", async () => {
    const { ask, folder, trouble } = await living();
    renameSync(folder, `${folder}-away`);
    expect(await ask(ABOUT_LEDGER)).toBe("");
    renameSync(`${folder}-away`, folder);
    expect(await ask(ABOUT_LEDGER)).toContain("memory://ledger");
    expect(trouble).toEqual([]);
  });
});
