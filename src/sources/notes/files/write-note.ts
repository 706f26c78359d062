import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { slugify } from "../../../base/slug.ts";
import { redact } from "../../../store/redact.ts";
import { createFileAtomic } from "../../../store/write-file.ts";
import { noteFailure } from "./failures.ts";
import { assertNameable } from "./file-name.ts";
import { assertReadable, checksumOf } from "./note.ts";
import type { MemoryRoot } from "./roots.ts";
import { folderBelow, pathBelow, safeSegments, uriOf } from "./uri.ts";
import { assertHasLink, assertNoneBanned, findLinks } from "./wikilinks.ts";
import { type WriteContext, withRootLock } from "./with-lock.ts";

export interface NewNote {
  readonly title: string;
  readonly content: string;
  readonly folder?: string;
  readonly tags?: readonly string[];
  /** The project that it belongs to, by name and identity. */
  readonly project?: string;
  readonly projectId?: string;
  /** False if the text has no heading with the title, because the title is derived from the text. */
  readonly hasHeading?: boolean;
  /** For text that a model wrote: secrets in it are replaced. A user's text is kept as it is. */
  readonly redacted?: boolean;
  /** maenifold's contract refuses a text without a link. */
  readonly isLinkRequired?: boolean;
}

export interface Written {
  readonly uri: string;
  readonly path: string;
  readonly title: string;
  readonly folder: string;
  readonly checksum: string;
  /** False if the note contains no link yet. */
  readonly isLinked: boolean;
}

/** Creates a note. An existing note is never replaced. */
export async function writeNote(context: WriteContext, root: MemoryRoot, given: NewNote): Promise<Written> {
  const clean = given.redacted ? redact : (text: string) => text;
  const title = clean(withoutPath(given.title.replace(/[\x00-\x1f\x7f]+/g, " ").trim()));
  const content = clean(given.content.replace(/^\ufeff/, ""));
  if (title === "") throw noteFailure("note-invalid", "the note has no title", "give a title of a few words");
  if (given.isLinkRequired === true) assertHasLink(content);
  assertNoneBanned(root, content);
  const folder = given.folder?.trim() ? safeSegments(given.folder.trim()) : [];
  const segments = [...folder, slugify(title)];
  assertNameable(segments);
  folderBelow(root, folder);
  const path = pathBelow(root, segments);
  const text =
    newFrontmatter({ ...given, title }, context.now()) +
    (given.hasHeading === false ? closed(content) : withHeading(title, content));
  assertReadable(text);
  return withRootLock(context, root, () => {
    // `path` has the spelling on disk, so a note whose name differs only in case is found too.
    const mode = modeIn(root);
    makeFolders(dirname(path), mode.folder);
    if (existsSync(path) || !createFileAtomic(path, text, mode.file)) {
      throw noteFailure(
        "note-exists",
        `there is already a note ${uriOf(root, path)}`,
        ({ edit }) => `change it with ${edit}, or choose another title or folder`,
      );
    }
    const inside = uriOf(root, dirname(path)).replace(/^memory:\/\//, "");
    const isLinked = findLinks(content).concepts.length > 0;
    return { uri: uriOf(root, path), path, title, folder: inside, checksum: checksumOf(text), isLinked };
  });
}

/** In Continuo's own folder notes are private. In another program's folder a new note gets the permissions of the folder. */
function modeIn(root: MemoryRoot): { readonly file: number; readonly folder: number } {
  const there = root.kind === "continuo" ? undefined : statSync(root.path, { throwIfNoEntry: false });
  const folder = (there?.mode ?? 0o700) & 0o777;
  return { file: folder & 0o666, folder };
}

function makeFolders(folder: string, mode: number): void {
  const first = mkdirSync(folder, { recursive: true, mode });
  // The umask may have removed some permissions.
  for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made))
    chmodSync(made, mode);
}

/** `../../deploy` is a path and not a title: it would be listed under a name that its file does not have. */
function withoutPath(title: string): string {
  return title.replace(/^(?:\.{1,2}[\\/]+)+/, "").trim();
}

/** A note begins with its title as a heading, unless the text has its own. */
function withHeading(title: string, content: string): string {
  return closed(content.trimStart().startsWith("# ") ? content : `# ${title}\n\n${content}`);
}

function closed(body: string): string {
  return body.endsWith("\n") ? body : `${body}\n`;
}

/** The frontmatter of a new note: the same keys in the same order as maenifold, then the project. */
function newFrontmatter(
  note: Pick<NewNote, "title" | "tags" | "project" | "projectId">,
  now: number,
): string {
  const tags = [...new Set((note.tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ""))];
  const time = timestamp(now);
  return [
    "---",
    `title: ${scalar(note.title)}`,
    `permalink: ${scalar(slugify(note.title))}`,
    "type: memory",
    "status: saved",
    `created: ${time}`,
    `modified: ${time}`,
    ...(tags.length > 0 ? ["tags:", ...tags.map((tag) => `- ${scalar(tag)}`)] : []),
    ...(note.project === undefined ? [] : [`project: ${scalar(note.project)}`]),
    ...(note.projectId === undefined ? [] : [`project_id: ${scalar(note.projectId)}`]),
    "---",
    "",
  ].join("\n");
}

/** In .NET's round-trip format, with seven fractional digits. */
export function timestamp(time: number): string {
  return new Date(time).toISOString().replace("Z", "0000Z");
}

/** Quoted unless every YAML parser reads it as plain text. A JSON string is a valid YAML string. */
function scalar(text: string): string {
  const isPlain =
    /^[A-Za-z][A-Za-z0-9 ./_-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !text.endsWith(" ") ? text : JSON.stringify(text);
}
