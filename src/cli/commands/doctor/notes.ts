import { describeError } from "../../../base/errors.ts";
import { openMemory } from "../../../sources/memory/memory.ts";
import { noteProblems } from "../../../sources/memory/note-index/note-problems.ts";
import { memorySettings } from "../../../sources/memory/settings.ts";
import { counted } from "../../terminal/table.ts";
import { countsOf } from "../notes/with-memory.ts";
import { type Check, fail, type NamedFinding, ok, warn } from "./check.ts";

const MOST_SHOWN = 5;

/** How many notes are indexed, and which of them could not be read. Reads no note and creates no index. */
export const checkNotes: Check = ({ env, now }, home) => {
  if (home === undefined) return [];
  try {
    const settings = memorySettings(home, env);
    const memory = openMemory({ home, env, now, settings, syncMs: 0, readOnly: true });
    try {
      const indexes = memory.indexes();
      if (indexes.length === 0) return [ok("notes", "none indexed yet; to index all: continuo sync")];
      const problems = noteProblems(indexes);
      const shown = problems
        .slice(0, MOST_SHOWN)
        .map(({ uri, problem }): NamedFinding => warn("notes", `${uri}: ${problem}`, "fix the file"));
      const more = problems.length - shown.length;
      return [
        ok("notes", `${counted(countsOf(memory).notes, "note")} indexed`),
        ...shown,
        ...(more > 0 ? [warn("notes", `${more} more cannot be read`, "to list all: continuo sync")] : []),
      ];
    } finally {
      memory.close();
    }
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail("notes", message, hint ?? "delete the index: it is rebuilt from files")];
  }
};
