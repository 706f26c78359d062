import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { walkNotes } from "../../../sources/memory/notes/list-notes.ts";
import { findRoots, type MemoryRoot } from "../../../sources/memory/notes/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/memory/settings.ts";
import { findHome, userHome } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import type { World } from "../../command.ts";

/** A folder with notes. */
export interface NoteFolder {
  readonly path: string;
  readonly notes: number;
  /** There are more than were counted. */
  readonly isMore: boolean;
}

export interface FoundNotes {
  /** The folders that Continuo reads. */
  readonly read: readonly NoteFolder[];
  /** Obsidian vaults that it does not read yet. */
  readonly vaults: readonly NoteFolder[];
}

/** Counting is only for a number on a screen: a vault on a slow disk must not hold up the start. */
const MOST_NOTES = 20_000;
const COUNT_MS = 1_000;
const MOST_VAULTS = 8;

export function findNotes({ env, now }: Pick<World, "env" | "now">): FoundNotes {
  const home = findHome(env);
  const { roots } = findRoots(rootSettings(memorySettings(home, env)), home, env);
  const known = new Set(roots.map(({ path }) => path));
  const vaults = obsidianVaults(env).filter((path) => !known.has(path));
  return {
    read: roots.map((root) => counted(root, now)).filter(({ notes }) => notes > 0),
    vaults: vaults.map((path) => counted({ path, kind: "obsidian", isWritable: false }, now)),
  };
}

function counted(root: MemoryRoot, now: () => number): NoteFolder {
  const until = now() + COUNT_MS;
  let notes = 0;
  for (const _ of walkNotes(root)) {
    if (notes >= MOST_NOTES || now() > until) return { path: root.path, notes, isMore: true };
    notes += 1;
  }
  return { path: root.path, notes, isMore: false };
}

/** The vaults that Obsidian knows, by its own list: folders that exist. */
export function obsidianVaults(env: NodeJS.ProcessEnv): string[] {
  const paths = listFiles(env).flatMap((file) => {
    try {
      const text = readTextIfAny(file, { maxBytes: 1024 * 1024 });
      const list = text === undefined ? undefined : parseBounded(text);
      const vaults = isRecord(list) && isRecord(list["vaults"]) ? Object.values(list["vaults"]) : [];
      return vaults.flatMap((one) => (isRecord(one) && typeof one["path"] === "string" ? [one["path"]] : []));
    } catch {
      return []; // not readable: nothing is found
    }
  });
  return [...new Set(paths)].filter(isFolder).slice(0, MOST_VAULTS);
}

function listFiles(env: NodeJS.ProcessEnv): string[] {
  const home = userHome(env);
  const config = env["XDG_CONFIG_HOME"];
  return [
    config && isAbsolute(config) ? config : join(home, ".config"),
    join(home, "Library", "Application Support"),
    env["APPDATA"] || join(home, "AppData", "Roaming"),
    join(home, ".var", "app", "md.obsidian.Obsidian", "config"),
  ].map((folder) => join(folder, "obsidian", "obsidian.json"));
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false; // a vault that was moved, or a disk that is not there
  }
}
