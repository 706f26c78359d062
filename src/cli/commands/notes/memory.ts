import { dirname, join, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/settings.ts";
import type { MemoryRoot, RootKind } from "../../../sources/memory/notes/root.ts";
import { findRoots } from "../../../sources/memory/notes/roots.ts";
import { walkNotes } from "../../../sources/memory/notes/walk.ts";
import { memorySettings, rootSettings } from "../../../sources/memory/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Command, Input, Outcome } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { table } from "../../terminal/table.ts";
import { changeConfig } from "./change-config.ts";
import { exportNotes } from "./export.ts";

const ACTIONS: Actions = { list, add, remove, use, export: exportNotes };

export const memoryCommand: Command = {
  name: "memory",
  summary: "which folders are memory: show, add, remove, choose the main one, export",
  usage: "memory list|add|remove|use|export [FOLDER]",
  group: "notes",
  options: { all: { type: "boolean", help: "export: the folders that are only read as well" } },
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("memory", ACTIONS, input, "list")(input),
};

/** The folders that are memory, as the settings have them. */
export function list(input: Input): Outcome {
  const { roots, problems } = found(input, (settings) => settings);
  const rows = roots.map((root) => [
    root.name === undefined ? "memory://" : `memory://@${root.name}/`,
    WHOSE[root.kind],
    String(countOf(root)),
    root.isWritable ? "read and written" : "only read",
    root.path,
  ]);
  return {
    data: { roots: roots.map((root) => ({ ...root, notes: countOf(root) })), problems },
    text: [
      table(["addresses", "kind", "notes", "", "folder"], rows),
      ...problems.map(({ message, hint }) => `Trouble: ${message} (${hint})`),
    ].join("\n"),
  };
}

/** Reads another program's folder as well, in place. */
export function add(input: Input): Outcome {
  const path = folderOf(input, "add");
  const { also } = settingsOf(input);
  if (also.includes(path))
    throw new ContinuoError("folder-known", `${path} is read already`, { hint: "continuo memory list" });
  const { roots, problems } = found(input, (settings) => ({ ...settings, also: [...also, path] }));
  const root = roots.find((one) => one.path === path);
  const problem = problems.find((one) => one.message.startsWith(path));
  if (root === undefined || problem !== undefined)
    throw new ContinuoError(
      "folder-refused",
      problem?.message.replace(/; it is left out$/, "") ?? `${path} cannot be added`,
      {
        hint: "name a folder of notes that exists and lies outside the others: continuo memory list",
      },
    );
  refuseTooWide(root, input);
  const file = changeConfig(input, ["sources", "memory", "also"], [...also, path]);
  const notes = countOf(root);
  return {
    data: { added: { ...root, notes }, config: file },
    text: [
      `Added: ${oneLine(path)}`,
      `  ${WHOSE[root.kind]}, ${notes} ${notes === 1 ? "note" : "notes"}; it is read in place and never changed`,
      `  addresses: memory://@${root.name}/…`,
      `  in ${file}`,
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
    throw new ContinuoError("folder-unknown", `${path} is none of the folders that are read besides`, {
      hint: near === undefined ? `they are: ${also.join(", ") || "none"}` : `did you mean ${near}?`,
    });
  }
  const file = changeConfig(input, ["sources", "memory", "also"], rest.length === 0 ? undefined : rest);
  return {
    data: { removed: path, config: file },
    text: `Removed: ${oneLine(path)}\n  Nothing in it was touched; it is only no longer read.\n  in ${file}`,
  };
}

/** Makes a folder the main one: its notes are `memory://…`, and new ones are written there. */
export function use(input: Input): Outcome {
  const path = folderOf(input, "use");
  const [left] = found(input, (settings) => settings).roots;
  const [main] = found(input, (settings) => ({ ...settings, root: path })).roots;
  if (main === undefined || (main.path !== path && main.path !== join(path, "memory")))
    throw new ContinuoError(
      "folder-refused",
      "MAENIFOLD_ROOT names the main folder, and wins over the setting",
      {
        hint: "unset it first",
      },
    );
  refuseTooWide(main, input);
  const file = changeConfig(input, ["sources", "memory", "root"], path);
  // A folder that was read besides would be left out with a remark, now that it is the main one.
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
      `  ${WHOSE[main.kind]}, ${notes} ${notes === 1 ? "note" : "notes"}; new notes are written there`,
      `  in ${file}`,
      ...(unread === 0
        ? []
        : [
            `  No longer read: ${oneLine(`${left?.path} (${unread} notes); continuo memory add "${left?.path}" reads it again`)}`,
          ]),
      ...problems.map(({ message }) => `Trouble: ${message}`),
    ].join("\n"),
  };
}

/** The whole disk and a person's home hold everything but notes: every question would walk through all of it. */
function refuseTooWide({ path }: MemoryRoot, { env }: Input): void {
  const home = env["HOME"] || env["USERPROFILE"];
  if (dirname(path) !== path && (!home || path !== resolve(home))) return;
  throw new ContinuoError("folder-refused", `${path} holds far more than notes`, {
    hint: "name the folder in it that the notes are in",
  });
}

const WHOSE: Readonly<Record<RootKind, string>> = {
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
    throw new ContinuoError("usage", folder === undefined ? "which folder?" : "there are too many words", {
      hint: `usage: continuo memory ${action} FOLDER`,
    });
  return fullPath(folder, input);
}

/** A shell expands ~ itself, unless it stands in quotes; in config.json nobody does. */
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
