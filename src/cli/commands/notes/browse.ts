import { oneLine } from "../../../base/for-terminal.ts";
import { parseTimespan } from "../../../search/timespan.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";
import { propertyLines } from "../../../sources/memory/notes/properties.ts";
import type { Command } from "../../command.ts";
import { choiceOption, exactly, subject, textOption, wholeOption } from "../../terminal/options.ts";
import { counted, table } from "../../terminal/table.ts";
import { assertReadable } from "./content.ts";
import { FILTER_OPTIONS, noteFilterOf } from "./search.ts";
import { hasNotes, NO_NOTES, syncFirst, withMemory } from "./with-memory.ts";

const READ_USAGE = "read NOTE";

export const readCommand: Command = {
  name: "read",
  summary: "print a note, by address, path or title",
  usage: READ_USAGE,
  group: "notes",
  options: { info: { type: "boolean", help: "print address, times, tags, concepts and checksum first" } },
  run(input) {
    const identifier = subject(input, "NOTE", READ_USAGE);
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
    ["aliases", note.aliases.join(", ")],
    ["properties", propertyLines(note.properties).join("; ")],
    ["tags", note.tags.join(", ")],
    ["concepts", note.concepts.join(", ")],
    ["checksum", note.checksum],
  ];
  const optional = new Set(["aliases", "properties"]);
  return rows
    .filter(([name, value]) => value !== "" || !optional.has(name))
    .map(([name, value]) => `${`${name}:`.padEnd(12)}${oneLine(value)}`.trimEnd());
}

export const listCommand: Command = {
  name: "list",
  summary: "list the folders and notes in a folder",
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
        ...folders.map(({ name, notes }) => [`${oneLine(name)}/`, counted(notes, "note")]),
        ...data.notes.map(({ uri, modified }) => [oneLine(uri), modified.slice(0, 16).replace("T", " ")]),
      ];
      const none = folder === "" ? NO_NOTES : "This folder is empty.";
      return { data, text: rows.length === 0 ? none : table([folder || "memory", ""], rows) };
    });
  },
};

const RECENT_USAGE = "recent";
const KINDS = ["all", "memory", "thinking", "assumptions"] as const;

export const recentCommand: Command = {
  name: "recent",
  summary: "list recently changed notes",
  usage: RECENT_USAGE,
  group: "notes",
  options: {
    ...FILTER_OPTIONS,
    timespan: { type: "string", value: "SPAN", help: "like --since, or as a .NET TimeSpan: 1.00:00:00" },
    kind: {
      type: "string",
      value: "KIND",
      choices: KINDS,
      help: "all (default), memory, thinking or assumptions",
    },
    limit: { type: "string", value: "N", help: "how many (default: 10)" },
  },
  run(input) {
    exactly(input, 0, RECENT_USAGE);
    const limit = wholeOption(input, "limit", 1, 10_000) ?? 10;
    const kind = choiceOption(input, "kind", KINDS) ?? "all";
    const timespan = textOption(input, "timespan");
    if (timespan !== undefined) parseTimespan(timespan);
    const filter = noteFilterOf(input);
    return withMemory(input, async (memory) => {
      await syncFirst(input, memory);
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
      const none = hasNotes(memory) ? "No notes changed in that time." : NO_NOTES;
      return {
        data: { items },
        text: rows.length === 0 ? none : table(["changed (UTC)", "note", "title"], rows),
      };
    });
  },
};
