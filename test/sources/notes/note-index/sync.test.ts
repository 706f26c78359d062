import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openMemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { contentOf, indexFile, openFor } from "./content.ts";

const YEAR_2001 = 1_000_000_000;

/** Notes that were not changed for a long time, so that their times are reliable. */
function oldNotes(count: number): { root: string; file: string } {
  const home = temporaryFolder();
  const root = join(home, "notes");
  for (let i = 0; i < count; i++) {
    write(root, { [`f${i % 3}/n${i}.md`]: `# Note ${i}\n\nAbout [[topic ${i % 5}]] and word${i}.` });
    utimesSync(join(root, `f${i % 3}/n${i}.md`), YEAR_2001, YEAR_2001);
  }
  for (const folder of ["", "f0", "f1", "f2"]) {
    mkdirSync(join(root, folder), { recursive: true });
    utimesSync(join(root, folder), YEAR_2001, YEAR_2001);
  }
  return { root, file: indexFile(home) };
}

describe("a sync of the memory index", () => {
  it("in slices also ends if there are only folders, and finishes over several slices", async () => {
    const home = temporaryFolder();
    const root = join(home, "notes");
    for (let i = 0; i < 200; i++) mkdirSync(join(root, `a${i % 10}/b${i}/c`), { recursive: true });
    write(root, { "a9/b199/c/n.md": "# Note\n\nAbout [[topic]]." });
    for (const folder of ["", ...(readdirSync(root, { recursive: true }) as string[])])
      utimesSync(join(root, folder), YEAR_2001, YEAR_2001);
    const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
    let listed = 0;
    const index = openMemoryIndex(indexFile(home), {
      ...files,
      entries: (path: string) => {
        listed++;
        return files.entries(path);
      },
    });
    try {
      await syncIndex(index, { sliceMs: -1 }); // the time is over before it begins: every slice still makes progress
      expect(listed).toBeLessThan(10);
      for (let i = 0; i < 2000 && index.db.get("SELECT 1 FROM note") === undefined; i++)
        await syncIndex(index, { sliceMs: -1 });
      expect(index.db.get("SELECT 1 FROM note")).toBeDefined();
    } finally {
      index.close();
    }
  });

  it("reads only the note that changed, and none when nothing did", async () => {
    const { root, file } = oldNotes(30);
    const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
    const read: string[] = [];
    const watched = { ...files, read: (path: string) => files.read(read[read.push(path) - 1] ?? path) };
    const index = openMemoryIndex(file, watched);
    expect(await syncIndex(index)).toMatchObject({ put: 30, removed: 0, isComplete: true });
    read.length = 0;
    expect(await syncIndex(index)).toMatchObject({ put: 0, same: 0, removed: 0 });
    expect(read).toEqual([]);
    const changed = join(root, "f1/n4.md");
    writeFileSync(changed, "in place, at another time");
    utimesSync(changed, YEAR_2001 + 1, YEAR_2001 + 1);
    expect(await syncIndex(index)).toMatchObject({ put: 1, removed: 0 });
    expect(read).toEqual([changed]);
    index.close();
  });

  it("detects a change with the same time and size", async () => {
    const { root, file } = oldNotes(1);
    const index = openFor(root, file);
    const path = join(root, "f0/n0.md");
    writeFileSync(path, "first");
    const { atime, mtime } = statSync(path);
    await syncIndex(index);
    writeFileSync(path, "other");
    utimesSync(path, atime, mtime);
    expect(await syncIndex(index)).toMatchObject({ put: 1 });
    index.close();
  });

  it("finishes over several slices, each of which makes progress", async () => {
    const { root, file } = oldNotes(20);
    const index = openFor(root, file);
    let slices = 1;
    while (!(await syncIndex(index, { sliceMs: 0 })).isComplete) slices++;
    expect(slices).toBeGreaterThan(1);
    expect(slices).toBeLessThan(100);
    const whole = openFor(root, `${file}.whole`);
    await syncIndex(whole);
    expect(contentOf(index)).toEqual(contentOf(whole));
    index.close();
    whole.close();
  });

  it("keeps what it has when the process ends in the middle of a large note", async () => {
    const { root, file } = oldNotes(5);
    write(root, { "z.md": `# Large\n\n${"words and more words ".repeat(10_000)}` });
    const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
    const index = openMemoryIndex(file, {
      ...files,
      read: (path) => (path.endsWith("z.md") ? Promise.reject(new Error("killed")) : files.read(path)),
    });
    await expect(syncIndex(index, { sliceMs: 5_000 })).rejects.toThrow("killed");
    expect(index.db.get("SELECT count(*) AS notes FROM note")).toEqual({ notes: 5 });
    index.close();
  });

  it("leaves large notes to a later sync, if it is told to, and gives the same index then", async () => {
    const { root, file } = oldNotes(5);
    const large = (word: string) => `# Large\n\n${`${word} and more words `.repeat(10_000)}`;
    write(root, { "f1/large.md": large("heron") });
    const index = openFor(root, file);
    const small = { sliceMs: 5_000, isScan: false, largest: 100_000 };
    expect(await syncIndex(index, small)).toMatchObject({ put: 5, left: 1, isComplete: false });
    expect(await syncIndex(index, small)).toMatchObject({ put: 0, left: 1, isComplete: false });
    expect(await syncIndex(index, { sliceMs: 5_000 })).toMatchObject({ put: 1, left: 0 });
    write(root, { "f1/large.md": large("falcon"), "f1/n1.md": "# Note 1\n\nOther words." });
    expect((await syncIndex(index, small)).left).toBeGreaterThan(0);
    let left = 1;
    for (let i = 0; left > 0 || i < 3; i++) ({ left } = await syncIndex(index, { sliceMs: 5_000 }));
    const whole = openFor(root, `${file}.whole`);
    await syncIndex(whole);
    expect(contentOf(index)).toEqual(contentOf(whole));
    index.close();
    whole.close();
  });

  it("checks every file over several slices, and so detects a note changed in place", async () => {
    const { root, file } = oldNotes(30);
    const index = openFor(root, file);
    await syncIndex(index);
    for (const name of ["f0/n27.md", "f1/n1.md", "f2/n14.md"]) {
      writeFileSync(join(root, name), "in place, at another time");
      utimesSync(join(root, name), YEAR_2001 + 1, YEAR_2001 + 1);
    }
    let put = 0;
    let slices = 0;
    for (let isComplete = false; !isComplete && slices < 100; slices++) {
      const result = await syncIndex(index, { sliceMs: 0 });
      put += result.put;
      isComplete = result.isComplete;
    }
    expect(put).toBe(3);
    expect(slices).toBeLessThanOrEqual(30 + 4);
    index.close();
  });

  it.each([
    ["at once", false],
    ["after syncs that were not", true],
  ])(
    "leaves no word of a deleted or changed note in its files when it is thorough, %s",
    async (_, isLater) => {
      const { root, file } = oldNotes(40);
      const index = openFor(root, file);
      write(root, { "f0/secret.md": "# Zanzibarcode", "f1/edited.md": "the word quuxotic" });
      await syncIndex(index);
      const bytes = (): string =>
        [file, `${file}-wal`].map((path) => (existsSync(path) ? readFileSync(path, "latin1") : "")).join("");
      const words = (): string[] => ["zanzibarcod", "quuxot"].filter((word) => bytes().includes(word));
      expect(words()).toEqual(["zanzibarcod", "quuxot"]);
      rmSync(join(root, "f0/secret.md"));
      write(root, { "f1/edited.md": "another word" });
      if (isLater) while (!(await syncIndex(index, { sliceMs: 5 })).isComplete);
      await syncIndex(index, { thoroughly: true });
      expect(words()).toEqual([]);
      const whole = openFor(root, `${file}.whole`);
      await syncIndex(whole);
      expect(contentOf(index)).toEqual(contentOf(whole));
      index.close();
      whole.close();
    },
  );

  it("gives the same index when several processes sync at once", async () => {
    const { root, file } = oldNotes(60);
    const child = join(import.meta.dirname, "sync-child.ts");
    const runs = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [child, root, file]));
    for (const { stdout } of await Promise.all(runs)) expect(stdout).toBe("complete\n");
    const index = openFor(root, file);
    const whole = openFor(root, `${file}.whole`);
    await syncIndex(whole);
    expect(contentOf(index)).toEqual(contentOf(whole));
    index.close();
    whole.close();
  });

  it("starts again after its file was damaged, and when its plug-ins changed", async () => {
    const { root, file } = oldNotes(5);
    const first = openFor(root, file);
    await syncIndex(first);
    const content = contentOf(first);
    first.close();
    const bare = openMemoryIndex(file, noteFilesOf({ path: root, kind: "plain", isWritable: true }));
    expect(bare.db.get("SELECT count(*) AS n FROM note")).toMatchObject({ n: 0 });
    bare.close();
    writeFileSync(file, "this is no database");
    const again = openFor(root, file);
    await syncIndex(again);
    expect(contentOf(again)).toEqual(content);
    again.close();
  });

  it("treats a folder that became a link to itself as missing", async () => {
    const { root, file } = oldNotes(9);
    const index = openFor(root, file);
    await syncIndex(index);
    rmSync(join(root, "f1"), { recursive: true });
    symlinkSync("f1", join(root, "f1"));
    expect(await syncIndex(index)).toMatchObject({ removed: 3, isComplete: true });
    index.close();
  });

  it.skipIf(process.getuid?.() === 0)(
    "keeps what it knows of a closed folder, and looks at the others",
    async () => {
      const { root, file } = oldNotes(9);
      write(root, { "f1/deep/d.md": "# Deep" });
      const index = openFor(root, file);
      await syncIndex(index);
      chmodSync(join(root, "f1"), 0);
      writeFileSync(join(root, "f0/new.md"), "# New");
      const closed = await syncIndex(index);
      chmodSync(join(root, "f1"), 0o755);
      expect(closed).toMatchObject({ put: 1, removed: 0 });
      expect(await syncIndex(index)).toMatchObject({ put: 0, removed: 0, unreadable: [] });
      index.close();
    },
  );

  it.skipIf(process.getuid?.() === 0)(
    "keeps what it has of a note that can no longer be read, and says so",
    async () => {
      const { root, file } = oldNotes(2);
      const index = openFor(root, file);
      await syncIndex(index);
      writeFileSync(join(root, "f0/n0.md"), "hidden");
      chmodSync(join(root, "f0/n0.md"), 0);
      const result = await syncIndex(index);
      expect(result.unreadable).toEqual([join(root, "f0/n0.md")]);
      expect(index.db.get("SELECT count(*) AS n FROM note")).toMatchObject({ n: 2 });
      index.close();
    },
  );

  it("empties the index when the root does not exist any more", async () => {
    const { root, file } = oldNotes(7);
    const index = openFor(root, file);
    await syncIndex(index);
    rmSync(root, { recursive: true });
    expect(await syncIndex(index)).toMatchObject({ removed: 7, isComplete: true });
    expect(contentOf(index)).toMatchObject({ notes: [], occurrences: [], titles: [] });
    index.close();
  });
});
