import { dirname, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { walkNotes } from "../../../sources/memory/notes/list-notes.ts";
import { findRoots, type MemoryRoot, type RootKind } from "../../../sources/memory/notes/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/memory/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input } from "../../command.ts";

// What the commands about memory folders know of them: the settings, and the folders that these name.

/** Refuses the root of the disk and the home folder: every search would walk through all of it. */
export function refuseTooWide({ path }: MemoryRoot, { env }: Input): void {
  const home = env["HOME"] || env["USERPROFILE"];
  if (dirname(path) !== path && (!home || path !== resolve(home))) return;
  throw new ContinuoError("folder-refused", `${path} contains far more than notes`, {
    hint: "choose the folder in it that has the notes",
  });
}

export const KIND: Readonly<Record<RootKind, string>> = {
  maenifold: "maenifold",
  continuo: "Continuo",
  obsidian: "Obsidian vault",
  "basic-memory": "basic-memory",
  "claude-code": "Claude Code's memory",
  logseq: "Logseq graph",
  plain: "Markdown files",
};

export function folderOf(input: Input, action: string): string {
  const [, folder, ...rest] = input.positionals;
  if (folder === undefined || rest.length > 0)
    throw new ContinuoError("usage", folder === undefined ? "FOLDER is missing" : "too many arguments", {
      hint: `usage: continuo memory ${action} FOLDER`,
    });
  return fullPath(folder, input);
}

/** A shell expands ~ unless it is quoted; in config.json nothing does. */
export function fullPath(folder: string, { cwd, env }: Input): string {
  return resolve(cwd, folder.replace(/^~(?=$|[/\\])/, env["HOME"] ?? "~"));
}

/** As the settings name them. */
export function addedFolders(input: Input): readonly string[] {
  return rootSettings(memorySettings(findHome(input.env), input.env)).also ?? [];
}

/** As people write it, on one line. */
export function shown({ env }: Input, path: string): string {
  return oneLine(shortPath(path, env));
}

type Settings = ReturnType<typeof rootSettings>;

/** The folders that are read with these settings, and what is wrong with them. */
export function rootsFor(input: Input, change: (settings: Settings) => Settings) {
  const home = findHome(input.env);
  return findRoots(change(rootSettings(memorySettings(home, input.env))), home, input.env);
}

export function countOf(root: MemoryRoot): number {
  let count = 0;
  for (const _ of walkNotes(root)) count += 1;
  return count;
}
