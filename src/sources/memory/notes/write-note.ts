import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createFileAtomic } from "../../../store/create-file.ts";
import { redact } from "../../../store/redact.ts";
import { checksumOf } from "./checksum.ts";
import { noteFailure } from "./failures.ts";
import { assertLinked } from "./guard.ts";
import { newFrontmatter } from "./new-frontmatter.ts";
import { assertNameable } from "./portable.ts";
import type { MemoryRoot } from "./root.ts";
import { assertReadable } from "./size.ts";
import { slugify } from "./slug.ts";
import { type Desk, underLock } from "./under-lock.ts";
import { folderBelow, pathBelow, safeSegments, uriOf } from "./uri.ts";

export interface NewNote {
  readonly title: string;
  readonly content: string;
  readonly folder?: string;
  readonly tags?: readonly string[];
  /** For what a model wrote: secrets in it are replaced. What a human writes is his own. */
  readonly redacted?: boolean;
}

export interface Written {
  readonly uri: string;
  readonly path: string;
  readonly title: string;
  readonly folder: string;
  readonly checksum: string;
}

/** Notes are read by other programs too; what is private stands in a private folder. */
export const NOTE_MODE = 0o644;

/** Makes a note. One that is there already is never replaced. */
export async function writeNote(desk: Desk, root: MemoryRoot, given: NewNote): Promise<Written> {
  const clean = given.redacted ? redact : (text: string) => text;
  const title = clean(given.title.replace(/[\x00-\x1f\x7f]+/g, " ").trim());
  const content = clean(given.content.replace(/^\ufeff/, ""));
  if (title === "") throw noteFailure("note-invalid", "the note has no title", "give a title of a few words");
  assertLinked(root, content);
  const folder = given.folder?.trim() ? safeSegments(given.folder.trim()) : [];
  const segments = [...folder, slugify(title)];
  assertNameable(segments);
  folderBelow(root, folder);
  const path = pathBelow(root, segments);
  const text = newFrontmatter({ ...given, title }, desk.now()) + withHeading(title, content);
  assertReadable(text);
  return underLock(desk, root, () => {
    // The spelling of `path` is the one on disk, so a name that differs in case only is found here too.
    if (existsSync(path) || !createFileAtomic(path, text, NOTE_MODE)) {
      throw noteFailure(
        "note-exists",
        `there is a note ${uriOf(root, path)} already`,
        "edit it (append, find_replace), or choose another title or folder",
      );
    }
    const inside = uriOf(root, dirname(path)).replace(/^memory:\/\//, "");
    return { uri: uriOf(root, path), path, title, folder: inside, checksum: checksumOf(text) };
  });
}

/** A note begins with its title as a heading, unless the text has one itself. */
function withHeading(title: string, content: string): string {
  const body = content.trimStart().startsWith("# ") ? content : `# ${title}\n\n${content}`;
  return body.endsWith("\n") ? body : `${body}\n`;
}
