import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import { ago, localTime } from "../../../base/when.ts";
import { fields, flag, optional } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { noteFailure } from "../files/failures.ts";
import type { Note } from "../files/note.ts";
import { propertyLines } from "../files/properties.ts";
import { NOTE } from "./fields.ts";
import { withNotes } from "./fresh.ts";

export const read = action({
  name: "read",
  about: "print a note, by address, path or title",
  examples: [
    ['continuo read "Prices"', "print a note"],
    ["continuo read memory://pricing/rules --info", "print it with its tags and times"],
  ],
  effect: "reads",
  input: fields({
    note: NOTE,
    info: optional(flag("print address, times, tags, concepts and checksum first")),
  }),
  async run({ note: identifier, info = false }, place) {
    const note = assertReadable(await withNotes(place, (memory) => memory.read(identifier)));
    for (const problem of note.problems) place.tell?.(`continuo: ${note.uri}: ${problem}`);
    return { note, info };
  },
  json({ note: { body, created, modified, ...note } }) {
    return {
      ...note,
      created: created === undefined ? null : new Date(created).toISOString(),
      modified: new Date(modified).toISOString(),
      content: body,
    };
  },
  view: ({ note, info }, shown) => [
    ...(info ? [...infoLines(note, shown), ""] : []),
    { text: note.body.trimEnd(), isMarkdown: true },
    { next: [[`continuo open ${shellWord(note.uri)}`, "Edit it"]] },
  ],
});

/** A note that cannot be shown is an error, not an empty text. */
export function assertReadable(note: Note): Note {
  const [problem] = note.problems;
  if (note.body !== "" || note.size === 0 || problem === undefined) return note;
  throw noteFailure(
    "note-unreadable",
    `${note.uri} cannot be shown: ${problem}`,
    `check the file: ${note.path}`,
  );
}

function infoLines(note: Note, { paint, env, now }: Shown) {
  const time = (at: number) => `${localTime(at)} (${ago(at, now)})`;
  const rows: readonly [string, string][] = [
    ["note", note.uri],
    ["title", note.title],
    ["file", shortPath(note.path, env)],
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
      const space = value === "" ? "" : " ".repeat(11 - name.length);
      return { text: `${paint("dim", `${name}:`)}${space}${oneLine(value)}`, hang: 12 };
    });
}
