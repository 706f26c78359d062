import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../src/sources/notes/memory.ts";
import { memoryIndexPath } from "../../src/sources/notes/note-index/memory-index.ts";
import { type Home, homeAt } from "../../src/store/home.ts";
import {
  fillStore,
  indexTranscripts,
  makeProject,
  writeEqualNotes,
  writeTranscripts,
} from "../hook/store.ts";
import { noteAt, writeNotes } from "../memory/notes.ts";

export const NOTES = 10_000;
export const FEW_NOTES = 3_000;
export const SESSIONS = 2_000;

/** Stores that the tables share. Each is built when it is first asked for, with its indexes. */
export interface Stores {
  readonly folder: string;
  /** A project with eight rules. */
  readonly root: string;
  /** 10,000 notes that differ from each other, and 2,000 sessions with their transcripts. */
  filled(): Promise<Home>;
  /** The same with notes that have all the same words. */
  equal(): Promise<Home>;
  /** 3,000 notes that differ, no sessions. */
  few(): Promise<Home>;
  /** 10,000 notes that differ, no sessions. */
  notes(): Promise<Home>;
  remove(): void;
}

export function createStores(): Stores {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  const root = join(folder, "project");
  makeProject(root);
  const once = (name: string, build: (home: Home) => Promise<void>) => {
    let built: Promise<Home> | undefined;
    return () => {
      built ??= (async () => {
        console.error(`filling the store "${name}"…`);
        const home = homeAt(join(folder, name));
        await build(home);
        return home;
      })();
      return built;
    };
  };
  const sessions = once("sessions", async (home) => {
    await fillStore(home, root, SESSIONS, 0);
    writeTranscripts(folder, root, SESSIONS);
    await indexTranscripts(home, folder);
  });
  const differing = (count: number) => async (home: Home) => {
    writeNotes(memoryOf(home), count);
    await indexNotes(home);
  };
  const notes = once("notes", differing(NOTES));
  return {
    folder,
    root,
    notes,
    few: once("few", differing(FEW_NOTES)),
    filled: once("filled", async (home) => {
      copyHome(await sessions(), home.root);
      copyHome(await notes(), home.root); // last: its times and its index of notes count
    }),
    equal: once("equal", async (home) => {
      copyHome(await sessions(), home.root);
      writeEqualNotes(memoryOf(home), NOTES);
      await indexNotes(home);
    }),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const memoryOf = (home: Home): string => join(home.root, "memory");

async function indexNotes(home: Home): Promise<void> {
  const known = openMemory({ home, env: {}, settings: {} });
  await known.sync();
  known.close();
}

/** A copy with the index of its notes, whose file name depends on where the notes are. */
export function copyHome(from: Home, to: string): Home {
  mkdirSync(to, { recursive: true });
  execFileSync("cp", ["-a", `${from.root}/.`, to]);
  const copy = homeAt(to);
  const indexOf = (path: string) => memoryIndexPath(copy, { path: join(path, "memory") });
  for (const ending of ["", ".lock", "-wal", "-shm"])
    try {
      renameSync(`${indexOf(from.root)}${ending}`, `${indexOf(to)}${ending}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // not every index has all of them
    }
  return copy;
}

/** A prompt about the topic of one of the differing notes: some of that note's rarer words. */
export function promptAbout(home: Home, note: number): string {
  const [line = ""] = readFileSync(noteAt(memoryOf(home), note), "utf8")
    .split("\n")
    .slice(4);
  const words = line.match(/[A-Za-z]{6,}/g) ?? [];
  return `please look at ${words.slice(0, 6).join(" ")} again`;
}

/** Files for a model to read. */
export function writeFiles(project: string, count: number): string[] {
  mkdirSync(join(project, "src"), { recursive: true });
  return Array.from({ length: count }, (_, i) => {
    const file = join(project, "src", `module-${i}.ts`);
    writeFileSync(file, `export const value${i} = ${i};\n`);
    return file;
  });
}
