import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import { count } from "../../../base/when.ts";
import { openMeaning } from "../../../search/meaning/embed.ts";
import { pendingPassages } from "../../../search/vectors/store.ts";
import { walkNotes } from "../../../sources/notes/files/list-notes.ts";
import type { MemoryRoot } from "../../../sources/notes/files/roots.ts";
import { type Memory, openMemory, withMemory } from "../../../sources/notes/memory.ts";
import { type MemoryIndex, memoryIndexPath } from "../../../sources/notes/note-index/memory-index.ts";
import { countsOf, noteProblems } from "../../../sources/notes/note-index/note-problems.ts";
import { MEMORY_SETTINGS, memorySettings } from "../../../sources/notes/settings.ts";
import { wasSetAside } from "../../../store/derived-index/damage.ts";
import { findHome, type Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { fail, fixable, type NamedFinding, ok, warn } from "./check.ts";

const MOST_SHOWN = 5;

/** How many notes are indexed, and which could not be read. Reads no note and creates no index. */
export function* checkNotes(world: World, home: Home): Generator<NamedFinding> {
  const memory = openedToLook(world, home);
  try {
    const indexes = memory.indexes();
    if (indexes.length === 0) return yield ok("notes", "none indexed yet; to index all: continuo sync");
    const { notes } = countsOf(indexes);
    if (memory.roots.some((root) => isEmptied(home, root, indexes))) yield damaged(world);
    else yield ok("notes", `${count(notes, "note")} indexed`, { notes });
    const problems = noteProblems(indexes);
    for (const { uri, problem } of problems.slice(0, MOST_SHOWN))
      yield warn("notes", `${uri}: ${problem}`, "correct the file, then run: continuo sync");
    const more = problems.length - MOST_SHOWN;
    if (more > 0) yield warn("notes", `${more} more cannot be read`, "to list all: continuo sync");
  } finally {
    memory.close();
  }
}

function openedToLook({ env, now }: World, home: Home): Memory {
  return openMemory({ home, env, now, settings: memorySettings(home, env), syncMs: 0, readOnly: true });
}

/** Any process that opens a damaged index sets it aside and replaces it by an empty one. */
function isEmptied(home: Home, root: MemoryRoot, indexes: readonly MemoryIndex[]): boolean {
  const path = memoryIndexPath(home, root);
  const index = indexes.find(({ db }) => db.path === path);
  if (index === undefined || !wasSetAside(path)) return false;
  if (index.db.get("SELECT 1 FROM note LIMIT 1") !== undefined) return false;
  return walkNotes(root).next().done !== true;
}

function damaged(world: World): NamedFinding {
  const detail = "their index was damaged, so none is found until it is filled again; the notes are unharmed";
  return fixable("fail", "notes", detail, () => syncNotes(world), "run: continuo sync");
}

/** The index is derived from files: rebuilding it loses nothing that is on disk. */
function syncNotes(world: World): Promise<string> {
  const progress = throttled(world);
  return withMemory({ ...world, home: findHome(world.env), syncMs: 0 }, async (memory) => {
    await memory.sync({
      thoroughly: true,
      onProgress: ({ put, same }) => progress(`${count(put + same, "note")} read`),
    });
    return `indexed ${count(countsOf(memory.indexes()).notes, "note")}`;
  });
}

const WORDS_ALONE = "notes and sessions are found by words alone";

/** Search by meaning in notes and sessions. Reads the whole table, because damage shows only where it is read. */
export function* checkMeaning(world: World, home: Home | undefined): Generator<NamedFinding> {
  const version = tableVersion();
  if (typeof version !== "string") return yield version;
  const table = `the package's table, version ${version}`;
  if (home === undefined) return yield ok("meaning", table);
  const { semantic, semanticModel } = typed(MEMORY_SETTINGS, memorySettings(home, world.env));
  const used = {
    off: "; off for notes (setting semantic)",
    table: "",
    local: "; notes: a larger model in the home folder; hooks use the table",
    endpoint: `; notes: ${semanticModel} at your endpoint; hooks use the table`,
  }[semantic];
  const memory = openedToLook(world, home);
  try {
    yield ok("meaning", table + used);
    const pending = memory.indexes().reduce((sum, { db }) => sum + pendingPassages(db, version), 0);
    const told = `${count(pending, "passage")} of notes not compared by meaning yet`;
    if (pending > 0 && semantic !== "off")
      yield fixable("warn", "meaning", told, () => syncNotes(world), "run: continuo sync");
  } finally {
    memory.close();
  }
}

function tableVersion(): string | NamedFinding {
  try {
    const table = openMeaning();
    try {
      table.verify();
      return table.version;
    } finally {
      table.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return fail("meaning", `${message}: ${WORDS_ALONE}`, hint ?? "install Continuo again");
  }
}
