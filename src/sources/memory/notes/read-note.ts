import { basename } from "node:path";
import { collapse } from "../../../base/text.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { withoutClosingMarks } from "../../../markdown/text-blocks.ts";
import { readYamlKeys } from "../../../markdown/yaml.ts";
import { checksumOf } from "./checksum.ts";
import type { Note } from "./note.ts";
import { type NoteText, readNoteText } from "./note-text.ts";
import type { MemoryRoot } from "./root.ts";
import { uriOf } from "./uri.ts";
import { findLinks } from "./wikilinks.ts";

/**
 * Reads a note. Whatever the file holds gives a note, whose `problems` tell what could not be understood; undefined when
 * the file is gone. Only a file that the system refuses to open is an error.
 */
export async function readNote(root: MemoryRoot, path: string): Promise<Note | undefined> {
  const read = readNoteText(path);
  return read && parseNote(read, { uri: uriOf(root, path), path });
}

export async function parseNote(
  read: NoteText,
  { uri, path }: { readonly uri: string; readonly path: string },
): Promise<Note> {
  const { text } = read;
  const problems = read.problem === undefined ? [] : [read.problem];
  // A line of dashes that nothing closes is a rule drawn by the author.
  const cut = cutFrontmatter(text);
  const hasFront = cut !== "none" && cut !== "unclosed";
  const keys = await readYamlKeys(hasFront ? text.slice(cut.start, cut.end) : "");
  if ("problem" in keys) problems.push(`its frontmatter is not YAML (${keys.problem})`);
  const frontmatter = "values" in keys ? keys.values : {};
  const body = hasFront ? text.slice(cut.body) : text;
  return {
    uri,
    path,
    title: titleOf(frontmatter["title"], body, path),
    body,
    frontmatter,
    tags: tagsOf(frontmatter["tags"]),
    ...findLinks(body),
    created: timeOf(frontmatter["created"]) ?? timeInName(path),
    modified: read.modified,
    checksum: checksumOf(text),
    size: read.size,
    problems,
  };
}

/** What the frontmatter says, else the heading that the text begins with, else the file's name. */
function titleOf(given: unknown, body: string, path: string): string {
  if ((typeof given === "string" || typeof given === "number") && String(given).trim() !== "") {
    // A title stands in lists: with line breaks it could pass for several of their entries.
    return collapse(String(given));
  }
  const heading = /^\s*# +(\S.*)/.exec(body)?.[1];
  return (heading && withoutClosingMarks(heading)) || basename(path).replace(/\.md$/i, "");
}

/** A list, or one text with commas or spaces, as Obsidian also takes it. */
function tagsOf(given: unknown): string[] {
  const list = Array.isArray(given) ? given : typeof given === "string" ? given.split(/[\s,]+/) : [];
  const tags = list.flatMap((tag: unknown) =>
    typeof tag === "string" || typeof tag === "number" ? [String(tag).trim().replace(/^#/, "")] : [],
  );
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

function timeOf(given: unknown): number | undefined {
  const time =
    given instanceof Date ? given.getTime() : typeof given === "string" ? Date.parse(given) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** maenifold's sessions, workflows and assumptions carry their time in their id, and often nowhere else. */
function timeInName(path: string): number | undefined {
  const digits = /^(?:session|workflow|assumption)-(\d{13})(?:-\d+)?\.md$/i.exec(basename(path))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
