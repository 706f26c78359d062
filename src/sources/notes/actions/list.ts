import { oneLine } from "../../../base/for-terminal.ts";
import { ago, count } from "../../../base/when.ts";
import { fields, optional, text, whole } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { sinceTimespan } from "../../../search/timespan.ts";
import { FILTERS, filterOf, KIND, orElse, TIMESPAN } from "./fields.ts";
import { hasNotes, NO_NOTES, syncFirst, withNotes } from "./fresh.ts";

export const list = action({
  name: "list",
  about: "list the folders and notes in a folder",
  examples: [
    ["continuo list", "list the top folder"],
    ["continuo list decisions", "list one folder"],
  ],
  effect: "reads",
  input: fields({
    folder: optional(
      text(
        "a folder within the notes folder (default: the notes folder itself); @name for another notes folder",
        { typed: "rest" },
      ),
    ),
  }),
  run: ({ folder = "" }, place) =>
    withNotes(place, (memory) => {
      const { folders, notes } = memory.list(folder);
      const isTop = folder === "";
      const also = isTop ? memory.roots.flatMap(({ name }) => (name === undefined ? [] : [`@${name}`])) : [];
      return { folder, folders, also, notes: notes.map(dated) };
    }),
  view({ folder, folders, also, notes }, { paint, now }) {
    const rows = [
      ...also.map((name) => [paint("bold", `${name}/`), "another notes folder"]),
      ...folders.map((one) => [paint("bold", `${oneLine(one.name)}/`), count(one.notes, "note")]),
      ...notes.map(({ uri, modified }) => [oneLine(uri), paint("dim", ago(modified, now))]),
    ];
    return orElse(rows, folder === "" ? NO_NOTES : "This folder is empty.", [
      { columns: [folder || "memory", ""], rows, fit: { flexible: 0, keepEnd: [0] } },
      {
        next: [
          ...(notes.length > 0 ? [["continuo read NOTE", "Read one"] as const] : []),
          ...(folders.length > 0 ? [["continuo list FOLDER", "Look into a folder"] as const] : []),
        ],
      },
    ]);
  },
});

export const recent = action({
  name: "recent",
  about: "list recently changed notes",
  examples: [
    ["continuo recent", "list the ten newest notes"],
    ["continuo recent --since 7d --project .", "list what changed in this project in a week"],
  ],
  effect: "reads",
  input: fields({
    ...FILTERS,
    timespan: TIMESPAN,
    kind: KIND,
    limit: optional(whole("show at most this many", 1, 10_000, { value: "N", fallback: "10" })),
  }),
  run({ timespan, kind = "all", limit = 10, ...given }, place) {
    if (timespan !== undefined) sinceTimespan(timespan, place.now());
    return withNotes(place, async (memory) => {
      await syncFirst(place, memory);
      const notes = await memory.recent({ limit, kind, timespan, ...filterOf(given, place) });
      const items = notes.map(({ uri, title, path, modified, tags, concepts }) =>
        dated({ uri, title, path, modified, tags, concepts }),
      );
      return { items, hasNotes: hasNotes(memory) };
    });
  },
  json: ({ items }) => ({ items }),
  view({ items, hasNotes: isAny }, { paint, now }) {
    const rows = items.map(({ modified, title, uri }) => [
      paint("dim", ago(modified, now)),
      paint("bold", oneLine(title)),
      oneLine(uri),
    ]);
    return orElse(rows, isAny ? "No notes changed in that time." : NO_NOTES, [
      { columns: ["changed", "title", "note"], rows, fit: { flexible: [1, 2], keepEnd: [2], optional: [2] } },
      { next: [["continuo read NOTE", "Read one, by its title or address"]] },
    ]);
  },
});

const dated = <N extends { readonly modified: number }>(note: N) => ({
  ...note,
  modified: new Date(note.modified).toISOString(),
});
