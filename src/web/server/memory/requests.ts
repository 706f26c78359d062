import * as v from "valibot";
import { text, whole } from "../requests.ts";

const NAME = text(1000);

const FILTERS = {
  folder: v.optional(NAME),
  tag: v.optional(NAME),
  /** A name, or `.` for the project that `continuo web` was started in. */
  project: v.optional(NAME),
  since: v.optional(text(100)),
};

export const LIST = v.strictObject({
  ...FILTERS,
  order: v.optional(v.picklist(["project", "recent", "use", "title"]), "project"),
  offset: v.optional(whole(0, 1_000_000), "0"),
  limit: v.optional(whole(1, 500), "100"),
});

export const SEARCH = v.strictObject({
  ...FILTERS,
  q: text(1000),
  mode: v.optional(v.picklist(["Hybrid", "FullText", "Semantic"]), "Hybrid"),
  page: v.optional(whole(1, 1000), "1"),
  limit: v.optional(whole(1, 50), "20"),
});

export const TITLES = v.strictObject({ q: v.optional(NAME, "") });

/** Characters: a note may have 4 MB. */
const CONTENT = text(4 * 1024 * 1024);

/** JSON writes a character with up to six bytes. */
export const MAX_NOTE_BODY = 24 * 1024 * 1024;

export const WRITE = v.strictObject({
  title: v.pipe(text(1000), v.trim(), v.nonEmpty("must not be empty")),
  content: CONTENT,
  folder: v.optional(NAME),
  tags: v.optional(v.pipe(v.array(NAME), v.maxLength(100))),
  /** `none`: for all projects. Without it: the project that `continuo web` was started in. */
  project: v.optional(NAME),
});

export const EDIT = v.strictObject({
  text: CONTENT,
  /** Of the text that was read. */
  checksum: v.pipe(text(100), v.minLength(12, "must have at least 12 characters")),
});

export const MOVE = v.strictObject({ to: v.pipe(NAME, v.nonEmpty("must not be empty")) });

export const DELETE = v.strictObject({ checksum: v.optional(text(100)) });

export const RESTORE = v.strictObject({ undo: text(100) });

export const GRAPH = v.strictObject({
  project: v.optional(NAME),
  folder: v.optional(NAME),
  limit: v.optional(whole(1, 5000), "5000"),
  edges: v.optional(whole(1, 20_000), "20000"),
});

export const CONTEXT = v.strictObject({
  concept: v.pipe(NAME, v.nonEmpty("must not be empty")),
  depth: v.optional(whole(0, 5), "2"),
});
