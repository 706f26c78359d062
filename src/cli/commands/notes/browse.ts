import { oneLine } from "../../../base/for-terminal.ts";
import { parseTimespan } from "../../../search/timespan.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";
import type { Command } from "../../command.ts";
import { choiceOption, exactly, subject, textOption, wholeOption } from "../../terminal/options.ts";
import { table } from "../../terminal/table.ts";
import { assertReadable } from "./content.ts";
import { FILTER_OPTIONS, filterOf } from "./search.ts";
import { countsOf, lookFirst, NO_NOTES, withMemory } from "./with-memory.ts";

const READ_USAGE = "read NOTE";

export const readCommand: Command = {
  name: "read",
  summary: "print a note, named by its address, path or title",
  usage: READ_USAGE,
  group: "notes",
  options: { info: { type: "boolean", help: "address, times, tags, concepts and checksum before the text" } },
  run(input) {
    const identifier = subject(input, "note", READ_USAGE);
    return withMemory(input, async (memory) => {
      const note = assertReadable(await memory.read(identifier));
      for (const problem of note.problems) input.tell?.(`continuo: ${note.uri}: ${problem}`);
      const head = input.values["info"] === true ? `${info(note).join("\n")}\n\n` : "";
      return { data: noteToJson(note), text: head + note.body };
    });
  },
};

function noteToJson({ body, created, modified, ...note }: Note) {
  return {
    ...note,
    created: created === undefined ? null : new Date(created).toISOString(),
    modified: new Date(modified).toISOString(),
    content: body,
  };
}

function info(note: Note): string[] {
  const { created, modified } = noteToJson(note);
  const rows: readonly [string, string][] = [
    ["note", note.uri],
    ["title", note.title],
    ["file", note.path],
    ["created", created ?? "unknown"],
    ["modified", modified],
    ["tags", note.tags.join(", ")],
    ["concepts", note.concepts.join(", ")],
    ["checksum", note.checksum],
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(10)}${oneLine(value)}`.trimEnd());
}

export const listCommand: Command = {
  name: "list",
  summary: "the folders and notes of a folder",
  usage: "list [FOLDER]",
  group: "notes",
  options: {},
  run(input) {
    const folder = input.positionals.join(" ");
    return withMemory(input, (memory) => {
      const { folders, notes } = memory.list(folder);
      const also =
        folder === "" ? memory.roots.flatMap(({ name }) => (name === undefined ? [] : [`@${name}`])) : [];
      const data = {
        folder,
        folders,
        also,
        notes: notes.map(({ modified, ...note }) => ({
          ...note,
          modified: new Date(modified).toISOString(),
        })),
      };
      const rows = [
        ...also.map((name) => [`${name}/`, "another memory folder"]),
        ...folders.map(({ name, notes }) => [
          `${oneLine(name)}/`,
          `${notes} ${notes === 1 ? "note" : "notes"}`,
        ]),
        ...data.notes.map(({ uri, modified }) => [oneLine(uri), modified.slice(0, 16).replace("T", " ")]),
      ];
      const none = folder === "" ? NO_NOTES : "There is nothing in it.";
      return { data, text: rows.length === 0 ? none : table([folder || "memory", ""], rows) };
    });
  },
};

const RECENT_USAGE = "recent";
const KINDS = ["all", "memory", "thinking", "assumptions"] as const;

export const recentCommand: Command = {
  name: "recent",
  summary: "the notes that changed last",
  usage: RECENT_USAGE,
  group: "notes",
  options: {
    ...FILTER_OPTIONS,
    timespan: { type: "string", value: "SPAN", help: "as --since, also in .NET's form: 1.00:00:00" },
    kind: {
      type: "string",
      value: "KIND",
      choices: KINDS,
      help: "all (as without it), memory, thinking or assumptions",
    },
    limit: { type: "string", value: "N", help: "10 without it" },
  },
  run(input) {
    exactly(input, 0, RECENT_USAGE);
    const limit = wholeOption(input, "limit", 1, 10_000) ?? 10;
    const kind = choiceOption(input, "kind", KINDS) ?? "all";
    const timespan = textOption(input, "timespan");
    if (timespan !== undefined) parseTimespan(timespan);
    const filter = filterOf(input);
    return withMemory(input, async (memory) => {
      await lookFirst(input, memory);
      const notes = await memory.recent({
        limit,
        kind,
        ...filter,
        ...(timespan === undefined ? {} : { timespan }),
      });
      const items = notes.map(({ uri, title, path, modified, tags, concepts }) => ({
        uri,
        title,
        path,
        modified: new Date(modified).toISOString(),
        tags,
        concepts,
      }));
      const rows = items.map(({ modified, title, uri }) => [
        modified.slice(0, 16).replace("T", " "),
        uri,
        oneLine(title),
      ]);
      const none = countsOf(memory).notes === 0 ? NO_NOTES : "No note changed in that time.";
      return {
        data: { items },
        text: rows.length === 0 ? none : table(["changed (UTC)", "note", "title"], rows),
      };
    });
  },
};
