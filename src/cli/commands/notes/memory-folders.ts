import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { nearest, shellWord } from "../../../base/text.ts";
import { changeConfig } from "../../change-config.ts";
import type { Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, table } from "../../terminal/table.ts";
import {
  addedFolders,
  countOf,
  folderOf,
  fullPath,
  KIND,
  refuseTooWide,
  rootsFor,
  shown,
} from "./memory-roots.ts";
import { undoLine } from "./undo-line.ts";

/** The memory folders of the settings. */
export function list(input: Input): Outcome {
  const { roots, problems } = rootsFor(input, (settings) => settings);
  const rows = roots.map((root) => [
    root.name === undefined ? "memory://" : `memory://@${root.name}/`,
    KIND[root.kind],
    String(countOf(root)),
    root.isWritable ? "read and write" : "read-only",
    shown(input, root.path),
  ]);
  const screen = input.screen ?? PLAIN;
  const paint = paintFor(screen);
  return {
    data: { roots: roots.map((root) => ({ ...root, notes: countOf(root) })), problems },
    text: [
      table(["address", "kind", "notes", "access", "folder"], rows, screen, {
        flexible: [4, 0],
        keepEnd: [4],
        optional: [1, 3],
      }),
      ...problems.map(
        ({ message, hint }) => `${paint("yellow", "Problem:")} ${oneLine(`${message} (${hint})`)}`,
      ),
      ...nextSteps(
        screen,
        ["continuo memory add FOLDER", "Also read the notes of another program"],
        ["continuo list", "List your notes"],
      ),
    ].join("\n"),
  };
}

/** Also reads the folder of another program, in place. */
export function add(input: Input): Outcome {
  const path = folderOf(input, "add");
  const also = addedFolders(input);
  if (also.includes(path))
    throw new ContinuoError("folder-known", `${path} is already added`, {
      hint: "list the folders: continuo memory list",
    });
  const { roots, problems } = rootsFor(input, (settings) => ({ ...settings, also: [...also, path] }));
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
  refuseTooWide(root, input);
  const file = changeConfig(input, ["sources", "memory", "also"], [...also, path]);
  const notes = countOf(root);
  return {
    data: { added: { ...root, notes }, config: file },
    text: [
      `Added: ${shown(input, path)}`,
      `  ${KIND[root.kind]}, ${counted(notes, "note")}; read in place and never changed`,
      `  Addresses: memory://@${root.name}/…`,
      `  Saved in ${shown(input, file)}`,
      undoLine(input, `continuo memory remove @${root.name}`),
    ].join("\n"),
  };
}

export function remove(input: Input): Outcome {
  const given = input.positionals[1] ?? "";
  const also = addedFolders(input);
  const { roots } = rootsFor(input, (settings) => settings);
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
    text: [
      `Removed: ${shown(input, path)}`,
      "  Its files are kept; they are no longer read.",
      `  Saved in ${shown(input, file)}`,
      undoLine(input, `continuo memory add ${shellWord(path)}`),
    ].join("\n"),
  };
}

/** Makes a folder the main one: its notes are `memory://…`, and new notes are written there. */
export function use(input: Input): Outcome {
  const path = folderOf(input, "use");
  const [left] = rootsFor(input, (settings) => settings).roots;
  const [main] = rootsFor(input, (settings) => ({ ...settings, root: path })).roots;
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
  const also = addedFolders(input);
  const rest = also.filter((one) => fullPath(one, input) !== main.path);
  if (rest.length < also.length)
    changeConfig(input, ["sources", "memory", "also"], rest.length === 0 ? undefined : rest);
  const { roots, problems } = rootsFor(input, (settings) => settings);
  const notes = countOf(main);
  const isRead = left === undefined || roots.some((root) => root.path === left.path);
  const unread = isRead ? 0 : countOf(left);
  return {
    data: { main: { ...main, notes }, problems, config: file },
    text: [
      `The main notes folder is now ${shown(input, main.path)}`,
      `  ${KIND[main.kind]}, ${counted(notes, "note")}; new notes are written there`,
      `  Saved in ${shown(input, file)}`,
      ...(unread === 0
        ? []
        : [
            `  No longer read: ${oneLine(left?.path ?? "")} (${counted(unread, "note")}); to read it again: continuo memory add ${commandWord(left?.path ?? "")}`,
          ]),
      ...problems.map(({ message }) => `Problem: ${oneLine(message)}`),
    ].join("\n"),
  };
}
