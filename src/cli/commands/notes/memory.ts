import { dirname, join, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { walkNotes } from "../../../sources/memory/notes/list-notes.ts";
import { findRoots, type MemoryRoot, type RootKind } from "../../../sources/memory/notes/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/memory/settings.ts";
import { findHome } from "../../../store/home.ts";
import { changeConfig } from "../../change-config.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { counted, table } from "../../terminal/table.ts";
import { exportNotes } from "./export.ts";

const ACTIONS: Actions = { list, add, remove, use, export: exportNotes };

export const memoryCommand: Command = {
  name: "memory",
  summary: "manage the memory folders",
  usage: "memory list|add|remove|use|export [FOLDER]",
  group: "notes",
  options: { all: { type: "boolean", help: "export: include the read-only folders" } },
  words: Object.keys(ACTIONS),
  uses: [
    ["list", "list the memory folders (default)"],
    ["add FOLDER", "also read the notes of another program, in place"],
    ["remove FOLDER", "stop reading an added folder; its files are kept"],
    ["use FOLDER", "make a folder the main one; new notes are written there"],
    ["export FOLDER", "copy the notes to a folder"],
  ],
  run: (input) => chooseAction("memory", ACTIONS, input, "list")(input),
};

/** The memory folders of the settings. */
export function list(input: Input): Outcome {
  const { roots, problems } = found(input, (settings) => settings);
  const rows = roots.map((root) => [
    root.name === undefined ? "memory://" : `memory://@${root.name}/`,
    KIND[root.kind],
    String(countOf(root)),
    root.isWritable ? "read and write" : "read-only",
    root.path,
  ]);
  return {
    data: { roots: roots.map((root) => ({ ...root, notes: countOf(root) })), problems },
    text: [
      table(["address", "kind", "notes", "access", "folder"], rows),
      ...problems.map(({ message, hint }) => `Problem: ${message} (${hint})`),
    ].join("\n"),
  };
}

/** Also reads the folder of another program, in place. */
export function add(input: Input): Outcome {
  const path = folderOf(input, "add");
  const { also } = settingsOf(input);
  if (also.includes(path))
    throw new ContinuoError("folder-known", `${path} is already added`, {
      hint: "list the folders: continuo memory list",
    });
  const { roots, problems } = found(input, (settings) => ({ ...settings, also: [...also, path] }));
  const root = roots.find((one) => one.path === path);
  const problem = problems.find((one) => one.message.startsWith(path));
  if (root === undefined || problem !== undefined)
    throw new ContinuoError(
      "folder-refused",
      problem?.message.replace(/; it is ignored$/, "") ?? `${path} cannot be added`,
      {
        hint: "choose an existing folder of notes outside the other memory folders: continuo memory list",
      },
    );
  refuseTooWide(root, input);
  const file = changeConfig(input, ["sources", "memory", "also"], [...also, path]);
  const notes = countOf(root);
  return {
    data: { added: { ...root, notes }, config: file },
    text: [
      `Added: ${oneLine(path)}`,
      `  ${KIND[root.kind]}, ${counted(notes, "note")}; read in place and never changed`,
      `  Addresses: memory://@${root.name}/…`,
      `  Saved in ${file}`,
    ].join("\n"),
  };
}

export function remove(input: Input): Outcome {
  const given = input.positionals[1] ?? "";
  const { also } = settingsOf(input);
  const { roots } = found(input, (settings) => settings);
  const named = roots.find(({ name }) => name !== undefined && `@${name}` === given)?.path;
  const path = named ?? folderOf(input, "remove");
  const rest = also.filter((one) => fullPath(one, input) !== path);
  if (rest.length === also.length) {
    const near = nearest(path, also);
    throw new ContinuoError("folder-unknown", `${path} is not an added folder`, {
      hint: near === undefined ? `added folders: ${also.join(", ") || "none"}` : `did you mean ${near}?`,
    });
  }
  const file = changeConfig(input, ["sources", "memory", "also"], rest.length === 0 ? undefined : rest);
  return {
    data: { removed: path, config: file },
    text: `Removed: ${oneLine(path)}\n  Its files are kept; they are no longer read.\n  Saved in ${file}`,
  };
}

/** Makes a folder the main one: its notes are `memory://…`, and new notes are written there. */
export function use(input: Input): Outcome {
  const path = folderOf(input, "use");
  const [left] = found(input, (settings) => settings).roots;
  const [main] = found(input, (settings) => ({ ...settings, root: path })).roots;
  if (main === undefined || (main.path !== path && main.path !== join(path, "memory")))
    throw new ContinuoError(
      "folder-refused",
      "MAENIFOLD_ROOT sets the main folder and overrides the setting",
      {
        hint: "unset it first",
      },
    );
  refuseTooWide(main, input);
  const file = changeConfig(input, ["sources", "memory", "root"], path);
  // The new main folder must not also be in the list of added folders: that would be reported as a problem.
  const { also } = settingsOf(input);
  const rest = also.filter((one) => fullPath(one, input) !== main.path);
  if (rest.length < also.length)
    changeConfig(input, ["sources", "memory", "also"], rest.length === 0 ? undefined : rest);
  const { roots, problems } = found(input, (settings) => settings);
  const notes = countOf(main);
  const isRead = left === undefined || roots.some((root) => root.path === left.path);
  const unread = isRead ? 0 : countOf(left);
  return {
    data: { main: { ...main, notes }, problems, config: file },
    text: [
      `The main memory folder is now ${oneLine(main.path)}`,
      `  ${KIND[main.kind]}, ${counted(notes, "note")}; new notes are written there`,
      `  Saved in ${file}`,
      ...(unread === 0
        ? []
        : [
            `  No longer read: ${oneLine(`${left?.path} (${counted(unread, "note")}); to read it again: continuo memory add "${left?.path}"`)}`,
          ]),
      ...problems.map(({ message }) => `Problem: ${message}`),
    ].join("\n"),
  };
}

/** Refuses the root of the disk and the home folder: every search would walk through all of it. */
function refuseTooWide({ path }: MemoryRoot, { env }: Input): void {
  const home = env["HOME"] || env["USERPROFILE"];
  if (dirname(path) !== path && (!home || path !== resolve(home))) return;
  throw new ContinuoError("folder-refused", `${path} contains far more than notes`, {
    hint: "choose the folder in it that has the notes",
  });
}

const KIND: Readonly<Record<RootKind, string>> = {
  maenifold: "maenifold",
  continuo: "Continuo",
  obsidian: "Obsidian vault",
  "basic-memory": "basic-memory",
  "claude-code": "Claude Code's memory",
  logseq: "Logseq graph",
  plain: "Markdown files",
};

function folderOf(input: Input, action: string): string {
  const [, folder, ...rest] = input.positionals;
  if (folder === undefined || rest.length > 0)
    throw new ContinuoError("usage", folder === undefined ? "FOLDER is missing" : "too many arguments", {
      hint: `usage: continuo memory ${action} FOLDER`,
    });
  return fullPath(folder, input);
}

/** A shell expands ~ unless it is quoted; in config.json nothing does. */
function fullPath(folder: string, { cwd, env }: Input): string {
  return resolve(cwd, folder.replace(/^~(?=$|[/\\])/, env["HOME"] ?? "~"));
}

function settingsOf(input: Input): { readonly also: readonly string[] } {
  return { also: rootSettings(memorySettings(findHome(input.env), input.env)).also ?? [] };
}

type Settings = ReturnType<typeof rootSettings>;

function found(input: Input, change: (settings: Settings) => Settings) {
  const home = findHome(input.env);
  return findRoots(change(rootSettings(memorySettings(home, input.env))), home, input.env);
}

function countOf(root: MemoryRoot): number {
  let count = 0;
  for (const _ of walkNotes(root)) count += 1;
  return count;
}
