import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import { ago, localTime } from "../../../base/when.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { sinceTimespan } from "../../../search/timespan.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";
import { propertyLines } from "../../../sources/memory/notes/properties.ts";
import type { Command, Input } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { choiceOption, exactly, subject, textOption, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted, padTo, table } from "../../terminal/table.ts";
import { wrapMarkdown, wrapOn } from "../../terminal/wrap.ts";
import { assertReadable } from "./content.ts";
import { FILTER_OPTIONS, noteFilterOf } from "./search.ts";
import { hasNotes, NO_NOTES, syncFirst, withMemory } from "./with-memory.ts";

const READ_USAGE = "read NOTE";

export const readCommand: Command = {
  name: "read",
  summary: "print a note, by address, path or title",
  usage: READ_USAGE,
  section: "notes",
  options: { info: { type: "boolean", help: "print address, times, tags, concepts and checksum first" } },
  arguments: { NOTE: { help: "a note by its address, path or title" } },
  examples: [
    ['continuo read "Prices"', "print a note"],
    ["continuo read memory://pricing/rules --info", "print it with its tags and times"],
  ],
  run(input) {
    const identifier = subject(input, "NOTE", READ_USAGE);
    return withMemory(input, async (memory) => {
      const note = assertReadable(await memory.read(identifier));
      for (const problem of note.problems) input.tell?.(`continuo: ${note.uri}: ${problem}`);
      const head = input.values["info"] === true ? `${info(input, note).join("\n")}\n\n` : "";
      const screen = input.screen ?? PLAIN;
      const steps = nextSteps(screen, [`continuo open ${shellWord(note.uri)}`, "Edit it"]);
      return {
        data: noteToJson(note),
        text: [head + wrapMarkdown(note.body.trimEnd(), screen), ...steps].join("\n"),
      };
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

function info(input: Input, note: Note): string[] {
  const paint = paintFor(input.screen ?? PLAIN);
  const time = (at: number) => `${localTime(at)} (${ago(at, input.now())})`;
  const rows: readonly [string, string][] = [
    ["note", note.uri],
    ["title", note.title],
    ["file", shortPath(note.path, input.env)],
    ["created", note.created === undefined ? "unknown" : time(note.created)],
    ["modified", time(note.modified)],
    ["aliases", note.aliases.join(", ")],
    ["properties", propertyLines(note.properties).join("; ")],
    ["tags", note.tags.join(", ")],
    ["concepts", note.concepts.join(", ")],
    ["checksum", note.checksum],
  ];
  const optional = new Set(["aliases", "properties"]);
  return rows
    .filter(([name, value]) => value !== "" || !optional.has(name))
    .map(([name, value]) => {
      const label = paint("dim", `${name}:`);
      const line = value === "" ? label : `${padTo(label, 12)}${oneLine(value)}`;
      return wrapOn(line, input.screen ?? PLAIN, { hang: 12 });
    });
}

export const listCommand: Command = {
  name: "list",
  summary: "list the folders and notes in a folder",
  usage: "list [FOLDER]",
  section: "notes",
  isMinor: true,
  options: {},
  arguments: {
    FOLDER: {
      help: "a folder within the notes folder (default: the notes folder itself); @name for another notes folder",
    },
  },
  examples: [
    ["continuo list", "list the top folder"],
    ["continuo list decisions", "list one folder"],
  ],
  run(input) {
    const folder = input.positionals.join(" ");
    const screen = input.screen ?? PLAIN;
    const paint = paintFor(screen);
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
        ...also.map((name) => [paint("bold", `${name}/`), "another notes folder"]),
        ...folders.map(({ name, notes }) => [paint("bold", `${oneLine(name)}/`), counted(notes, "note")]),
        ...data.notes.map(({ uri, modified }) => [oneLine(uri), paint("dim", ago(modified, input.now()))]),
      ];
      const none = folder === "" ? NO_NOTES : "This folder is empty.";
      const steps = nextSteps(
        screen,
        notes.length > 0 ? ["continuo read NOTE", "Read one"] : undefined,
        folders.length > 0 ? ["continuo list FOLDER", "Look into a folder"] : undefined,
      );
      const shown = table([folder || "memory", ""], rows, screen, { flexible: 0, keepEnd: [0] });
      return { data, text: rows.length === 0 ? none : [shown, ...steps].join("\n") };
    });
  },
};

const RECENT_USAGE = "recent";
const KINDS = ["all", "memory", "thinking", "assumptions"] as const;

export const recentCommand: Command = {
  name: "recent",
  summary: "list recently changed notes",
  usage: RECENT_USAGE,
  section: "notes",
  isMinor: true,
  options: {
    ...FILTER_OPTIONS,
    timespan: {
      type: "string",
      value: "SPAN",
      help: "like --since, or as a .NET TimeSpan: 1.00:00:00",
      fallback: "any time",
    },
    kind: {
      type: "string",
      value: "KIND",
      choices: KINDS,
      help: "only notes of this kind",
      fallback: "all",
    },
    limit: { type: "string", value: "N", help: "show at most this many", fallback: "10" },
  },
  examples: [
    ["continuo recent", "list the ten newest notes"],
    ["continuo recent --since 7d --project .", "list what changed in this project in a week"],
  ],
  run(input) {
    exactly(input, 0, RECENT_USAGE);
    const limit = wholeOption(input, "limit", 1, 10_000) ?? 10;
    const kind = choiceOption(input, "kind", KINDS) ?? "all";
    const timespan = textOption(input, "timespan");
    if (timespan !== undefined) sinceTimespan(timespan, input.now());
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
      const screen = input.screen ?? PLAIN;
      const paint = paintFor(screen);
      const rows = items.map(({ modified, title, uri }) => [
        paint("dim", ago(modified, input.now())),
        paint("bold", oneLine(title)),
        oneLine(uri),
      ]);
      const none = hasNotes(memory) ? "No notes changed in that time." : NO_NOTES;
      return {
        data: { items },
        text:
          rows.length === 0
            ? none
            : [
                table(["changed", "title", "note"], rows, screen, {
                  flexible: [1, 2],
                  keepEnd: [2],
                  optional: [2],
                }),
                ...nextSteps(screen, ["continuo read NOTE", "Read one, by its title or address"]),
              ].join("\n"),
      };
    });
  },
};
