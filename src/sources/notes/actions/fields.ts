import { oneLine } from "../../../base/for-terminal.ts";
import { oneOf, optional, text, texts, time, whole } from "../../../moments/actions/fields.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { type Block, exact, type Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { timeOf } from "../../../search/timespan.ts";
import { MAX_NOTE_BYTES } from "../files/note.ts";
import { seenFromPlace } from "../note-project.ts";
import type { NoteFilter } from "../search/filter.ts";
import { NO_PROJECT } from "../search/project-notes.ts";

// Fields and views that several actions on notes share.

/** The most characters of a name, an address or a path. */
const MOST = 5000;

export const NOTE = text("a note by its address, path or title", { typed: "rest", most: MOST });
/** The same, followed by another argument. */
export const NOTE_WORD = text("a note by its address, path or title", { typed: "word", most: MOST });

export const CONCEPT = text("a name that notes link to as [[CONCEPT]]", { typed: "rest", most: MOST });

const CONTENT = {
  least: 0,
  most: MAX_NOTE_BYTES,
  piped: MAX_NOTE_BYTES,
  isVerbatim: true,
  value: "TEXT",
} as const;

/** The text of a note, as one argument or as all remaining ones. */
export const content = (about: string, typed: "word" | "rest") => text(about, { ...CONTENT, typed });

export const QUERY = text("words to search for", { typed: "rest", most: 100_000 });

export const MODE = optional(
  oneOf(
    "search notes by words and meaning, only by words, or only by meaning",
    ["Hybrid", "FullText", "Semantic"],
    { fallback: "Hybrid" },
  ),
);

/** How many steps from a concept, and how many results. */
export const DEPTH = optional(whole("steps in the graph, 0 to 5", 0, 5, { value: "N", fallback: "2" }));
export const MOST_CONCEPTS = optional(
  whole("show at most this many concepts", 1, 200, { value: "N", fallback: "20" }),
);

export const TIMESPAN = optional(
  text("like --since, or as a .NET TimeSpan: 1.00:00:00", { value: "SPAN", fallback: "any time" }),
);
export const KIND = optional(
  oneOf("only notes of this kind", ["all", "memory", "thinking", "assumptions"], { fallback: "all" }),
);

/** The fields of an edit besides its text. */
export const EDIT = {
  find: optional(
    text("with find_replace: the text to replace", {
      most: MAX_NOTE_BYTES,
      isVerbatim: true,
      value: "TEXT",
      fallback: "none",
    }),
  ),
  expected: optional(
    whole("with find_replace: how often the text must occur", 0, 1_000_000, {
      value: "N",
      fallback: "any number",
    }),
  ),
  section: optional(
    text("with replace_section and append: the heading of the section", {
      value: "HEADING",
      fallback: "the whole note",
    }),
  ),
  checksum: optional(
    text("edit only if the note still has this checksum", { value: "SUM", fallback: "not checked" }),
  ),
};

/** The filter for listed or searched notes. */
export const FILTERS = {
  folder: optional(
    text("only notes in this folder; @name for another notes folder", { fallback: "all folders" }),
  ),
  tag: optional(texts("only notes with this tag", { value: "TAG", hasCommas: true, fallback: "any tag" })),
  project: optional(
    text("only notes of this project; . is the current one", { value: "NAME", fallback: "all projects" }),
  ),
  since: optional(
    time("only notes changed since then: a day such as 2026-11-01 or yesterday, 24h or 7d", {
      value: "TIME",
      fallback: "any time",
    }),
  ),
};

export interface GivenFilter {
  readonly folder?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly since?: string | undefined;
}

/** Empty values count as absent, because forms send them. */
export function filterOf({ folder, tag, project, since }: GivenFilter, place: Here): NoteFilter {
  return {
    ...(folder && { folder }),
    ...(tag && tag.length > 0 && { tags: tag }),
    ...(project && { project: project === "." ? (seenFromPlace(place) ?? NO_PROJECT) : project }),
    ...(since && { since: timeOf(since, place.now()) }),
  };
}

type Here = Pick<Place, "cwd" | "home" | "env" | "now">;

/** The fields that `note` and `write` share. */
export const NEW_NOTE = {
  folder: optional(
    text("folder within the notes folder; created if needed", {
      most: MOST,
      fallback: "the notes folder itself",
    }),
  ),
  tag: optional(texts("add a tag", { value: "TAG", hasCommas: true, fallback: "no tags" })),
  project: optional(
    text("project that the note belongs to; none: no project", {
      value: "NAME",
      fallback: "the current one",
    }),
  ),
};

/** The address and the file of a written note. */
export function writtenLines(
  { uri, path }: { readonly uri: string; readonly path: string },
  { paint, env }: Shown,
  what = "Written",
): Block[] {
  return [
    exact(`${paint("green", `${what}:`)} ${paint("bold", oneLine(uri))}`),
    exact(`  ${paint("dim", oneLine(shortPath(path, env)))}`),
  ];
}

/** A list, or a text if the list is empty. */
export const orElse = (rows: readonly unknown[], none: string, blocks: readonly Block[]): readonly Block[] =>
  rows.length === 0 ? [exact(none)] : blocks;
