import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import { openMeaning } from "../../../search/meaning/embed.ts";
import { pendingPassages } from "../../../search/vectors/store.ts";
import { openMemory } from "../../../sources/memory/memory.ts";
import { MEMORY_SETTINGS, memorySettings } from "../../../sources/memory/settings.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, fixable, type NamedFinding, ok } from "./check.ts";
import { syncNotes } from "./fix-index.ts";

const WORDS_ALONE = "notes and sessions are found by words alone";

/** What finds notes and sessions by meaning. Reads the whole table, because damage shows only where it is read. */
export const checkMeaning: Check = (world, home) => {
  const { env, now } = world;
  const version = tableVersion();
  if (typeof version !== "string") return [version];
  const table = `the package's table, version ${version}`;
  if (home === undefined) return [ok("meaning", table)];
  const settings = memorySettings(home, env);
  const { semantic, semanticModel } = typed(MEMORY_SETTINGS, settings);
  const used = {
    off: "off for notes (setting semantic)",
    table: "",
    local: "notes: a larger model in the home folder; hooks use the table",
    endpoint: `notes: ${semanticModel} at your endpoint; hooks use the table`,
  }[semantic];
  const memory = openMemory({ home, env, now, settings, syncMs: 0, readOnly: true });
  try {
    const pending = memory.indexes().reduce((sum, { db }) => sum + pendingPassages(db, version), 0);
    const inUse = ok("meaning", [table, used].filter((text) => text !== "").join("; "));
    if (pending === 0 || semantic === "off") return [inUse];
    const told = `${counted(pending, "passage")} of notes not compared by meaning yet`;
    return [inUse, fixable("warn", "meaning", told, () => syncNotes(world), "run: continuo sync")];
  } finally {
    memory.close();
  }
};

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
