import { describeError } from "../../../base/errors.ts";
import { openMemory } from "../../../sources/memory/memory.ts";
import { type MemoryIndex, memoryIndexPath } from "../../../sources/memory/note-index/memory-index.ts";
import { countsOf, noteProblems } from "../../../sources/memory/note-index/note-problems.ts";
import type { MemoryRoot } from "../../../sources/memory/notes/roots.ts";
import { memorySettings } from "../../../sources/memory/settings.ts";
import { wasSetAside } from "../../../store/derived-index/damage.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, fixable, type NamedFinding, ok, warn } from "./check.ts";
import { foldersBelow, namesIn } from "./entries.ts";
import { syncNotes } from "./fix-index.ts";

const MOST_SHOWN = 5;

/** How many notes are indexed, and which of them could not be read. Reads no note and creates no index. */
export const checkNotes: Check = (world, home) => {
  if (home === undefined) return [];
  const { env, now } = world;
  try {
    const settings = memorySettings(home, env);
    const memory = openMemory({ home, env, now, settings, syncMs: 0, readOnly: true });
    try {
      const indexes = memory.indexes();
      if (indexes.length === 0) return [ok("notes", "none indexed yet; to index all: continuo sync")];
      const problems = noteProblems(indexes);
      const shown = problems
        .slice(0, MOST_SHOWN)
        .map(
          ({ uri, problem }): NamedFinding =>
            warn("notes", `${uri}: ${problem}`, "correct the file, then run: continuo sync"),
        );
      const more = problems.length - shown.length;
      return [
        memory.roots.some((root) => isEmptied(home, root, indexes))
          ? damaged(world)
          : indexed(countsOf(memory.indexes()).notes),
        ...shown,
        ...(more > 0 ? [warn("notes", `${more} more cannot be read`, "to list all: continuo sync")] : []),
      ];
    } finally {
      memory.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [
      fail("notes", message, hint ?? "the index is made again from your notes: continuo sync --rebuild"),
    ];
  }
};

function indexed(notes: number): NamedFinding {
  return ok("notes", `${counted(notes, "note")} indexed`, { notes });
}

/** A damaged index is set aside when it is opened, by any process, and an empty one takes its place. */
function isEmptied(home: Home, root: MemoryRoot, indexes: readonly MemoryIndex[]): boolean {
  const path = memoryIndexPath(home, root);
  const index = indexes.find(({ db }) => db.path === path);
  if (index === undefined || !wasSetAside(path)) return false;
  if (index.db.get("SELECT 1 FROM note LIMIT 1") !== undefined) return false;
  return foldersBelow(root.path, 2).some((folder) => namesIn(folder).some((name) => name.endsWith(".md")));
}

function damaged(world: World): NamedFinding {
  const detail = "their index was damaged, so none is found until it is filled again; the notes are unharmed";
  return fixable("fail", "notes", detail, () => syncNotes(world), "run: continuo sync");
}
