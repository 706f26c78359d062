import { ContinuoError } from "../../../base/errors.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { passageAt } from "../../../search/passages.ts";
import type { Ranked } from "../../../search/rank/rank.ts";
import type { Note } from "../files/note.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";

/** A found note, with what a hit shows of it. */
export interface Opened {
  readonly uri: string;
  readonly path: string;
  readonly shown: Shown;
  /** Its title and the best matching passage. */
  readonly passage: string;
  /** Set if its text was too long to keep, so that the code that shows it must open it again. */
  readonly isCut?: true;
}

type Shown = Pick<Note, "title" | "modified" | "body"> & {
  /** The beginning of its frontmatter, unparsed. */
  readonly head: string;
  /** Whether its file has changed since it was indexed. */
  readonly isChanged: boolean;
};

interface Row {
  readonly uri: string;
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  readonly modified: number;
  readonly size: number;
}

/** Undefined for a note that was deleted or became unreadable since the last sync. */
export async function openedAt(index: MemoryIndex, { owner, best }: Ranked): Promise<Opened | undefined> {
  const row = index.db.get<Row>(
    `SELECT uri, title, name, folder.path AS folder, note.modified, size FROM note
     JOIN folder ON folder.id = note.folder WHERE note.id = ?`,
    [owner],
  );
  if (row === undefined) return undefined;
  const path = pathOf(index, row.folder, row.name);
  const shown = await readShown(index, path, row).catch((error: unknown) => {
    if (!(error instanceof ContinuoError)) throw error;
    return undefined;
  });
  if (shown === undefined) return undefined;
  const passage = `${shown.title}\n${passageAt(shown.body, best?.passage ?? 0)}`;
  return { uri: row.uri, path, shown, passage };
}

/** If the file is unchanged since it was indexed, the title is known and its frontmatter is not parsed. */
async function readShown({ files }: MemoryIndex, path: string, row: Row): Promise<Shown | undefined> {
  const read = files.readText(path);
  if (read === undefined) return undefined;
  const cut = cutFrontmatter(read.text);
  const [start, end, from] = typeof cut === "string" ? [0, 0, 0] : [cut.start, cut.end, cut.body];
  const head = read.text.slice(start, Math.min(end, start + MOST_HEAD));
  if (read.modified === row.modified && read.size === row.size)
    return { title: row.title, modified: row.modified, body: read.text.slice(from), head, isChanged: false };
  const note = await files.read(path);
  return note && { ...note, head, isChanged: true };
}

/** In characters: snippets and links are taken from this much. */
const MOST_HEAD = 4000;

/** In characters: the texts of twenty larger notes would need more memory than a hook may use. */
const MOST_KEPT = 200_000;

/** The part of a note that is kept while notes are compared, because it may not be shown. */
export function kept(opened: Opened | undefined): Opened | undefined {
  if (opened === undefined || opened.shown.body.length <= MOST_KEPT) return opened;
  // Copied: in V8 a slice would keep the whole text in memory.
  const passage = Buffer.from(opened.passage, "utf16le").toString("utf16le");
  return { ...opened, passage, shown: { ...opened.shown, body: "", head: "" }, isCut: true };
}
