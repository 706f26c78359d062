import { oneLine } from "../../../base/for-terminal.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";
import type { Command } from "../../command.ts";
import { assertReadable } from "./readable.ts";
import { withMemory } from "./with-memory.ts";
import { subject } from "./words.ts";

const USAGE = "read NOTE";

export const readCommand: Command = {
  name: "read",
  summary: "print a note, named by its address, path or title",
  usage: USAGE,
  group: "notes",
  options: { info: { type: "boolean", help: "address, times, tags, concepts and checksum before the text" } },
  run(input) {
    const identifier = subject(input, "note", USAGE);
    return withMemory(input, async (memory) => {
      const note = assertReadable(await memory.read(identifier));
      for (const problem of note.problems) input.tell?.(`continuo: ${note.uri}: ${problem}`);
      const head = input.values["info"] === true ? `${info(note).join("\n")}\n\n` : "";
      return { data: told(note), text: head + note.body };
    });
  },
};

function told({ body, created, modified, ...note }: Note) {
  return {
    ...note,
    created: created === undefined ? null : new Date(created).toISOString(),
    modified: new Date(modified).toISOString(),
    content: body,
  };
}

function info(note: Note): string[] {
  const { created, modified } = told(note);
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
