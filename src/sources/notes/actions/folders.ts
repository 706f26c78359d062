import { dirname, join, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { nearest, shellWord } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import { changeSetting } from "../../../moments/actions/change-setting.ts";
import { fields, text } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { walkNotes } from "../files/list-notes.ts";
import { findRoots, type MemoryRoot, type RootKind } from "../files/roots.ts";
import { memorySettings, rootSettings } from "../settings.ts";

const ADDED = { typed: "word", most: 5000 } as const;
export const FOLDER = text("a folder of Markdown files", { ...ADDED, isFolder: true });

const KIND: Readonly<Record<RootKind, string>> = {
  maenifold: "maenifold",
  continuo: "Continuo",
  obsidian: "Obsidian vault",
  "basic-memory": "basic-memory",
  "claude-code": "Claude Code's memory",
  logseq: "Logseq graph",
  plain: "Markdown files",
};

export const listFolders = action({
  name: "memory list",
  about: "list the notes folders",
  examples: [["continuo memory list", "show each folder and how many notes it has"]],
  effect: "reads",
  input: fields({}),
  run(_input, place) {
    const { roots, problems } = rootsFor(place);
    return { roots: roots.map(withCount), problems };
  },
  view({ roots, problems }, { paint, env }) {
    const rows = roots.map((root) => [
      root.name === undefined ? "memory://" : `memory://@${root.name}/`,
      KIND[root.kind],
      String(root.notes),
      root.isWritable ? "read and write" : "read-only",
      shown(root.path, env),
    ]);
    return [
      {
        columns: ["address", "kind", "notes", "access", "folder"],
        rows,
        fit: { flexible: [4, 0], keepEnd: [4], optional: [1, 3] },
      },
      ...problems.map(
        ({ message, hint }) => `${paint("yellow", "Problem:")} ${oneLine(`${message} (${hint})`)}`,
      ),
      {
        next: [
          ["continuo memory add FOLDER", "Also read the notes of another program"],
          ["continuo list", "List your notes"],
        ],
      },
    ];
  },
});

export const addFolder = action({
  name: "memory add",
  about: "read notes from another folder too, without copying them",
  examples: [["continuo memory add ~/Obsidian/work", "find the notes of an Obsidian vault too"]],
  effect: "writes",
  changes: "notes",
  input: fields({ folder: FOLDER }),
  async run({ folder }, place) {
    const path = fullPath(folder, place);
    const also = addedFolders(place);
    if (also.includes(path))
      throw new ContinuoError("folder-known", `${path} is already added`, {
        hint: "list the folders: continuo memory list",
      });
    const { roots, problems } = rootsFor(place, { also: [...also, path] });
    const root = roots.find((one) => one.path === path);
    const problem = problems.find((one) => one.message.startsWith(path));
    if (root === undefined || problem !== undefined)
      throw new ContinuoError(
        "folder-refused",
        problem?.message.replace(/; it is ignored$/, "") ?? `${path} cannot be added`,
        {
          hint: "choose an existing folder of notes outside the other notes folders: continuo memory list",
        },
      );
    refuseTooWide(root, place);
    const config = await setFolders(place, (before) => [...before.filter((one) => one !== path), path]);
    return { added: withCount(root), config };
  },
  view: ({ added: { path, kind, notes, name }, config }, { env }) => [
    exact(`Added: ${shown(path, env)}`),
    exact(`  ${KIND[kind]}, ${count(notes, "note")}; read in place and never changed`),
    exact(`  Addresses: memory://@${name}/…`),
    exact(`  Saved in ${shown(config, env)}`),
    { undo: `continuo memory remove @${name}` },
  ],
});

export const removeFolder = action({
  name: "memory remove",
  about: "stop reading an added folder; its files are kept",
  examples: [["continuo memory remove ~/Obsidian/work", "undo continuo memory add"]],
  effect: "writes",
  changes: "notes",
  input: fields({ folder: text("a folder of Markdown files", ADDED) }),
  async run({ folder }, place) {
    const also = addedFolders(place);
    const named = rootsFor(place).roots.find(({ name }) => name !== undefined && `@${name}` === folder);
    const path = named?.path ?? fullPath(folder, place);
    if (also.every((one) => fullPath(one, place) !== path)) {
      const near = nearest(path, also);
      throw new ContinuoError("folder-unknown", `${path} is not an added folder`, {
        hint: near === undefined ? `added folders: ${also.join(", ") || "none"}` : `did you mean ${near}?`,
      });
    }
    return { removed: path, config: await setFolders(place, without(path, place)) };
  },
  view: ({ removed, config }, { env }) => [
    exact(`Removed: ${shown(removed, env)}`),
    exact("  Its files are kept; they are no longer read."),
    exact(`  Saved in ${shown(config, env)}`),
    { undo: `continuo memory add ${shellWord(removed)}` },
  ],
});

/** Makes a folder the main one: its notes are `memory://…`, and new notes are written there. */
export const useFolder = action({
  name: "memory use",
  about: "make a folder the main one: new notes go there",
  examples: [["continuo memory use ~/notes", "keep new notes in ~/notes"]],
  effect: "writes",
  changes: "notes",
  input: fields({ folder: FOLDER }),
  async run({ folder }, place) {
    const path = fullPath(folder, place);
    const [left] = rootsFor(place).roots;
    const [main] = rootsFor(place, { root: path }).roots;
    if (main === undefined || (main.path !== path && main.path !== join(path, "memory")))
      throw new ContinuoError(
        "folder-refused",
        "MAENIFOLD_ROOT sets the main folder and overrides the setting",
        { hint: "unset it first" },
      );
    refuseTooWide(main, place);
    const config = await setMemory(place, "root", path);
    // The new main folder must not also be in the list of added folders: that would be reported as a problem.
    if (addedFolders(place).some((one) => fullPath(one, place) === main.path))
      await setFolders(place, without(main.path, place));
    const { roots, problems } = rootsFor(place);
    const isRead = left === undefined || roots.some((root) => root.path === left.path);
    return { main: withCount(main), problems, config, left: isRead ? undefined : withCount(left) };
  },
  json: ({ left: _, ...data }) => data,
  view: ({ main, problems, config, left }, { env }) => [
    exact(`The main notes folder is now ${shown(main.path, env)}`),
    exact(`  ${KIND[main.kind]}, ${count(main.notes, "note")}; new notes are written there`),
    exact(`  Saved in ${shown(config, env)}`),
    ...(left === undefined || left.notes === 0
      ? []
      : [
          exact(
            `  No longer read: ${oneLine(left.path)} (${count(left.notes, "note")}); to read it again: continuo memory add ${commandWord(left.path)}`,
          ),
        ]),
    ...problems.map(({ message }) => `Problem: ${oneLine(message)}`),
  ],
});

/** Refuses the root of the disk and the home folder, because every search would have to read all of it. */
function refuseTooWide({ path }: MemoryRoot, { env }: Place): void {
  const home = env["HOME"] || env["USERPROFILE"];
  if (dirname(path) !== path && (!home || path !== resolve(home))) return;
  throw new ContinuoError("folder-refused", `${path} contains far more than notes`, {
    hint: "choose the folder in it that has the notes",
  });
}

/** A shell expands ~ unless it is quoted; nothing expands it in config.json. */
function fullPath(folder: string, { cwd, env }: Place): string {
  return resolve(cwd, folder.replace(/^~(?=$|[/\\])/, env["HOME"] ?? "~"));
}

/** The folders as written in the settings. */
function addedFolders({ home, env }: Place): readonly string[] {
  return rootSettings(memorySettings(home, env)).also ?? [];
}

type ChangeFolders = (before: readonly string[]) => readonly string[];

const without =
  (path: string, place: Place): ChangeFolders =>
  (before) =>
    before.filter((one) => fullPath(one, place) !== path);

/** Others may change the list at the same time. */
function setFolders(place: Place, change: ChangeFolders): Promise<string> {
  return setMemory(place, "also", () => {
    const folders = change(addedFolders(place));
    return folders.length === 0 ? undefined : folders;
  });
}

function setMemory(place: Place, name: "root" | "also", value: unknown): Promise<string> {
  return changeSetting(place, ["sources", "memory", name], value);
}

/** As users write it, on one line. */
function shown(path: string, env: NodeJS.ProcessEnv): string {
  return oneLine(shortPath(path, env));
}

/** The folders that are read with these settings, and what is wrong with them. */
function rootsFor({ home, env }: Place, changed: Partial<ReturnType<typeof rootSettings>> = {}) {
  return findRoots({ ...rootSettings(memorySettings(home, env)), ...changed }, home, env);
}

function withCount(root: MemoryRoot) {
  let notes = 0;
  for (const _ of walkNotes(root)) notes += 1;
  return { ...root, notes };
}
